/** Decides whether and when to reconnect after a lost connection. */

const WAITS = [0, 100, 250, 500, 1000, 2000, 5000]; // ms before each attempt
const JITTER = .3; // random share of each wait, so that a thousand pages do not reconnect at once
const VAIN = 4; // failed attempts without a welcome after which the page explains itself
const SLOW = 10_000; // ms after which two failed attempts are enough for that
const STEADY = 5000; // ms after which a connection counts as steady
/** Close codes after which another attempt would fail in the same way. */
const FINAL = new Set([
  1003, 1008, 1009, 4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 4009, 4010, 4011, 4012, 4013, 4015,
])

export const isFinal = (code) => FINAL.has(code)

export class Reconnection {
  #attempt = 0
  #timer = null
  #isWaiting = false
  /** Whether the connection is lost and the page has been neither welcomed again nor stopped. */
  #isLost = false
  #farewell = null
  #welcomed = 0
  /** The number of failed attempts before the first welcome, and when the first of them was; null after it. */
  #vain = { count: 0, since: 0 }
  #open
  #isHidden
  #random
  #clock

  /**
   * @param open makes an attempt
   * @param world isHidden(), random() and now(); by default those of the browser
   */
  constructor(open, {
    isHidden = () => document.visibilityState === 'hidden', random = Math.random, now = () => performance.now(),
  } = {}) {
    this.#open = open
    this.#isHidden = isHidden
    this.#random = random
    this.#clock = now
  }

  /** Stores the seconds after which to reconnect, from the server's announcement that it is stopping. */
  goodbye(seconds) { this.#farewell = seconds * 1000; }

  /** Whether the page has never been welcomed. */
  get isNew() { return this.#vain !== null; }

  /** Whether it has never been welcomed although it has tried for a while. */
  get isInVain() {
    const { count, since } = this.#vain ?? { count: 0 }
    return count >= VAIN || (count > 1 && this.#clock() - since >= SLOW)
  }

  welcomed() {
    this.#vain = null
    this.#welcomed = this.#clock()
    this.#farewell = null
    this.#isLost = false
    this.#rest()
  }

  /** Schedules the next attempt after a lost connection. Returns the ms until then. */
  lost() {
    if (this.#clock() - this.#welcomed > STEADY && this.#welcomed > 0) this.#attempt = 0
    this.#welcomed = 0
    if (this.#vain?.count === 0) this.#vain.since = this.#clock()
    if (this.isNew) this.#vain.count += 1
    this.#rest()
    this.#isWaiting = this.#isLost = true
    const wait = this.#wait()
    if (!this.#isHidden()) this.#timer = setTimeout(() => this.#go(), wait)
    return wait
  }

  /** Makes no more attempts. */
  stop() {
    this.#isLost = false
    this.#rest()
  }

  /**
   * Makes the next attempt at once if the page is visible, unless the server has requested a delay. An attempt in
   * progress is repeated: it may have begun in another network.
   */
  wake() {
    if (!this.#isLost) return
    clearTimeout(this.#timer)
    if (this.#isHidden()) return
    if (this.#farewell !== null) this.#timer = setTimeout(() => this.#go(), this.#wait())
    else this.#go()
  }

  #wait() {
    if (this.#farewell !== null) return this.#farewell
    const wait = WAITS[Math.min(this.#attempt, WAITS.length - 1)]
    return wait * (1 - JITTER + 2 * JITTER * this.#random())
  }

  #go() {
    this.#rest()
    this.#farewell = null
    this.#attempt += 1
    this.#open()
  }

  #rest() {
    clearTimeout(this.#timer)
    this.#isWaiting = false
  }
}
