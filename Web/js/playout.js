/**
 * Which of the frames received is on the screen. A frame says only what changed since the one
 * before, so every frame is folded, in order, even those that are never seen.
 */

import { identity } from './matrix.js';

/** What is known of one element; `changed` until the stage has written it. */
function blank() {
  return { matrix: identity(), opacity: 1, shade: 0, z: 0, visible: true, changed: true };
}

export class Playout {
  /** Element id -> placement, as of the frame shown. */
  placements = new Map();
  /** The frame shown: number, server time, screen, settled. */
  shown = null;
  /** Called when a frame is missing, so that a snapshot can be asked for. */
  onMissing = () => {};
  stats = { applied: 0, repeated: 0, skipped: 0 };

  #queue = [];
  #received = null;

  /** Frames that wait for their time. */
  get waiting() { return this.#queue.length; }

  /** Whether the next animation frame has something to fold or to wait for. */
  get isMoving() { return this.#queue.length > 0 || (this.shown !== null && !this.shown.settled); }

  /** Forgets the connection's frames; what is shown stays until a snapshot comes. */
  reset() {
    this.#queue = [];
    this.#received = null;
  }

  /** A whole frame, which recalls all that waited. */
  snapshot(frame) {
    this.#queue = [{ frame, at: null, whole: true }];
    this.#received = frame.frame;
  }

  /** A frame under somebody's finger: shown at the next chance. */
  driven(frame) { this.#push(frame, null); }

  /** Frames sent ahead, each shown at its own time. */
  flown(frames) { for (const frame of frames) this.#push(frame, frame.time); }

  #push(frame, at) {
    if (this.#received === null) return; // nothing to be relative to: a snapshot comes first
    if (frame.frame !== ((this.#received + 1) >>> 0)) this.onMissing();
    this.#received = frame.frame;
    this.#queue.push({ frame, at, whole: false });
  }

  /**
   * Folds up to the frame nearest to a server time; true when the picture changed.
   * @param {number|null} time null while the clock is unknown: then the newest
   */
  advance(time) {
    const count = this.#due(time);
    if (count === 0) {
      if (this.shown !== null && !this.shown.settled) this.stats.repeated += 1;
      return false;
    }
    for (const entry of this.#queue.splice(0, count)) this.#fold(entry);
    this.stats.applied += 1;
    this.stats.skipped += count - 1;
    return true;
  }

  /** How many of the queue are to be folded now. */
  #due(time) {
    const queue = this.#queue;
    if (time === null) return queue.length;
    let count = 0;
    for (let i = queue.length - 1; i >= 0; i--) {
      if (queue[i].at === null) { count = i + 1; break; }
    }
    let current = count > 0 ? queue[count - 1].frame.time : (this.shown?.time ?? -Infinity);
    while (count < queue.length && (current + queue[count].at) / 2 <= time) {
      current = queue[count].at;
      count += 1;
    }
    return count;
  }

  #fold({ frame, whole }) {
    const { placements } = this;
    if (whole) {
      const listed = new Set(frame.entries.map((entry) => entry.id));
      for (const [id, placement] of placements) {
        if (listed.has(id) || !placement.visible) continue;
        placement.visible = false;
        placement.changed = true;
      }
    }
    for (const entry of frame.entries) {
      let placement = placements.get(entry.id);
      if (placement === undefined) placements.set(entry.id, placement = blank());
      placement.changed = true;
      placement.visible = !entry.hidden;
      if (entry.hidden) continue;
      const { matrix } = placement;
      if (entry.full || whole) {
        matrix.fill(0);
        matrix[0] = matrix[5] = matrix[10] = matrix[15] = 1;
      }
      let value = 0;
      for (let k = 0; k < 16; k++) {
        if (entry.mask & (1 << k)) matrix[k] = entry.values[value++];
      }
      if (entry.opacity !== undefined) placement.opacity = entry.opacity;
      if (entry.shade !== undefined) placement.shade = entry.shade;
      if (entry.z !== undefined) placement.z = entry.z;
    }
    this.shown = frame;
  }
}
