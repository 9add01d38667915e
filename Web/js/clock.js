/**
 * The server's clock, seen through this page's. Each probe gives an offset that is wrong by at most
 * half its round trip, so the quickest of the recent ones is believed. It is followed slowly: on a
 * stage that moves a jump of the clock would be seen. When to probe, beside/pulse.js knows.
 */

const REMEMBERED = 16; // samples
const DRIFT = 2e-4; // ms of round trip that a sample loses by a ms of age: clocks drift apart
const SURE = 8; // samples, up to which each better one is taken at once
const SLEW = .002; // seconds a second
const STEP = .05; // seconds of error that are put right at once

export class Clock {
  #samples = []
  #best = null
  #offset = null
  #isSure = false
  #at = 0

  /** Starts anew, as on every connection: another server has another clock. */
  reset() {
    this.forget()
    this.#best = this.#offset = null
    this.#isSure = false
  }

  /** Believes no sample any more once another has come: this page's own clock may have slept. */
  forget() { this.#samples = []; }

  /** Takes the time of the welcome, better than nothing until the first probe returns. */
  guess(serverSeconds, now) { this.#offset = serverSeconds - now / 1000; }

  /** Takes the answer to a probe; times of this page in ms, of the server in seconds. */
  add(sent, received, serverSeconds) {
    const trip = received - sent
    if (!(trip >= 0) || !Number.isFinite(serverSeconds)) return
    const offset = serverSeconds - (sent + received) / 2000
    this.#samples = [...this.#samples.slice(1 - REMEMBERED), { at: received, trip, offset }]
    const worth = (sample) => sample.trip + (received - sample.at) * DRIFT
    this.#best = this.#samples.reduce((a, b) => (worth(b) <= worth(a) ? b : a))
    if (!this.#isSure) this.#offset = this.#best.offset
    this.#isSure ||= this.#samples.length >= SURE
    this.advance(received)
  }

  /** Follows the best sample as far as may be by now. */
  advance(now) {
    const gone = Math.max(0, now - this.#at) / 1000
    this.#at = now
    if (this.#best === null) return
    const error = this.#best.offset - this.#offset
    const most = Math.abs(error) > STEP ? Infinity : SLEW * gone
    this.#offset += Math.max(-most, Math.min(most, error))
  }

  /** Whether a probe has been answered. */
  get isExchanged() { return this.#best !== null; }

  /** The quickest round trip in ms, or null. */
  get roundTrip() { return this.#best?.trip ?? null; }

  /** Server seconds minus page seconds, or null. */
  get offset() { return this.#offset; }

  /** The server's time in seconds at a page time in ms; null before the welcome. */
  serverTime(ms) { return this.#offset === null ? null : this.#offset + ms / 1000; }
}

/** The period of the screen, learnt from the times of animation frames. */
export class Vsync {
  #deltas = []
  last = null
  period = 1000 / 60

  tick(ms) {
    const delta = this.last === null ? 0 : ms - this.last
    this.last = ms
    // A frame that was missed shows a multiple of the period; the median does not mind.
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
