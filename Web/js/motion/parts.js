/** The parts of pages that the server places on their own: strips of a bent leaf, covered pages, and shadows. */

import { PART } from '../wire.js'
import { place } from '../element.js'
import { edgeSprite, shadowSprite, stripSprite } from './sprite.js'
import { shadeOpacity } from '../element.js'

/** A part of an element, with the members of a StageElement that the stage uses. */
export class Part {
  content
  part
  root = document.createElement('div')
  style = this.root.style
  written = { matrix: new Float32Array(16).fill(NaN), opacity: 1, shade: 0, z: null, visible: false }
  seen = 0
  isReady = true
  image = null
  #bitmaps
  #sprite = null

  /** @param bitmaps the Bitmaps that pages are drawn in */
  constructor(content, part, bitmaps) {
    this.part = part
    this.#bitmaps = bitmaps
    this.root.inert = true
    this.style.visibility = 'hidden'
    this.replace(content)
  }

  /** Shows other content, or the same one with another bitmap. */
  replace(content) {
    this.content = content
    place(this.root, content)
    this.root.classList.add('part')
    if (this.part === PART.shadow) return this.#show(shadowSprite(content))
    const bitmaps = this.#bitmaps.of(content, this.part >= PART.strip)
    this.#show(this.part === PART.edge ? edgeSprite(content, bitmaps)
      : stripSprite(content, this.part - PART.strip, bitmaps))
  }

  shade(k) { this.#sprite.shade(shadeOpacity(this.content.side, k)); }

  remove() { this.root.remove(); }

  #show(sprite) {
    this.#sprite = sprite
    this.root.replaceChildren(sprite.root)
    this.shade(this.written.shade)
  }
}
