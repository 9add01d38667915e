/**
 * How far the server's clock is ahead of this page's. The answer to a probe was written after it was sent
 * and before it came: two bounds, of which the one is good if it went there quickly, and the other if it
 * came back quickly. What all recent answers agree in is the narrower, the more often either happened, and
 * its middle is believed.
 */

const REMEMBERED = 16; // answers
const DRIFT = 1e-4; // ms by which a bound widens in a ms: clocks drift apart
const COARSE = 1; // ms that a page's times may be wrong by
const SURE = 8; // answers, up to which each better estimate is taken at once

export class Probes {
  /** The quickest round trip of late in ms, or null. */
  roundTrip = null

  #answers = []
  #count = 0

  /** Starts anew, as on every connection. */
  reset() {
    this.forget()
    this.roundTrip = null
    this.#count = 0
  }

  /** Believes none of before once another has come: this page's own clock may have slept. */
  forget() { this.#answers = []; }

  /** Whether there were so few answers that the next may be much better. */
  get isUnsure() { return this.#count <= SURE; }

  /**
   * Takes an answer; times of this page in ms, of the server in seconds.
   * @returns {number|null} server seconds minus page seconds; null for an answer that cannot be
   */
  add(sent, received, serverSeconds) {
    if (!(received >= sent) || !Number.isFinite(serverSeconds)) return null
    this.#count += 1
    const answer = { sent, received, time: 1000 * serverSeconds }
    this.#answers = [...this.#answers.slice(1 - REMEMBERED), answer]
    let [least, most] = this.#bounds(received)
    // A clock that was set, or has slept, agrees with nothing of before.
    if (least > most + 2 * COARSE) {
      this.#answers = [answer];
      [least, most] = this.#bounds(received)
    }
    this.roundTrip = Math.min(...this.#answers.map((one) => one.received - one.sent))
    return (least + most) / 2000
  }

  #bounds(now) {
    const widened = ({ received }) => DRIFT * (now - received)
    return [
      Math.max(...this.#answers.map((one) => one.time - one.received - widened(one))),
      Math.min(...this.#answers.map((one) => one.time - one.sent + widened(one))),
    ]
  }
}
