/**
 * The server's clock, seen through this page's. Each probe gives an offset that is wrong by at most
 * half its round trip, so the quickest of the recent ones is believed.
 */

const REMEMBERED = 8; // samples
const STALE = 30_000; // ms after which a sample yields to any newer one: clocks drift apart
const PROBES = 5; // in the first exchange
const PROBE_GAP = 40; // ms between them
const REFRESH = 10_000; // ms between later probes, and only while something happens

export class Clock {
  #samples = []
  #guess = null
  #best = null
  #asked = -Infinity
  #owed = 0

  /** Starts anew, as on every connection: another server has another clock. */
  reset() {
    this.#samples = []
    this.#guess = this.#best = null
    this.#asked = -Infinity
    this.#owed = PROBES
  }

  /** Takes the time of the welcome, better than nothing until the first probe returns. */
  guess(serverSeconds, now) {
    this.#guess = serverSeconds - now / 1000
  }

  /** Takes the answer to a probe; times of this page in ms, of the server in seconds. */
  add(sent, received, serverSeconds) {
    const trip = received - sent
    if (!(trip >= 0) || !Number.isFinite(serverSeconds)) return
    const offset = serverSeconds - (sent + received) / 2000
    this.#samples = this.#samples.filter((s) => received - s.at < STALE).slice(1 - REMEMBERED)
    this.#samples.push({ at: received, trip, offset })
    this.#best = this.#samples.reduce((a, b) => (b.trip <= a.trip ? b : a))
  }

  /**
   * Whether to send a probe now, which is then taken as sent. At rest only the first exchange is
   * finished: a table that nobody touches sends nothing.
   */
  due(now, active) {
    const gap = now - this.#asked
    if (this.#owed === 0 && active && gap > REFRESH) this.#owed = gap > STALE ? 3 : 1
    if (this.#owed === 0 || gap < PROBE_GAP) return false
    this.#owed -= 1
    this.#asked = now
    return true
  }

  /** Whether the exchange is unfinished: then animation frames are needed. */
  get isOwed() { return this.#owed > 0; }

  /** Whether a probe has been answered. */
  get isExchanged() { return this.#best !== null; }

  /** The quickest round trip in ms, or null. */
  get roundTrip() { return this.#best?.trip ?? null; }

  /** Server seconds minus page seconds, or null. */
  get offset() { return this.#best?.offset ?? this.#guess; }

  /** The server's time in seconds at a page time in ms; null before the welcome. */
  serverTime(ms) {
    const offset = this.offset
    return offset === null ? null : offset + ms / 1000
  }
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
