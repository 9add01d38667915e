/** How finely the stage is drawn in motion: less finely where the browser misses frames. */

const WINDOW = 40; // frames after which the missed ones are counted
const START = 8; // frames at the start of a motion that do not count: bitmaps may be drawn in them
const BAD = .1; // share of missed frames above which the quality falls
const GOOD = .02; // share below which it rises again at rest
const LONGEST = 250; // ms; after a longer gap the page was not shown

/**
 * The steps, from the best one down. A bent leaf has all its strips at each step: fewer have visible corners, and save
 * next to nothing.
 */
export const QUALITIES = [
  { fineness: 1, hasShadows: true },
  { fineness: .75, hasShadows: true },
  { fineness: .6, hasShadows: false },
]

export class Quality {
  #level = 0
  #last = null
  #left = START
  #shown = 0
  #missed = 0

  /** The present step. */
  get now() { return QUALITIES[this.#level]; }

  /**
   * Counts an animation frame of a motion.
   * @param {number} time its time in ms
   * @param {number} period ms between two frames of the screen
   */
  tick(time, period) {
    const gap = this.#last === null ? 0 : time - this.#last
    this.#last = time
    if (!(gap > 0) || gap > LONGEST || !(period > 0)) return
    if (this.#left > 0) {
      this.#left -= 1
      return
    }
    this.#shown += 1
    this.#missed += Math.max(0, Math.round(gap / period) - 1)
    if (this.#shown + this.#missed < WINDOW) return
    if (this.#share > BAD) this.#level = Math.min(this.#level + 1, QUALITIES.length - 1)
    if (this.#share > GOOD) this.#forget()
  }

  get #share() { return this.#missed / Math.max(1, this.#shown + this.#missed); }

  #forget() {
    this.#shown = 0
    this.#missed = 0
  }

  /** Ends a motion; after a motion without misses, the quality rises by a step. */
  rest() {
    if (this.#shown >= WINDOW / 2 && this.#share <= GOOD) this.#level = Math.max(0, this.#level - 1)
    this.#forget()
    this.#last = null
    this.#left = START
  }
}
