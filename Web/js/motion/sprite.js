/** What pages, covers and parts of pages show while the stage moves: bitmaps that are drawn once. */

import { make } from '../dom.js'
import { KIND, SIDE } from '../wire.js'
import { DARK, MARGIN, cut, leastShade, paintLeafShadow } from './paint.js'

export const FAINTEST = .006 // lowest opacity of a shade that is drawn
const ROUNDING = 1 / 255 // of an opacity, which browsers that draw in software round down
const ENLARGED = 4 // how many times larger a shadow is than its picture
const INSET = 1.2 // stage points by which the dark is smaller than its bitmap: its edge would be a dark line

/** Gives a node its box in an element, and returns it; lengths in stage points from the element's upper left corner. */
export function laid(node, left, top, width, height) {
  node.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  return node
}

/** Dark boxes, each with its radii, hidden at first. */
export const darkBoxes = (boxes) => boxes.map(([box, radii]) => {
  const node = laid(make('i'), ...box)
  node.style.background = DARK
  node.style.borderRadius = radii
  node.hidden = true
  return node
})

/** A bitmap on a dark ground, which shows through the bitmap in the shade. */
class Fading {
  root = make('div', { class: 'sprite' })
  /** What is added to the transform of the element's matrix. */
  lean = ''
  #bitmap
  #ground
  #alpha

  /**
   * @param box the box of the bitmap: left, top, width, height
   * @param ground the boxes of the dark below it, each with its radii, which may overlap; none for a bitmap that
   *   never fades
   * @param alpha the opacity of the dark in full shade
   */
  constructor(bitmap, box, ground = [], alpha = 0) {
    this.#bitmap = laid(bitmap, ...box)
    this.#alpha = alpha
    this.#ground = darkBoxes(ground)
    this.root.append(...this.#ground, bitmap)
  }

  /** Writes the opacity of the shade. */
  shade(opacity) {
    if (this.#alpha === 0) return
    const isDrawn = opacity > FAINTEST
    for (const node of this.#ground) if (node.hidden === isDrawn) node.hidden = !isDrawn
    this.#bitmap.style.opacity = isDrawn ? Math.min(1, 1 - this.#alpha * opacity + ROUNDING).toFixed(4) : ''
  }
}

/**
 * The boxes of a part of a page, each with its radii: a plain one, and where the page has round corners a narrow round
 * one. A wide box with round corners would be slower.
 */
export function boxesOf({ side, width, height, cornerRadius: r }, from, to, inset) {
  const isRight = side === SIDE.right
  const isOuter = isRight ? to >= width : from <= 0
  const [left, right] = [Math.max(from, 0), Math.min(to, width)]
  const high = height - 2 * inset
  if (!isOuter) return [[[left, inset, right - left, high], '0']]
  const plain = isRight ? [left, right - r] : [left + r, right]
  const round = Math.max(0, r - inset)
  return [
    [[plain[0], inset, plain[1] - plain[0], high], '0'],
    [[isRight ? right - r : inset, inset, r - inset, high],
      isRight ? `0 ${round}px ${round}px 0` : `${round}px 0 0 ${round}px`],
  ]
}

const pageBox = ({ width, height }) => [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN]

/** The sprite of a whole page, from its bitmap. */
export const pageSprite = (content, bitmap) =>
  new Fading(bitmap, pageBox(content), boxesOf(content, 0, content.width, INSET), leastShade(content.side))

/** The sprite of a cover: its face, and below it what fades when it opens. */
export class CoverSprite {
  root = make('div', { class: 'sprite' })
  #below
  #face

  constructor(content, { face, body, cast, around }) {
    const { width, height, kind } = content
    const isPage = kind === KIND.page
    this.#face = new Fading(face, pageBox(content), isPage ? boxesOf(content, 0, width, INSET) : [], isPage ? .47 : 0)
    laid(cast, -around, -around, width + 2 * around, height + 2 * around)
    laid(body, ...pageBox(content))
    this.#below = make('div', { class: 'below' }, cast, body)
    this.root.append(this.#below, ...this.#face.root.children)
  }

  shade(opacity) { this.#face.shade(opacity); }

  /** Writes the opacity of what is below the cover. */
  lift(opacity) {
    for (const { style } of this.#below.children) style.opacity = opacity
    this.#below.hidden = opacity <= 0
  }
}

/** A sprite that shows nothing. */
export const emptySprite = () => ({ root: make('div', { class: 'sprite' }), shade() {}, veil() {} })

/** The sprite of the outer edge of a page, from the fraction of its width. */
export function edgeSprite(content, fraction, page) {
  const { width, height, side } = content
  const [from, to] = side === SIDE.right ? [width * (1 - fraction), width + MARGIN] : [-MARGIN, width * fraction]
  return new Fading(cut(content, page, from, to), [from, -MARGIN, to - from, height + 2 * MARGIN])
}

const shadows = new Map()

/** The sprite of a leaf's shadow on a page. */
export function shadowSprite({ side, width, height }) {
  if (!shadows.has(side)) shadows.set(side, paintLeafShadow(side))
  const source = shadows.get(side)
  const copy = source.cloneNode()
  copy.getContext('2d').drawImage(source, 0, 0)
  const left = side === SIDE.right ? 0 : width - width / ENLARGED
  const sprite = new Fading(copy, [left, (height - height / ENLARGED) / 2, width / ENLARGED, height / ENLARGED])
  sprite.lean = ` scale(${ENLARGED})`
  return sprite
}
