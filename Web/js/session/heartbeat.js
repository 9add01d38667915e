/**
 * When to probe the server's clock: often at first, then seldom; and by the same probes whether the
 * line is alive.
 */

const BURST = 8; // probes
const BURST_GAP = 60; // ms between them
const EARLY = 20_000; // ms after the burst
const EARLY_GAP = 2000; // ms between probes until then
const GAP = 4000; // ms between them later, for as long as the page is seen
const SILENCE = 8000; // ms without an answer after which the connection is dead
const SLEPT = 1000; // ms by which a timer is late when the machine has slept

export class Heartbeat {
  #owed = 0
  #began = 0
  #next = Infinity
  #asked = null
  #probe
  #onDead
  #onWake

  /**
   * @param probe sends one
   * @param onDead called when nothing has come for too long
   * @param onWake called when the machine seems to have slept
   */
  constructor(probe, onDead, onWake = () => {}) {
    this.#probe = probe
    this.#onDead = onDead
    this.#onWake = onWake
  }

  /** When the next probe is due; never while there is no connection. */
  get next() { return this.#next; }

  /** Starts again: a connection was made, or the page is visible again. */
  burst(now) {
    this.#owed = BURST
    this.#began = this.#next = now
    this.#asked = null
  }

  /** There is no connection, or nobody looks. */
  stop() {
    this.#next = Infinity
    this.#asked = null
  }

  /** A message has arrived: the connection is alive. */
  heard() { this.#asked = null; }

  /** Does what is due; how many ms until it is to be called again. */
  tick(now) {
    if (now < this.#next) return this.#next - now
    if (now - this.#next > SLEPT) {
      this.burst(now)
      this.#onWake()
    }
    if (this.#asked !== null && now - this.#asked >= SILENCE) {
      this.stop()
      this.#onDead()
      return this.#next - now
    }
    this.#asked ??= now
    this.#probe()
    this.#owed -= 1
    this.#next = now + (this.#owed > 0 ? BURST_GAP : now - this.#began < EARLY ? EARLY_GAP : GAP)
    return this.#next - now
  }
}
