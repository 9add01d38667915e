/**
 * Estimates how far the server's clock is ahead of this page's. The server answers a probe between its departure
 * and the arrival of the answer, which gives two bounds. The estimate is the middle of the overlap of recent
 * bounds.
 */

const REMEMBERED = 16; // answers that are used
const DRIFT = 1e-4; // ms per ms by which bounds widen, since clocks drift apart
const COARSE = 2; // ms by which bounds may miss each other, since a page's times are rounded
const SURE = 8; // answers until which the clock applies each estimate at once

export class ClockSync {
  /** The shortest recent round trip in ms, or null. */
  roundTrip = null

  #answers = []
  #count = 0

  /** Forgets earlier answers, since this page's own clock may have stood still. */
  forget() { this.#answers = []; }

  /** Whether the next answer may change the estimate much. */
  get isUnsure() { return this.#count <= SURE; }

  /**
   * Adds an answer. Times of this page are in ms, those of the server in seconds.
   * @returns server seconds minus page seconds; null for an impossible answer
   */
  add(sent, received, serverSeconds) {
    if (!(received >= sent) || !Number.isFinite(serverSeconds)) return null
    this.#count += 1
    const answer = { sent, received, time: 1000 * serverSeconds }
    this.#answers = [...this.#answers.slice(1 - REMEMBERED), answer]
    let [least, most] = this.#bounds(received)
    // After a clock was set, earlier answers contradict this one.
    if (least > most + COARSE) {
      this.#answers = [answer];
      [least, most] = this.#bounds(received)
    }
    this.roundTrip = Math.min(...this.#answers.map((one) => one.received - one.sent))
    return (least + most) / 2000
  }

  #bounds(now) {
    const age = ({ received }) => DRIFT * (now - received)
    return [
      Math.max(...this.#answers.map((one) => one.time - one.received - age(one))),
      Math.min(...this.#answers.map((one) => one.time - one.sent + age(one))),
    ]
  }
}
