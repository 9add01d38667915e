/** The flights of this page's camera, which a fling or a step of zoom starts. */

/** The camera's matrices that wait for their time on the server's clock. */
export class Flights {
  #queue = []
  #at = -Infinity

  get isMoving() { return this.#queue.length > 0; }

  /** Discards the queue, after an immediate matrix or a lost connection. */
  recall() {
    this.#queue = []
    this.#at = -Infinity
  }

  /** Adds matrices that are sent ahead: {time in seconds, matrix}. */
  fly(steps) { this.#queue.push(...steps); }

  /**
   * Removes and returns the matrix that is due at a server time, or the last one if time is null; null if none is
   * due.
   */
  advance(time) {
    let count = 0
    for (const step of this.#queue) {
      const from = this.#at === -Infinity ? step.time : this.#at
      if (time !== null && (from + step.time) / 2 > time) break
      this.#at = step.time
      count += 1
    }
    return count === 0 ? null : this.#queue.splice(0, count)[count - 1].matrix
  }
}
