/** Measures how well this page keeps time, by comparing the frames that it shows with those that are due. */

const MOST = 2048; // animation frames measured between two acks
const SECOND = 1000

/** The percentile of values for a share from 0 to 1; 0 without values. */
export function percentile(values, share) {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]
}

export class Timing {
  /** The error of the last ack in seconds: the 95th percentile of the distance from the due time. */
  error = 0
  /** Whether frames have arrived since the last ack. */
  isOwed = false

  #errors = []
  #latest = -Infinity
  #lateness = null
  #arrived = 0
  #moved = []

  /** Called for each new connection. */
  reset(now) {
    this.#errors = []
    this.#latest = -Infinity
    this.#lateness = null
    this.#arrived = now
    this.isOwed = false
  }

  /**
   * Called when frames arrive.
   * @param now the page's time in ms
   * @param late how long after its time a driven frame has arrived, in seconds; null for other frames
   */
  arrived(now, late) {
    this.#arrived = now
    this.isOwed = true
    if (late !== null && late > this.#latest) this.#latest = late
  }

  /**
   * Called after each animation frame.
   * @param now the page's time in ms
   * @param due the server's time, less the delay, that the page should show; null while it is unknown
   * @param isNew whether the page shows something new
   */
  drawn(now, due, isNew, { state, interval, isDriven, isPrompt }) {
    if (isNew) this.#moved.push(now)
    while (this.#moved.length > 0 && now - this.#moved[0] > SECOND) this.#moved.shift()
    // At rest nothing is due. A still finger sends nothing, and the member that moves the book sees frames on
    // arrival.
    if (due === null || state.settled || (isDriven && (isPrompt || !isNew))) return
    if (this.#errors.length < MOST) this.#errors.push(Math.max(0, Math.abs(due - state.time) - interval / 2))
  }

  /** The number of new frames shown in the last second. */
  rate(now) { return this.#moved.filter((at) => now - at <= SECOND).length; }

  /** The time since the last frame arrived, in ms. */
  silence(now) { return now - this.#arrived; }

  /** Returns the ack about the frames since the last one; roundTrip is in seconds. */
  ack(frame, roundTrip) {
    if (this.#latest > -Infinity) this.#lateness = this.#latest
    this.error = percentile(this.#errors, .95)
    this.#errors = []
    this.#latest = -Infinity
    this.isOwed = false
    // Before the first driven frame, the lateness is estimated.
    return { frame, lateness: this.#lateness ?? roundTrip / 2, syncError: this.error, roundTrip }
  }
}
