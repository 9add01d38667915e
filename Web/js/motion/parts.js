/** The parts of pages that the server places on their own: strips of a bent leaf, covered pages, and shadows. */

import { place, shadeOpacity, slotOf } from '../element.js'
import { matrixText } from '../matrix.js'
import { STRIPS } from '../session/wire.js'
import { PART, SIDE } from '../wire.js'
import { shadeAt } from './paint.js'
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

/**
 * Shades the strips of a bent leaf so that they look like one curved surface: at a hinge, two strips of the same page
 * are equally dark.
 * @param parts the strips that exist
 */
export function shadeStrips(parts) {
  const seen = [...parts].filter(({ written }) => written.visible).sort((a, b) => a.part - b.part)
  const mean = (strip, other) =>
    other?.content === strip.content ? (strip.darkness + other.darkness) / 2 : null
  for (const [n, strip] of seen.entries()) {
    const [inner, outer] = [mean(strip, seen[n - 1]), mean(strip, seen[n + 1])]
    const middle = strip.darkness
    // Beyond the ends of the page the shade goes on as it does within.
    const on = (edge) => Math.min(1, Math.max(0, 2 * middle - (edge ?? middle)))
    strip.veil(inner ?? on(outer), outer ?? on(inner))
  }
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
  /** The number of strips that are drawn as one, the same for all strips of a page. */
  count = 1
  /** The first strip of a pair, for the second one. */
  #first = null

  /** @param drawing {bitmaps, quality, strips, partOf(id, part)} */
  constructor(content, part, drawing) {
    this.part = part
    this.#drawing = drawing
    this.root.inert = true
    this.style.visibility = 'hidden'
    if (part >= PART.strip) {
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
    this.root.replaceChildren(sprite.root)
    this.shade(this.written.shade)
  }

  #made() {
    const { content, part } = this
    const { bitmaps, quality } = this.#drawing
    if (part === PART.shadow) return quality.hasShadows ? shadowSprite(content) : emptySprite()
    if (part === PART.edge) return edgeSprite(content, bitmaps.page(content))
    const index = part - PART.strip
    if (index % this.count === 0) return stripSprite(content, index, this.count, bitmaps.leaf(content))
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

  /** The opacity of a strip's shade in its middle. */
  get darkness() {
    const { side } = this.content
    const share = (this.part - PART.strip + .5) / STRIPS
    return shadeOpacity(side, this.written.shade) * shadeAt(side, side === SIDE.right ? share : 1 - share)
  }

  /** Writes the opacities of a strip's shade at its inner and at its outer edge. */
  veil(inner, outer) { this.#sprite.veil(inner, outer); }

  remove() {
    this.#drawing.strips.delete(this)
    this.slot.remove()
  }
}
