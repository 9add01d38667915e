/** Decides which frame is on the screen. Each frame is applied, in order, since it holds only what has changed. */

const LONGEST = 1 / 60; // seconds; a frame may be early by half the interval, at most half of this
const SLOWEST = .1; // seconds, the longest interval between frames of one stream
const SLEW = .005; // seconds per second by which the delay follows that of the room
const PULL = .05; // share of the distance to a frame's time that each frame corrects

export class Playout {
  /** The FrameState that frames are applied to. */
  state
  /** Called when a frame is missing, to request a snapshot. */
  onMissing = () => {}
  /** Whether driven frames are shown on arrival: the member that moves the book must not wait. */
  isPrompt = true
  /** The recent interval between frames, in seconds. */
  interval = LONGEST
  /** Whether the frame shown is a driven one, after which another may never arrive. */
  isDriven = false

  /** The frames that wait: {frame, at: its time in the server's seconds, isDriven}. */
  #queue = []
  #hasSnapshot = false
  #isBroken = false
  #wanted = null
  #delay = 0
  #now = null
  /** Seconds, at most a quarter of the interval, that keep frames in step with a screen of their rate. */
  #lead = 0

  /** @param state a FrameState; this class uses apply(frame), time and settled */
  constructor(state) { this.state = state; }

  /** The number of frames that wait for their time. */
  get waiting() { return this.#queue.length; }

  /** Whether frames wait or are still to come. */
  get isMoving() {
    return this.#queue.length > 0 || (this.#hasSnapshot && !this.state.settled)
  }

  /** Whether the last frame is shown and none is to come; false before the connection's first snapshot. */
  get isAtRest() { return this.#hasSnapshot && !this.isMoving; }

  /** The delay between a frame's time and its display, in seconds. */
  get delay() { return this.isPrompt ? 0 : this.#delay; }

  /** Follows the delay of the room: immediately at rest, and slowly in motion. */
  set delay(seconds) {
    if (!this.isMoving) this.#delay = seconds
    this.#wanted = seconds
  }

  /** Forgets the connection's frames; the state stays as it is until a snapshot arrives. */
  reset() {
    this.#queue = []
    this.#hasSnapshot = false
    this.#wanted = null
  }

  /**
   * Adds a whole frame and discards the waiting frames with later times. A follower sees the earlier ones first;
   * all others see the snapshot at the next opportunity.
   */
  snapshot(frame) {
    const follows = this.#hasSnapshot && !this.#isBroken && !this.isPrompt &&
      frame.time > this.state.time
    this.#queue = follows ? this.#queue.filter(({ at }) => at < frame.time) : []
    this.#queue.push({ frame, at: follows ? frame.time : -Infinity, isDriven: true })
    this.#hasSnapshot = true
    this.#isBroken = false
  }

  /** Adds a frame of a motion that a finger drives. */
  driven(frame) { this.#take(frame, true); }

  /** Adds frames that are sent ahead, each to be shown at its own time. */
  flown(frames) { for (const frame of frames) this.#take(frame, false); }

  #take(frame, isDriven) {
    if (this.#hasSnapshot) this.#queue.push({ frame, at: frame.time, isDriven })
  }

  /**
   * Applies all frames up to the one that is due.
   * @param {number|null} time the server's time in seconds; null while it is unknown, which makes all frames due
   * @returns {boolean} whether a frame was due
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

  /** The number of frames in the queue that are due. */
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
   * Moves the lead towards the vsync at which frames are shown. Otherwise frames whose times lie in the middle
   * between two vsyncs would appear now at one and now at the other.
   */
  #pull(due, last) {
    const most = Math.min(this.interval, LONGEST) / 4
    const off = this.#isForNow(last) ? this.#lead : due + this.#lead - last.at
    this.#lead = Math.max(-most, Math.min(most, this.#lead - PULL * off))
  }
}
