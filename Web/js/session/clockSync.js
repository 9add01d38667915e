/**
 * How far a server's clock is ahead of this page's. What answers a probe was written after that was sent and
 * before it came: two bounds. The middle of where the recent ones overlap is believed.
 */

const REMEMBERED = 16; // answers
const DRIFT = 1e-4; // ms by which a bound widens in a ms: clocks drift apart
const COARSE = 2; // ms by which bounds may miss each other: a page's times are rounded
const SURE = 8; // answers, before which each estimate is taken at once

export class ClockSync {
  /** The quickest round trip of late in ms, or null. */
  roundTrip = null

  #answers = []
  #count = 0

  /** Believes none of before: this page's own clock may have slept. */
  forget() { this.#answers = []; }

  /** Whether the next answer may tell much better. */
  get isUnsure() { return this.#count <= SURE; }

  /**
   * Takes an answer; times of this page in ms, of the server in seconds.
   * @returns server seconds minus page seconds; null for an answer that cannot be
   */
  add(sent, received, serverSeconds) {
    if (!(received >= sent) || !Number.isFinite(serverSeconds)) return null
    this.#count += 1
    const answer = { sent, received, time: 1000 * serverSeconds }
    this.#answers = [...this.#answers.slice(1 - REMEMBERED), answer]
    let [least, most] = this.#bounds(received)
    // A clock that was set agrees with nothing of before.
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
