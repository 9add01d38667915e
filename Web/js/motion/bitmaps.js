/** Keeps the bitmaps of pages, and of leaves that turn. */

import { app, session } from '../app.js'
import { STOCK } from '../session/wire.js'
import { KIND } from '../wire.js'
import { shadeOpacity } from '../element.js'
import { colour, radiiOf, paintBody, paintCast, paintCover, paintGrain, paintPage, printThrough } from './paint.js'

const SPARE = 1.15 // pixels of a bitmap for each pixel of the screen at rest: a leaf comes closer to the eye
const TALLEST = 1100 // px of a bitmap
const ZOOMED = 1.5 // zoom up to which bitmaps grow: leaves seldom turn while the page is zoomed
const MOST = 12 // pages whose bitmaps are kept
const THROUGH = { [STOCK.paper]: .07, [STOCK.card]: .03 } // strength of the print of the other side
export const REST_SHADE = .5 // strength of the shade of an open leaf that stands at rest
const AROUND = 130 // stage points around a closed book that its shadow needs
const CAST = [[40, 60, 90, '#0e121647'], [16, 22, 34, '#0e121680'], [3, 4, 6, '#0a0d108c']]

export class Bitmaps {
  /** Id -> {...look, plain, leaf}, the most recently used last. */
  #pages = new Map()
  /** The factor of the bitmaps' size, which the quality sets. */
  fineness = 1

  /** Pixels of a bitmap for a stage point. */
  scale({ height }) {
    const seen = Math.min(app.stage.matrix[0], ZOOMED * (session.framing?.scale ?? 1)) * devicePixelRatio
    return Math.min(SPARE * this.fineness * seen, TALLEST / height)
  }

  /** The bitmap of a page. */
  page(content) { return this.#of(content, false).plain; }

  /** The bitmap of a page of a leaf that turns: it has no shade, and the print of the other side shows through. */
  leaf(content) { return this.#of(content, true).leaf; }

  #of(content, isTurning) {
    const look = this.look(content)
    let kept = this.#pages.get(content.id)
    if (kept === undefined || Object.keys(look).some((name) => kept[name] !== look[name])) {
      kept = { ...look, plain: this.#paintPage(content, look), leaf: null }
    }
    this.#pages.delete(content.id)
    this.#pages.set(content.id, kept)
    if (isTurning && kept.leaf === null) kept.leaf = this.#paintLeaf(content, look)
    for (const id of this.#pages.keys()) {
      if (this.#pages.size <= MOST) break
      this.#pages.delete(id)
    }
    return kept
  }

  /** What the bitmap of a page or cover depends on, as paintPage describes it. */
  look(content) {
    const { tone } = session
    const element = app.stage.element(content.id)
    const image = element?.isPrinted ? element.image : null
    const { isDue, isOdd } = element ?? {}
    return { image, isDue, isOdd, scale: this.scale(content), shade: this.shade(content), tone }
  }

  /** The opacity of a page's shade when it is the upper one of its side at rest. */
  shade({ side }) { return session.caption.isFlat ? 0 : shadeOpacity(side, REST_SHADE); }

  #paintPage(content, look) { return paintPage(content, { ...look, paper: colour('--paper') }); }

  #paintLeaf(content, look) {
    const leaf = this.#paintPage(content, { ...look, shade: 0 })
    paintGrain(content, leaf)
    const other = app.stage.element(content.id + (content.index % 2 === 0 ? 1 : -1))
    if (other?.isPrinted) printThrough(content, leaf, this.page(other.content), THROUGH[content.stock])
    return leaf
  }

  /** The bitmaps of a cover. */
  cover(element) {
    const { content } = element
    const scale = this.scale(content) * (content.kind === KIND.cover ? .75 : 1)
    const board = element.style.getPropertyValue('--board') || colour('--board')
    const look = { ...this.look(content), scale, board, fore: colour('--fore'), line: colour('--line') }
    return {
      face: paintCover(content, look),
      body: paintBody(content, look),
      cast: paintCast(content.width, content.height, radiiOf(content), CAST, AROUND),
      around: AROUND,
    }
  }
}
