/** The parts of pages that the server places on their own: strips of a bent leaf, covered pages, and shadows. */

import { place, shadeOpacity, slotOf } from '../element.js'
import { matrixText } from '../stage.js'
import { STRIPS } from '../session/wire.js'
import { PART, SIDE } from '../wire.js'
import { REST_SHADE } from './bitmaps.js'
import { shadeAt } from './paint.js'
import { stripOf } from './rulings.js'
import { edgeSprite, emptySprite, shadowSprite } from './sprite.js'
import { stripSprite } from './strips.js'

/** The fraction of a page that is drawn if other pages cover the rest, by part. */
const EDGES = { 1: .16, 3: .1, 4: .06, 5: .03 }
const DULL = .5 // how much of the shade beyond that at rest is seen on paper, which lets light through

/** The opacity of the shade on a leaf that bends; it begins as that of the leaf at rest. */
export function bentShade(side, k) {
  const shade = shadeOpacity(side, k)
  const rest = shadeOpacity(side, REST_SHADE)
  return shade > rest ? rest + DULL * (shade - rest) : shade
}

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
  #drawing
  #sprite = null

  /** @param drawing {bitmaps, quality, strips}; the strips are sorted as shadeStrips needs them */
  constructor(content, part, drawing) {
    this.content = content
    this.part = part
    this.strip = stripOf(part)
    this.#drawing = drawing
    this.root.inert = true
    this.style.visibility = 'hidden'
    if (this.strip !== null) {
      drawing.strips.push(this)
      drawing.strips.sort((one, other) => one.content.id - other.content.id || one.part - other.part)
    }
    this.replace(content)
  }

  /** Shows other content, or the same one with another bitmap. */
  replace(content) {
    this.content = content
    place(this.root, content)
    this.root.classList.add('part')
    this.root.dataset.part = this.part
    this.#sprite = this.#made()
    this.style.transform = matrixText(this.written.matrix) + this.lean
    this.root.replaceChildren(this.#sprite.root)
    this.shade(this.written.shade)
  }

  #made() {
    const { content, part } = this
    const { bitmaps, quality } = this.#drawing
    if (part === PART.shadow) return quality.hasShadows ? shadowSprite(content, this.written.matrix) : emptySprite()
    if (part in EDGES) return edgeSprite(content, EDGES[part], bitmaps.page(content))
    if (this.strip === null) return emptySprite()
    return stripSprite(content, this.strip.index, this.strip.apex, bitmaps.leaf(content))
  }

  /** What is added to the transform of the element's matrix. */
  get lean() { return this.#sprite.lean; }

  shade(k) { this.#sprite.shade(shadeOpacity(this.content.side, k)); }

  /** The opacity of a strip's shade in its middle. */
  get darkness() {
    const { side } = this.content
    const share = (this.strip.index + .5) / STRIPS
    return bentShade(side, this.written.shade) * shadeAt(side, side === SIDE.right ? share : 1 - share)
  }

  /** Writes the opacities of a strip's shade at its inner and at its outer edge. */
  veil(inner, outer) { this.#sprite.veil(inner, outer); }

  remove() {
    const { strips } = this.#drawing
    if (this.strip !== null) strips.splice(strips.indexOf(this), 1)
    this.slot.remove()
  }
}
