/**
 * Decides when to probe the server's clock: often at first and rarely later. The same probes show whether the
 * connection is alive.
 */

const BURST = 8; // probes
const BURST_GAP = 60; // ms between the probes of a burst
const EARLY = 20_000; // ms after the burst
const EARLY_GAP = 2000; // ms between probes until EARLY
const GAP = 4000; // ms between probes later, while the page is visible
const SILENCE = 8000; // ms without an answer after which the connection counts as dead
const SLEPT = 1000; // ms by which a timer is late if the machine has slept

export class Heartbeat {
  #owed = 0
  #began = 0
  #next = Infinity
  #asked = null
  #probe
  #onDead
  #onWake

  /**
   * @param probe sends a probe
   * @param onDead called when nothing has arrived for too long
   * @param onWake called when the machine seems to have slept
   */
  constructor(probe, onDead, onWake = () => {}) {
    this.#probe = probe
    this.#onDead = onDead
    this.#onWake = onWake
  }

  /** The time of the next probe in ms; Infinity without a connection. */
  get next() { return this.#next; }

  /** Starts a burst of probes, after a connection or when the page is visible again. */
  burst(now) {
    this.#owed = BURST
    this.#began = this.#next = now
    this.#asked = null
  }

  /** Stops the probes, without a connection or while the page is hidden. */
  stop() {
    this.#next = Infinity
    this.#asked = null
  }

  /** Called for each message, which shows that the connection is alive. */
  heard() { this.#asked = null; }

  /** Sends a probe if one is due, and detects sleep and silence. Returns the ms until the next call. */
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
