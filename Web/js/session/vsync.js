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
