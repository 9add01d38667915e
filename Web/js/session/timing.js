/** How well this page keeps time: what is shown against what is due, measured and not promised. */

const MOST = 2048; // animation frames between two acks
const SECOND = 1000

/** The value below which a share of all lie. */
export function percentile(values, share) {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
}

export class Timing {
  /** Of the last ack, in seconds: the distance of what was shown from what was due, 95th percentile. */
  error = 0
  /** Whether frames came since the last ack. */
  isOwed = false

  #errors = []
  #latest = -Infinity
  #lateness = null
  #arrived = 0
  #moved = []

  /** A connection is made. */
  reset(now) {
    this.#errors = []
    this.#latest = -Infinity
    this.#lateness = null
    this.#arrived = now
    this.isOwed = false
  }

  /**
   * Frames have come.
   * @param now page time in ms
   * @param late how long after its time a driven frame came, in seconds; null for others
   */
  arrived(now, late) {
    this.#arrived = now
    this.isOwed = true
    if (late !== null && late > this.#latest) this.#latest = late
  }

  /**
   * An animation frame was drawn.
   * @param now page time in ms
   * @param due the server's time, less the delay, that it should have shown; null while unknown
   * @param isNew whether it showed something new
   */
  drawn(now, due, isNew, { state, interval, isDriven, isPrompt }) {
    if (isNew) this.#moved.push(now)
    while (this.#moved.length > 0 && now - this.#moved[0] > SECOND) this.#moved.shift()
    // At rest nothing is due. A finger that holds still sends nothing, and the one that moves the
    // book is shown what comes when it comes.
    if (due === null || state.settled || (isDriven && (isPrompt || !isNew))) return
    if (this.#errors.length < MOST) this.#errors.push(Math.max(0, Math.abs(due - state.time) - interval / 2))
  }

  /** New frames shown in the last second. */
  rate(now) { return this.#moved.filter((at) => now - at <= SECOND).length; }

  /** How long nothing has come, in ms. */
  silence(now) { return now - this.#arrived; }

  /** The ack about the frames since the last one; roundTrip in seconds. */
  ack(frame, roundTrip) {
    if (this.#latest > -Infinity) this.#lateness = this.#latest
    this.error = percentile(this.#errors, .95)
    this.#errors = []
    this.#latest = -Infinity
    this.isOwed = false
    // Before any driven frame came, as late as one would.
    return { frame, lateness: this.#lateness ?? roundTrip / 2, syncError: this.error, roundTrip }
  }
}
