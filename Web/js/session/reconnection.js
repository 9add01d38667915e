/** Coming back after the connection was lost: when, and when not at all. */

const WAITS = [0, 100, 250, 500, 1000, 2000, 5000]; // ms before each new attempt
const JITTER = .3; // of each wait, more or less: a thousand pages do not come at once
const STEADY = 5000; // ms after which a connection counts as one that held
/** Close codes after which another attempt would end the same way. */
const FINAL = new Set([
  1003, 1008, 1009, 4000, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 4009, 4010, 4011, 4012, 4013,
])

export const isFinal = (code) => FINAL.has(code)

export class Reconnection {
  #attempt = 0
  #timer = null
  #isWaiting = false
  /** Lost, and neither welcomed again nor given up. */
  #isLost = false
  #farewell = null
  #welcomed = 0
  #open
  #isHidden
  #random
  #clock

  /**
   * @param open makes the next attempt
   * @param world for tests: isHidden(), random() and now()
   */
  constructor(open, {
    isHidden = () => document.visibilityState === 'hidden', random = Math.random, now = () => performance.now(),
  } = {}) {
    this.#open = open
    this.#isHidden = isHidden
    this.#random = random
    this.#clock = now
  }

  /** The server will go, and wants to be asked again after so many seconds. */
  goodbye(seconds) { this.#farewell = seconds * 1000; }

  welcomed() {
    this.#welcomed = this.#clock()
    this.#farewell = null
    this.#isLost = false
    this.#rest()
  }

  /** The connection was lost: the next attempt comes by itself; how long until then, in ms. */
  lost() {
    if (this.#clock() - this.#welcomed > STEADY && this.#welcomed > 0) this.#attempt = 0
    this.#welcomed = 0
    this.#rest()
    this.#isWaiting = this.#isLost = true
    const wait = this.#wait()
    if (!this.#isHidden()) this.#timer = setTimeout(() => this.#go(), wait)
    return wait
  }

  /** It is over. */
  stop() {
    this.#isLost = false
    this.#rest()
  }

  /** The page is seen again, the network is back: no reason to wait, unless it was asked for. */
  wake() {
    if (!this.#isWaiting) return
    clearTimeout(this.#timer)
    if (this.#isHidden()) return
    if (this.#farewell !== null) this.#timer = setTimeout(() => this.#go(), this.#wait())
    else this.#go()
  }

  /** The network is back: an earlier attempt failed, and is repeated. */
  hurry() {
    if (this.#isLost && !this.#isWaiting && !this.#isHidden()) this.#go()
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
