/**
 * The bitmaps of strips between slanted rulings. A bitmap is sheared until it stands upright, so that it is little
 * larger than its strip; the transform of the element leans it.
 */

import { STRIPS } from '../session/wire.js'
import { SIDE } from '../wire.js'
import { DARK, LAP, MARGIN, canvasOf, lapsOf, outline } from './paint.js'
import { spreadAt } from './rulings.js'

const WHOLE = 2 * Math.PI

export class Wedge {
  #content
  #apex
  /** The inner ruling and the outer one. */
  #rulings
  /** The strip's corners in stage points from the upper left corner of the page. */
  #corners
  /** How far the strip leans to the right for each stage point downwards. */
  #lean
  /** Its left edge and its width, when it is sheared. */
  #left
  #width

  /**
   * @param content the page
   * @param index the strip
   * @param apex where the rulings meet, in page heights below the middle of the spine
   */
  constructor(content, index, apex) {
    const { side, width, height } = content
    this.#content = content
    this.#apex = apex
    this.#rulings = [index, index + 1]
    const isLast = index + 1 === STRIPS
    const at = (ruling, y) => ruling * width / STRIPS / spreadAt(apex, y / height - .5)
    const right = side === SIDE.right
    const x = (distance) => (right ? distance : width - distance)
    // Beside the page there are no laps, since the leaf's small shadow would be drawn twice.
    const rows = [[-MARGIN, 0], [0, 0], [0, LAP], [height, LAP], [height, 0], [height + MARGIN, 0]]
    const inner = rows.map(([y, lap]) => [x(index === 0 ? 0 : at(index, y) - lap), y])
    const outer = rows.map(([y, lap]) => [x(isLast ? width + MARGIN : at(index + 1, y) + lap), y])
    this.#corners = [...outer, ...inner.toReversed()]
    const slope = (inner[5][0] - inner[0][0] + outer[5][0] - outer[0][0]) / 2 / (height + 2 * MARGIN)
    this.#lean = isLast ? 0 : slope
    const upright = this.#corners.map(([left, y]) => left - this.#lean * (y - height / 2))
    this.#left = Math.min(...upright)
    this.#width = Math.max(...upright) - this.#left
  }

  /** The transform that makes the bitmaps lean as the strip does. */
  get lean() { return this.#lean === 0 ? '' : ` matrix(1,0,${this.#lean.toFixed(7)},1,0,0)`; }

  /** The strip's bitmap, from the bitmap of its page. */
  cut(page) {
    const { width, height } = this.#content
    const scale = page.width / (width + 2 * MARGIN)
    return this.#drawn(scale, (context) => {
      context.imageSmoothingQuality = 'high'
      context.drawImage(page, -MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN)
    })
  }

  /** An even veil over the strip. */
  even() { return this.#veil(() => DARK); }

  /** A veil that becomes darker from one ruling to the other. */
  rising(isOuterDark) {
    return this.#veil((context) => {
      const { side, width, height } = this.#content
      const way = side === SIDE.right ? 1 : -1
      const [x, y] = [way > 0 ? 0 : width, (this.#apex + .5) * height]
      const far = (this.#apex > 0 ? 0 : height) - y
      // The laps are as wide at the far edge as in the middle of a strip between parallel rulings.
      const laps = lapsOf(this.#rulings[0])
      const angles = this.#rulings.map((ruling, n) =>
        Math.atan2(far, way * (ruling * width / STRIPS + (n === 0 ? -laps[0] : laps[1]))))
      const [first, last] = [Math.min(...angles), Math.max(...angles)]
      const share = (last - first) / WHOLE
      const isLastDark = isOuterDark === (angles[1] > angles[0])
      const colours = [`${DARK}00`, DARK]
      const [start, end] = isLastDark ? colours : colours.toReversed()
      const gradient = context.createConicGradient(first, x, y)
      // Beyond the rulings the veil stays as it is at them.
      const half = (1 + share) / 2
      for (const [place, colour] of [[0, start], [share, end], [half, end], [half, start], [1, start]]) {
        gradient.addColorStop(place, colour)
      }
      return gradient
    })
  }

  #veil(style) {
    return this.#drawn(1, (context) => {
      context.fillStyle = style(context)
      context.fill(outline(this.#content, false))
    })
  }

  #drawn(scale, paint) {
    const { height } = this.#content
    const [wide, high] = [this.#width, height + 2 * MARGIN]
    const canvas = canvasOf(wide * scale, high * scale)
    const context = canvas.getContext('2d')
    context.save()
    context.scale(canvas.width / wide, canvas.height / high)
    context.transform(1, 0, -this.#lean, 1, this.#lean * height / 2 - this.#left, MARGIN)
    context.beginPath()
    for (const corner of this.#corners) context.lineTo(...corner)
    context.clip()
    paint(context)
    context.restore()
    canvas.style.cssText = `left:${this.#left}px;top:${-MARGIN}px;width:${wide}px;height:${high}px`
    return canvas
  }
}
