/**
 * Decides when to probe the server's clock: often at first and while something moves, rarely at rest and in a large
 * room. The same probes show whether the connection is alive.
 */

const BURST = 8; // probes after a connection
const AGAIN = 4; // probes after a pause, in a room that is not large
const BURST_GAP = 60; // ms between the probes of a burst
const EARLY = 20_000; // ms after a burst of eight
const EARLY_GAP = 2000; // ms between probes until EARLY
const GAP = 4000; // ms between probes later, while something moves
const REST_GAP = 15_000; // ms between probes at rest
const LONGEST_GAP = 20_000; // ms between probes in the largest room
const LIVELY = 10_000; // ms after a motion or an action until the page counts as at rest
const SILENCE = 8000; // ms without an answer after which the connection counts as dead
const DOUBT = 1000; // ms without an answer after a pause, in which the network may have changed
const SLEPT = 1000; // ms by which a timer is late if the machine has slept
/** ms for each member: together, the members of a room send at most 1000 probes a second in bursts, and then 62. */
const BURST_SHARE = 1
const SHARE = 16

export class Heartbeat {
  /** The shortest recent round trip in ms; null before it is measured. */
  roundTrip = null

  /** The probes that are left of a burst, and the time of the next one. */
  #owed = 0
  #burst = 0
  #early = -Infinity
  /** Whether there is a connection and the page is visible. */
  #isOn = false
  #sent = 0
  #heard = 0
  #stirred = -Infinity
  #asked = null
  /** ms without an answer after which the connection counts as dead. */
  #patience = SILENCE
  /** The time for which the last tick asked. */
  #planned = 0
  #probe
  #onDead
  #onWake
  #members
  #random

  /**
   * @param probe sends a probe
   * @param onDead called when nothing has arrived for too long
   * @param onWake called when the machine seems to have slept
   * @param members returns the number of members of the room that the page knows of
   * @param random returns a random number from 0 to 1
   */
  constructor(probe, onDead, onWake = () => {}, members = () => 1, random = Math.random) {
    this.#probe = probe
    this.#onDead = onDead
    this.#onWake = onWake
    this.#members = members
    this.#random = random
  }

  /**
   * Starts a burst of probes when the page is visible again, the machine has slept or the browser reports that it is
   * offline: a dead connection may look alive for minutes.
   */
  doubt(now) {
    this.burst(now)
    this.#patience = Math.max(DOUBT, 3 * this.roundTrip)
  }

  /** Starts a burst of probes, after a connection. */
  burst(now) {
    this.#isOn = true
    this.#patience = SILENCE
    this.#owed = BURST
    this.#burst = this.#heard = this.#planned = now
    this.#early = now + EARLY
    this.#asked = null
  }

  /** Stops the probes, without a connection or while the page is hidden. */
  stop() {
    this.#isOn = false
    this.#asked = null
  }

  /** Called for each message, which shows that the connection is alive. */
  heard(now) {
    this.#asked = null
    this.#patience = SILENCE
    this.#heard = now
  }

  /**
   * Called while something moves and when the reader acts. After a pause it starts a short burst. In a large room that
   * is one probe at a random moment, because the room begins to move for all members at the same time.
   * @returns {boolean} whether tick() must be called, since a probe may be due earlier
   */
  stir(now) {
    const isAwake = this.#isLively(now)
    this.#stirred = now
    if (isAwake || !this.#isOn) return false
    if (this.#owed <= 0 && now - this.#sent >= this.#gap(now)) {
      this.#owed = this.#members() * BURST_SHARE > BURST_GAP ? 1 : AGAIN
      this.#burst = now + this.#random() * this.#members() * BURST_SHARE
    }
    return true
  }

  /** Sends a probe if one is due, and detects sleep and silence. Returns the ms until the next call. */
  tick(now) {
    if (!this.#isOn) return Infinity
    if (now - this.#planned > SLEPT) {
      this.doubt(now)
      this.#onWake()
    }
    if (this.#asked !== null && now - this.#asked >= this.#patience) {
      this.stop()
      this.#onDead()
      // A new connection has begun, or none has.
      return this.#isOn ? this.#wait(now) : Infinity
    }
    if (now >= this.#due(now)) this.#send(now)
    return this.#wait(now)
  }

  #send(now) {
    this.#asked ??= now
    this.#sent = now
    this.#owed -= 1
    this.#burst = now + Math.max(BURST_GAP, this.#members() * BURST_SHARE)
    this.#probe()
  }

  #wait(now) {
    const silent = this.#asked === null ? Infinity : this.#asked + this.#patience
    this.#planned = Math.min(this.#due(now), silent)
    return Math.max(0, this.#planned - now)
  }

  /** The time of the next probe. */
  #due(now) {
    if (this.#owed > 0) return this.#burst
    const due = this.#sent + this.#gap(now)
    // While something should move, silence means that the connection may be dead.
    return this.#isLively(now) && this.#asked === null ? Math.min(due, Math.max(this.#heard, this.#sent) + GAP) : due
  }

  #isLively(now) { return now - this.#stirred < LIVELY; }

  /** The time between two probes. */
  #gap(now) {
    const usual = now < this.#early ? EARLY_GAP : this.#isLively(now) ? GAP : REST_GAP
    return Math.max(usual, Math.min(this.#members() * SHARE, LONGEST_GAP))
  }
}
