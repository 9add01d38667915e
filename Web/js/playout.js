/**
 * Which of the frames received is on the screen. A frame says only what changed since the one
 * before, so every frame is folded into the state, in order, even those that are never seen.
 */

export class Playout {
  /** What the frames add up to. */
  state
  /** Called when a frame is missing, so that a snapshot can be asked for. */
  onMissing = () => {}
  /** Animation frames that showed something new, nothing new in mid-motion; frames never shown. */
  stats = { applied: 0, repeated: 0, skipped: 0 }

  /** Frames that wait, each with the server's time for it, or null for the next chance. */
  #queue = []
  #hasSnapshot = false

  /** @param state a FrameState: apply(frame), time, settled */
  constructor(state) { this.state = state; }

  /** Frames that wait for their time. */
  get waiting() { return this.#queue.length; }

  /** Whether there is something to show or to wait for. */
  get isMoving() {
    return this.#queue.length > 0 || (this.#hasSnapshot && !this.state.settled)
  }

  /** Forgets the connection's frames; what is shown stays until a snapshot comes. */
  reset() {
    this.#queue = []
    this.#hasSnapshot = false
  }

  /** A whole frame, which recalls all that waited. */
  snapshot(frame) {
    this.#queue = [{ frame, at: null }]
    this.#hasSnapshot = true
  }

  /** A frame under somebody's finger: shown at the next chance. */
  driven(frame) {
    if (this.#hasSnapshot) this.#queue.push({ frame, at: null })
  }

  /** Frames sent ahead, each shown at its own time. */
  flown(frames) {
    if (!this.#hasSnapshot) return
    for (const frame of frames) this.#queue.push({ frame, at: frame.time })
  }

  /**
   * Folds up to the frame nearest to a server time; true when there was one.
   * @param {number|null} time in seconds; null while the clock is unknown: then the newest
   */
  advance(time) {
    const count = this.#due(time)
    if (count === 0) {
      if (this.#hasSnapshot && !this.state.settled) this.stats.repeated += 1
      return false
    }
    let isMissing = false
    for (const { frame } of this.#queue.splice(0, count)) {
      if (!this.state.apply(frame)) isMissing = true
    }
    this.stats.applied += 1
    this.stats.skipped += count - 1
    if (isMissing) this.onMissing()
    return true
  }

  /** How many of the queue are to be folded now. */
  #due(time) {
    const queue = this.#queue
    if (time === null) return queue.length
    let count = queue.length
    while (count > 0 && queue[count - 1].at !== null) count -= 1
    let current = count > 0 ? queue[count - 1].frame.time : this.state.time
    while (count < queue.length && (current + queue[count].at) / 2 <= time) {
      current = queue[count].at
      count += 1
    }
    return count
  }
}

/** The flights of this page's camera, in the clock of flown frames. */
export class CameraPlayout {
  #queue = []
  #at = -Infinity

  get isMoving() { return this.#queue.length > 0; }

  /** Forgets what waits: a matrix for now has come, or the connection was lost. */
  recall() {
    this.#queue = []
    this.#at = -Infinity
  }

  /** Matrices sent ahead: {time in seconds, matrix}. */
  fly(steps) { this.#queue.push(...steps); }

  /** The matrix nearest to a server time, once; null when none is due. Without a time the last. */
  advance(time) {
    let count = 0
    for (const step of this.#queue) {
      const from = this.#at === -Infinity ? step.time : this.#at
      if (time !== null && (from + step.time) / 2 > time) break
      this.#at = step.time
      count += 1
    }
    return count === 0 ? null : this.#queue.splice(0, count)[count - 1].matrix
  }
}
