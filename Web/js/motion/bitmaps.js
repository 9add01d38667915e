/** Keeps the bitmaps of pages: for each page, one without shade and one in full shade. */

import { KIND } from '../wire.js'
import { paintBody, paintCast, paintCover, paintPage, paintShaded } from './paint.js'

const SPARE = 1.15 // pixels of a bitmap for each pixel of the screen at rest: a leaf comes closer to the eye
const TALLEST = 1800 // px of a bitmap
const MOST = 14 // pages whose bitmaps are kept
const AROUND = 130 // stage points around a closed book that its shadow needs
const CAST = [[40, 60, 90, '#0e121647'], [16, 22, 34, '#0e121680'], [3, 4, 6, '#0a0d108c']]

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

export class Bitmaps {
  #context
  /** Id -> {image, scale, plain, shaded}, the most recently used last. */
  #pages = new Map()
  /** The factor of the bitmaps' size, which the quality sets. */
  fineness = 1

  constructor(context) { this.#context = context; }

  /** Pixels of a bitmap for a stage point. */
  scale({ height }) {
    const seen = this.#context.view.stage.matrix[0] * devicePixelRatio
    return Math.min(SPARE * this.fineness * seen, TALLEST / height)
  }

  /** The number of bitmaps that are kept, and their bytes. */
  get cost() {
    const all = [...this.#pages.values()].flatMap(({ plain, shaded }) => [plain, shaded]).filter(Boolean)
    return { count: all.length, bytes: all.reduce((sum, { width, height }) => sum + 4 * width * height, 0) }
  }

  /** Whether the bitmap of a page is up to date. */
  has(element) {
    const kept = this.#pages.get(element.content.id)
    return kept !== undefined && kept.image === element.image && kept.scale === this.scale(element.content)
  }

  /** The bitmaps of a page: {plain, shaded}. */
  of(content, isTurning = false) {
    const element = this.#context.view.stage.element(content.id)
    const image = element?.isPrinted ? element.image : null
    const scale = this.scale(content)
    let kept = this.#pages.get(content.id)
    if (kept === undefined || kept.image !== image || kept.scale !== scale) {
      const isOdd = element?.isOdd ?? false
      const plain = paintPage(content, image, { scale, paper: colour('--paper'), isOdd })
      kept = { image, scale, plain, shaded: null }
    }
    this.#pages.delete(content.id)
    this.#pages.set(content.id, kept)
    kept.shaded ??= paintShaded(content, kept.plain, null)
    for (const id of this.#pages.keys()) {
      if (this.#pages.size <= MOST) break
      this.#pages.delete(id)
    }
    return kept
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
      shaded: content.kind === KIND.page ? paintShaded(content, face, null) : null,
      body: paintBody(content, look),
      cast: paintCast(content.width, content.height, [r / 5, r, r, r / 5], CAST, AROUND),
      around: AROUND,
    }
  }
}
