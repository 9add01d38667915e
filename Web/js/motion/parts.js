/** The parts of pages that the server places on their own: strips of a bent leaf, covered pages, and shadows. */

import { place, shadeOpacity, slotOf } from '../element.js'
import { matrixText } from '../matrix.js'
import { PART, SIDE, STRIPS } from '../wire.js'
import { edgeSprite, emptySprite, shadowSprite, stripSprite } from './sprite.js'

/**
 * The matrix of two strips that are drawn as one, from the inner hinge of the first to the outer one of the second.
 * @param {number} hinge the distance of the inner hinge to the right of the spine, on the page
 */
export function chord(first, second, hinge) {
  const matrix = Float32Array.from(first)
  for (let k = 0; k < 4; k += 1) {
    matrix[k] = (first[k] + second[k]) / 2
    // The inner hinge stays where it is.
    matrix[12 + k] += hinge * (first[k] - second[k]) / 2
  }
  return matrix
}

/** A part of an element, with the members of a StageElement that the stage uses. */
export class Part {
  content
  part
  root = document.createElement('div')
  slot = slotOf(this.root)
  style = this.root.style
  written = { matrix: new Float32Array(16).fill(NaN), opacity: 1, shade: 0, z: null, visible: false }
  seen = 0
  isReady = true
  image = null
  #drawing
  #sprite = null
  /** The first strip of a pair, for the second one. */
  #first = null

  /** @param drawing {bitmaps, quality, partOf(id, part)} */
  constructor(content, part, drawing) {
    this.part = part
    this.#drawing = drawing
    this.root.inert = true
    this.style.visibility = 'hidden'
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
    this.root.replaceChildren(sprite.root)
    this.shade(this.written.shade)
  }

  #made() {
    const { content, part } = this
    const { bitmaps, quality } = this.#drawing
    if (part === PART.shadow) return quality.hasShadows ? shadowSprite(content) : emptySprite()
    if (part === PART.edge) return edgeSprite(content, bitmaps.page(content))
    const index = part - PART.strip
    const each = STRIPS / quality.strips
    if (index % each === 0) return stripSprite(content, index, each, bitmaps.leaf(content))
    this.#first = part - 1
    const sprite = emptySprite()
    sprite.root.hidden = true
    return sprite
  }

  /** Called when the matrix has changed. The second strip of a pair bends the first, or is drawn without it. */
  moved() {
    if (this.#first === null) return
    const { content: { id, side, width }, written: { matrix } } = this
    const first = this.#drawing.partOf(id, this.#first)
    const index = this.#first - PART.strip
    if (first?.written.visible) {
      const hinge = (side === SIDE.right ? 1 : -1) * index * width / STRIPS
      first.style.transform = matrixText(chord(first.written.matrix, matrix, hinge))
      this.#sprite.root.hidden = true
    } else if (this.#sprite.root.hidden) {
      this.#show(stripSprite(this.content, index + 1, 1, this.#drawing.bitmaps.leaf(this.content)))
    }
  }

  shade(k) { this.#sprite.shade(shadeOpacity(this.content.side, k)); }

  remove() { this.slot.remove(); }
}
