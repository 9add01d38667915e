/** What pages, covers and parts of pages show while the stage moves: bitmaps that are drawn once. */

import { session } from '../app.js'
import { make } from '../dom.js'
import { KIND, SIDE } from '../wire.js'
import { DARK, MARGIN, cut, leastShade, paintLeafShadow } from './paint.js'

export const FAINTEST = .006 // lowest opacity of a shade that is drawn
const ROUNDING = 1 / 255 // of an opacity, which browsers that draw in software round down
const ENLARGED = 4 // how many times larger a shadow is than its picture
const RIM_REACH = 1.35 // lengths of a shadow with its soft rim
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

  /** What is added to the transform of the element's matrix. */
  get lean() { return ''; }

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
export const emptySprite = () => ({ root: make('div', { class: 'sprite' }), lean: '', shade() {}, veil() {} })

/** The sprite of the outer edge of a page, from the fraction of its width. */
export function edgeSprite(content, fraction, page) {
  const { width, height, side } = content
  const [from, to] = side === SIDE.right ? [width * (1 - fraction), width + MARGIN] : [-MARGIN, width * fraction]
  return new Fading(cut(content, page, from, to), [from, -MARGIN, to - from, height + 2 * MARGIN])
}

/**
 * How far a leaf's shadow reaches in a flat book on the side of the light, in the lengths that its matrix has. The
 * server computes where it ends on the page; the leaf covers all of that, since it is nearer to the eye. A soft rim
 * follows, as far as the page goes.
 */
export function reachOf(m, height) {
  // A page keeps its shape, so what its matrix shortens across the page is the length of the shadow.
  const length = Math.hypot(m[0], m[2]) / m[5] / (1 - Math.abs(m[7]) * height / 2)
  return Math.min(RIM_REACH, Math.max(1, 1 / length))
}

const shadows = new Map()

/** The shadow of a leaf on a page, which the page's own matrix stretches. */
class Shadow extends Fading {
  #matrix
  #content

  constructor(content, matrix) {
    const { side, width, height } = content
    const hasRim = session.caption.isFlat && (side === SIDE.left) !== session.isReversed
    const key = side + 4 * hasRim
    if (!shadows.has(key)) shadows.set(key, paintLeafShadow(side, hasRim))
    const copy = shadows.get(key).cloneNode()
    copy.getContext('2d').drawImage(shadows.get(key), 0, 0)
    const left = side === SIDE.right ? 0 : width - width / ENLARGED
    super(copy, [left, (height - height / ENLARGED) / 2, width / ENLARGED, height / ENLARGED])
    this.#matrix = hasRim ? matrix : null
    this.#content = content
  }

  get lean() {
    const reach = this.#matrix === null ? 1 : reachOf(this.#matrix, this.#content.height)
    return ` scale(${ENLARGED * reach},${ENLARGED})`
  }
}

/** The sprite of a leaf's shadow on a page; the matrix is the one that the element has at each time. */
export const shadowSprite = (content, matrix) => new Shadow(content, matrix)
