/**
 * Which of the frames received is on the screen. A frame says only what changed since the one
 * before, so every frame is folded into the state, in order, even those that are never seen.
 */

const LONGEST = 1 / 60; // seconds of an interval of which a frame may be half too early
const SLOWEST = .1; // seconds between frames that still are one stream
const SLEW = .005; // seconds a second by which the delay follows the room's
const PULL = .05; // of the distance from a frame's time that is made good with each frame

export class Playout {
  /** What the frames add up to. */
  state
  /** Called when a frame is missing, so that a snapshot can be asked for. */
  onMissing = () => {}
  /** Whether frames under a finger are shown as they come: who moves the book must not wait. */
  isPrompt = true
  /** From one frame to the next, in seconds, of late. */
  interval = LONGEST
  /** Whether the frame shown was under a finger, after which none need follow. */
  isDriven = false

  /** Frames that wait: {frame, at: the server's time for it, isDriven}. */
  #queue = []
  #hasSnapshot = false
  #isBroken = false
  #wanted = null
  #delay = 0
  #now = null
  /** Seconds, up to a quarter of the interval: keeps frames in step with a screen of their rate. */
  #lead = 0

  /** @param state a FrameState: apply(frame), time, settled */
  constructor(state) { this.state = state; }

  /** Frames that wait for their time. */
  get waiting() { return this.#queue.length; }

  /** Whether there is something to show or to wait for. */
  get isMoving() {
    return this.#queue.length > 0 || (this.#hasSnapshot && !this.state.settled)
  }

  /** Whether the last that came is shown, and no more is to come. */
  get isAtRest() { return this.#hasSnapshot && !this.isMoving; }

  /** How long after its time a frame is shown, in seconds. */
  get delay() { return this.isPrompt ? 0 : this.#delay; }

  /** The room's delay, which is followed slowly while something moves. */
  set delay(seconds) {
    if (!this.isMoving) this.#delay = seconds
    this.#wanted = seconds
  }

  /** Forgets the connection's frames; what is shown stays until a snapshot comes. */
  reset() {
    this.#queue = []
    this.#hasSnapshot = false
    this.#wanted = null
  }

  /**
   * A whole frame, which recalls all that waited for a later time. Who follows sees what is earlier
   * first; otherwise it is shown at the next chance.
   */
  snapshot(frame) {
    const follows = this.#hasSnapshot && !this.#isBroken && !this.isPrompt &&
      frame.time > this.state.time
    this.#queue = follows ? this.#queue.filter(({ at }) => at < frame.time) : []
    this.#queue.push({ frame, at: follows ? frame.time : -Infinity, isDriven: true })
    this.#hasSnapshot = true
    this.#isBroken = false
  }

  /** A frame under somebody's finger. */
  driven(frame) { this.#take(frame, true); }

  /** Frames sent ahead, each shown at its own time. */
  flown(frames) { for (const frame of frames) this.#take(frame, false); }

  #take(frame, isDriven) {
    if (this.#hasSnapshot) this.#queue.push({ frame, at: frame.time, isDriven })
  }

  /**
   * Folds up to the frame that is due at a server time; true when there was one.
   * @param {number|null} time in seconds; null while the clock is unknown: then the newest
   */
  advance(time) {
    this.#follow(time)
    const due = time === null ? null : time - this.delay
    const count = this.#due(due)
    if (count === 0) return false
    const folded = this.#queue.splice(0, count)
    const last = folded[count - 1]
    this.isDriven = last.isDriven
    for (const { frame } of folded) if (!this.state.apply(frame)) this.#isBroken = true
    if (this.#isBroken) this.onMissing()
    else if (due !== null) this.#pull(due, last)
    return true
  }

  #follow(time) {
    const most = SLEW * Math.max(0, time - (this.#now ?? time))
    this.#now = time
    if (this.#wanted === null) return
    this.#delay += Math.max(-most, Math.min(most, this.#wanted - this.#delay))
  }

  /** How many of the queue are to be folded now. */
  #due(time) {
    const queue = this.#queue
    if (time === null) return queue.length
    let count = queue.length
    while (count > 0 && !this.#isForNow(queue[count - 1])) count -= 1
    let current = count > 0 ? queue[count - 1].frame.time : this.state.time
    while (count < queue.length) {
      const { at } = queue[count]
      const gap = at - current
      if (at - Math.min(Math.max(gap, 0), LONGEST) / 2 > time + this.#lead) break
      if (gap > 0) this.interval += (Math.min(gap, SLOWEST) - this.interval) / 4
      current = at
      count += 1
    }
    return count
  }

  #isForNow({ at, isDriven }) { return at === -Infinity || (isDriven && this.isPrompt); }

  /**
   * Frames whose times lie between two vsyncs would be shown now at the one, now at the other; so
   * they are drawn to the one at which they are shown.
   */
  #pull(due, last) {
    const most = Math.min(this.interval, LONGEST) / 4
    const off = this.#isForNow(last) ? this.#lead : due + this.#lead - last.at
    this.#lead = Math.max(-most, Math.min(most, this.#lead - PULL * off))
  }
}
