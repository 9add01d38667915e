/** The parts of pages that the server places on their own: strips of a bent leaf, covered pages, and shadows. */

import { place, shadeOpacity, slotOf } from '../element.js'
import { matrixText } from '../matrix.js'
import { STRIPS } from '../session/wire.js'
import { PART, SIDE } from '../wire.js'
import { shadeAt } from './paint.js'
import { stripOf } from './rulings.js'
import { edgeSprite, emptySprite, shadowSprite } from './sprite.js'
import { chord, stripSprite } from './strips.js'

/** The fraction of a page that is drawn if other pages cover the rest, by part. */
const EDGES = { 1: .16, 3: .1, 4: .06, 5: .03 }

/** A part of an element, with the members of a StageElement that the stage uses. */
export class Part {
  content
  part
  /** {index, apex} of a strip; null for other parts. */
  strip
  root = document.createElement('div')
  slot = slotOf(this.root)
  style = this.root.style
  written = { matrix: new Float32Array(16).fill(NaN), opacity: 1, shade: 0, z: null, visible: false }
  seen = 0
  isReady = true
  image = null
  /** What is added to the transform of the element's matrix. */
  lean = ''
  #drawing
  #sprite = null
  /** The number of strips that are drawn as one, the same for all strips of a page. */
  count = 1
  /** The first strip of a pair, for the second one. */
  #first = null

  /** @param drawing {bitmaps, quality, strips, partOf(id, part)} */
  constructor(content, part, drawing) {
    this.part = part
    this.strip = stripOf(part)
    this.#drawing = drawing
    this.root.inert = true
    this.style.visibility = 'hidden'
    if (this.strip !== null) {
      // The quality may have changed since the first of them appeared.
      const other = [...drawing.strips].find((strip) => strip.content.id === content.id)
      this.count = other?.count ?? STRIPS / drawing.quality.strips
      drawing.strips.add(this)
    }
    this.replace(content)
  }

  /** Shows other content, or the same one with another bitmap. */
  replace(content) {
    this.content = content
    place(this.root, content)
    this.root.classList.add('part')
    this.root.dataset.part = this.part
    this.#first = null
    this.#show(this.#made())
  }

  #show(sprite) {
    this.#sprite = sprite
    const lean = sprite.lean ?? ''
    if (lean !== this.lean) this.style.transform = matrixText(this.written.matrix) + lean
    this.lean = lean
    this.root.replaceChildren(sprite.root)
    this.shade(this.written.shade)
  }

  #made() {
    const { content, part } = this
    const { bitmaps, quality } = this.#drawing
    if (part === PART.shadow) return quality.hasShadows ? shadowSprite(content) : emptySprite()
    if (part in EDGES) return edgeSprite(content, EDGES[part], bitmaps.page(content))
    if (this.strip === null) return emptySprite()
    if (this.strip.index % this.count === 0) return this.#cut(this.strip.index, this.count)
    this.#first = part - 1
    const sprite = emptySprite()
    sprite.root.hidden = true
    return sprite
  }

  #cut(index, count) {
    return stripSprite(this.content, index, count, this.strip.apex, this.#drawing.bitmaps.leaf(this.content))
  }

  /** Called when the matrix has changed. The second strip of a pair bends the first, or is drawn without it. */
  moved() {
    if (this.#first === null) return
    const { content: { id }, strip: { index }, written: { matrix } } = this
    const first = this.#drawing.partOf(id, this.#first)
    if (first?.written.visible) {
      first.style.transform = matrixText(chord(first.written.matrix, matrix, ...this.#hinges())) + first.lean
      this.#sprite.root.hidden = true
    } else if (this.#sprite.root.hidden) {
      this.#show(this.#cut(index, 1))
    }
  }

  /** The hinges of a pair of strips, and their apex, for chord. */
  #hinges() {
    const { content: { side, width, height }, strip: { index, apex } } = this
    const hinges = [index - 1, index + 1].map((n) => (side === SIDE.right ? n : -n) * width / STRIPS)
    return [hinges, apex === null ? null : { y: apex * height, far: apex > 0 ? -height / 2 : height / 2 }]
  }

  shade(k) { this.#sprite.shade(shadeOpacity(this.content.side, k)); }

  /** The opacity of a strip's shade in its middle. */
  get darkness() {
    const { side } = this.content
    const share = (this.strip.index + .5) / STRIPS
    return shadeOpacity(side, this.written.shade) * shadeAt(side, side === SIDE.right ? share : 1 - share)
  }

  /** Writes the opacities of a strip's shade at its inner and at its outer edge. */
  veil(inner, outer) { this.#sprite.veil(inner, outer); }

  remove() {
    this.#drawing.strips.delete(this)
    this.slot.remove()
  }
}
