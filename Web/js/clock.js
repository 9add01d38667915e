/** The server's clock as this page knows it. */

const SLEW = .002; // seconds a second
const STEP = .05; // seconds of error from which on the clock steps instead of slewing

/** It follows the estimate of session/clockSync.js slowly, since a jump would be visible. */
export class Clock {
  #aim = null
  #offset = null
  #at = 0

  /** Starts again from the time of a welcome, a rough value until a probe returns: another server has another clock. */
  estimate(serverSeconds, now) {
    this.#aim = null
    this.#offset = serverSeconds - now / 1000
  }

  /** Follows a new offset from a page time in ms; at once if jumps is true. */
  follow(offset, now, jumps) {
    this.#aim = offset
    if (jumps) this.#offset = offset
    this.advance(now)
  }

  /** Moves towards the new offset, as far as the slew allows until now. */
  advance(now) {
    const gone = Math.max(0, now - this.#at) / 1000
    this.#at = now
    if (this.#aim === null) return
    const error = this.#aim - this.#offset
    const most = Math.abs(error) > STEP ? Infinity : SLEW * gone
    this.#offset += Math.max(-most, Math.min(most, error))
  }

  /** Whether the server has answered a probe. */
  get isExchanged() { return this.#aim !== null; }

  /** Server seconds minus page seconds, or null. */
  get offset() { return this.#offset; }

  /** The server's time in seconds at a page time in ms; null before the welcome. */
  serverTime(ms) { return this.#offset === null ? null : this.#offset + ms / 1000; }
}
