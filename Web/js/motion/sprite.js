/** What pages, covers and parts of pages show while the stage moves: bitmaps that are drawn once. */

import { make } from '../dom.js'
import { KIND, SIDE } from '../wire.js'
import { EDGE, LAP, MARGIN, STRIPS, cut, lightEdge, paintLeafShadow } from './paint.js'

const FAINTEST = .004 // lowest opacity of a shade that is drawn

/** Places a bitmap in an element; lengths in stage points from the element's upper left corner. */
export function place(node, left, top, width, height) {
  node.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`
  return node
}

/** Two bitmaps on each other: the lower one in full shade, the upper one without. */
class Shaded {
  root = make('div', { class: 'sprite' })
  #plain
  #shaded

  constructor(plain, shaded, box) {
    this.#plain = place(plain, ...box)
    this.#shaded = shaded === null ? null : place(shaded, ...box)
    if (shaded !== null) {
      shaded.hidden = true
      this.root.append(shaded)
    }
    this.root.append(plain)
  }

  /** Writes the opacity of the shade. */
  shade(opacity) {
    if (this.#shaded === null) return
    const isDrawn = opacity > FAINTEST
    if (this.#shaded.hidden === isDrawn) this.#shaded.hidden = !isDrawn
    this.#plain.style.opacity = isDrawn ? (1 - opacity).toFixed(4) : ''
  }
}

const pageBox = ({ width, height }) => [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN]

/** The sprite of a whole page, from its bitmaps. */
export const pageSprite = (content, { plain, shaded }) => new Shaded(plain, shaded, pageBox(content))

/** The sprite of a cover: its face, and below it what fades when it opens. */
export class CoverSprite {
  root = make('div', { class: 'sprite' })
  #below
  #face

  constructor(content, { face, shaded, body, cast, around }) {
    const { width, height } = content
    this.#face = new Shaded(face, shaded, pageBox(content))
    place(cast, -around, -around, width + 2 * around, height + 2 * around)
    place(body, ...pageBox(content))
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

/** The range of a strip, from the left edge of its page; the outer one includes the margin. */
export function rangeOf(index, { side, width }) {
  const each = width / STRIPS
  const inner = index === 0 ? 0 : index * each - LAP
  const outer = index === STRIPS - 1 ? width + MARGIN : (index + 1) * each + LAP
  return side === SIDE.right ? [inner, outer] : [width - outer, width - inner]
}

/** The sprite of a strip of a bent leaf, from the bitmaps of its page. */
export function stripSprite(content, index, { plain, shaded }) {
  const [from, to] = rangeOf(index, content)
  const bitmaps = [plain, shaded].map((page) => page && cut(content, page, from, to))
  if (index === STRIPS - 1) for (const bitmap of bitmaps) if (bitmap) lightEdge(content, bitmap)
  return new Shaded(...bitmaps, [from, -MARGIN, to - from, content.height + 2 * MARGIN])
}

/** The sprite of the outer edge of a page. */
export function edgeSprite(content, { plain }) {
  const { width, height, side } = content
  const [from, to] = side === SIDE.right ? [width * (1 - EDGE), width + MARGIN] : [-MARGIN, width * EDGE]
  return new Shaded(cut(content, plain, from, to), null, [from, -MARGIN, to - from, height + 2 * MARGIN])
}

const shadows = new Map()

/** The sprite of a leaf's shadow on a page. */
export function shadowSprite({ side, width, height, kind }) {
  const key = kind === KIND.board ? SIDE.right : side
  if (!shadows.has(key)) shadows.set(key, paintLeafShadow(key))
  const source = shadows.get(key)
  const copy = source.cloneNode()
  copy.getContext('2d').drawImage(source, 0, 0)
  return new Shaded(copy, null, [0, 0, width, height])
}
