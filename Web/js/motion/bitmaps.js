/** Keeps the bitmaps of pages, and of leaves that turn. */

import { STOCK } from '../session/wire.js'
import { KIND, SIDE } from '../wire.js'
import { shadeOpacity } from '../element.js'
import { colour, paintBody, paintCast, paintCover, paintPage, printThrough } from './paint.js'

const SPARE = 1.15 // pixels of a bitmap for each pixel of the screen at rest: a leaf comes closer to the eye
const TALLEST = 1100 // px of a bitmap
const ZOOMED = 1.5 // zoom up to which bitmaps grow: leaves seldom turn while the page is zoomed
const STAGE = { width: 1024, height: 768 }
const MOST = 12 // pages whose bitmaps are kept
const REST_SHADE = .5 // strength of the shade of an open leaf that stands at rest
const AROUND = 130 // stage points around a closed book that its shadow needs
const CAST = [[40, 60, 90, '#0e121647'], [16, 22, 34, '#0e121680'], [3, 4, 6, '#0a0d108c']]

export class Bitmaps {
  #context
  /** Id -> {image, scale, shade, plain, leaf}, the most recently used last. */
  #pages = new Map()
  /** The factor of the bitmaps' size, which the quality sets. */
  fineness = 1

  constructor(context) { this.#context = context; }

  /** Pixels of a bitmap for a stage point. */
  scale({ height }) {
    const whole = Math.min(innerWidth / STAGE.width, innerHeight / STAGE.height)
    const seen = Math.min(this.#context.view.stage.matrix[0], ZOOMED * whole) * devicePixelRatio
    return Math.min(SPARE * this.fineness * seen, TALLEST / height)
  }

  /** The bitmap of a page. */
  page(content) { return this.#of(content, false).plain; }

  /** The bitmap of a page of a leaf that turns: it has no shade, and the print of the other side shows through. */
  leaf(content) { return this.#of(content, true).leaf; }

  #of(content, isTurning) {
    const element = this.#context.view.stage.element(content.id)
    const image = element?.isPrinted ? element.image : null
    const look = { scale: this.scale(content), shade: this.shade(content), isOdd: element?.isOdd ?? false }
    let kept = this.#pages.get(content.id)
    if (kept === undefined || kept.image !== image || kept.scale !== look.scale || kept.shade !== look.shade) {
      kept = { image, ...look, plain: this.#paintPage(content, image, look), leaf: null }
    }
    this.#pages.delete(content.id)
    this.#pages.set(content.id, kept)
    if (isTurning && kept.leaf === null) kept.leaf = this.#paintLeaf(content, image, look)
    for (const id of this.#pages.keys()) {
      if (this.#pages.size <= MOST) break
      this.#pages.delete(id)
    }
    return kept
  }

  /** The pixels of a stage point, and the opacity of the shade at rest. */
  look(content) { return { scale: this.scale(content), shade: this.shade(content) }; }

  /** The opacity of a page's shade when it is the upper one of its side at rest. */
  shade({ side }) { return document.body.dataset.pose === 'flat' ? 0 : shadeOpacity(side, REST_SHADE); }

  #paintPage(content, image, look) { return paintPage(content, image, { ...look, paper: colour('--paper') }); }

  #paintLeaf(content, image, look) {
    const leaf = this.#paintPage(content, image, { ...look, shade: 0 })
    if (content.stock !== STOCK.paper) return leaf
    const other = this.#context.view.stage.element(content.side === SIDE.right ? content.id + 1 : content.id - 1)
    if (other?.isPrinted) printThrough(content, leaf, this.page(other.content))
    return leaf
  }

  /** The bitmaps of a cover. */
  cover(element) {
    const { content, image } = element
    const scale = this.scale(content) * (content.kind === KIND.cover ? .75 : 1)
    const board = element.style.getPropertyValue('--board') || colour('--board')
    const look = { scale, board, fore: colour('--fore'), line: colour('--line'), isOdd: element.isOdd }
    const face = paintCover(content, element.isPrinted ? image : null, look)
    const r = content.cornerRadius
    return {
      face,
      body: paintBody(content, look),
      cast: paintCast(content.width, content.height, [r / 5, r, r, r / 5], CAST, AROUND),
      around: AROUND,
    }
  }
}
