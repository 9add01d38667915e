/** The flights of this page's camera, as a fling or a step of zoom sets off. */

/** Matrices that wait for their time, in the clock of flown frames. */
export class Flights {
  #queue = []
  #at = -Infinity

  get isMoving() { return this.#queue.length > 0; }

  /** Forgets what waits: a matrix for now has come, or the connection was lost. */
  recall() {
    this.#queue = []
    this.#at = -Infinity
  }

  /** Matrices sent ahead: {time in seconds, matrix}. */
  fly(steps) { this.#queue.push(...steps); }

  /** The matrix nearest to a server time, once; null when none is due. Without a time the last. */
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
