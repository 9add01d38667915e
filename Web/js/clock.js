/** Time: the server's clock as this page knows it, and the vsync of the screen. */

const SLEW = .002; // seconds a second
const STEP = .05; // seconds of error from which on the clock steps instead of slewing

/** The server's clock. It follows the estimate of session/clockSync.js slowly, since a jump would be visible. */
export class Clock {
  #aim = null
  #offset = null
  #at = 0

  /** Forgets the offset, because each connection starts again: a restarted server has another clock. */
  reset() { this.#aim = this.#offset = null; }

  /** Sets the time of the welcome, a rough value until the first probe returns. */
  estimate(serverSeconds, now) { this.#offset = serverSeconds - now / 1000; }

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

/** The refresh period of the screen, estimated from the times of animation frames. */
export class Vsync {
  #deltas = []
  last = null
  period = 1000 / 60

  tick(ms) {
    const delta = this.last === null ? 0 : ms - this.last
    this.last = ms
    // A missed frame gives a multiple of the period, which the median ignores.
    if (delta < 2 || delta > 100) return
    this.#deltas.push(delta)
    if (this.#deltas.length > 15) this.#deltas.shift()
    this.period = this.#deltas.slice().sort((a, b) => a - b)[this.#deltas.length >> 1]
  }

  /** The page time of the first vsync after a page time. */
  next(now) {
    if (this.last === null) return now + this.period
    return this.last + this.period * (Math.floor((now - this.last) / this.period + 1e-3) + 1)
  }
}
