/** A dot of light with its trail and perhaps a hand, in the layer above the books. */

import { still } from '../connection.js'
import { draw, make } from '../dom.js'
import { handCursor } from './handCursor.js'
import { faded, trailPath } from './spots.js'

const FADE = 400; // ms in which a hand fades
const HAND_WIDTH = 190; // CSS px that a hand and its name need to the right of the dot
const HAND_HEIGHT = 150; // CSS px that they need below the dot

let layer = null

/** The layer of lights and hands, above the books and below the controls. */
function sky() {
  if (layer === null) {
    layer = make('div', { id: 'hands', 'aria-hidden': 'true' })
    document.getElementById('table').after(layer)
  }
  return layer
}

export class Light {
  #root = make('div', { class: 'light' })
  #path = draw('path')
  #trail = []
  #svg = draw('svg')
  #tag = make('span', { class: 'tag' })
  #fading = 0

  constructor() {
    this.#svg.append(this.#path)
    this.#root.append(make('i', { class: 'dot' }), handCursor(), this.#tag)
  }

  /** Sets the owner of the light and the parts that are drawn; holds is true for the presenter's light. */
  dress({ name = '', colour = 0 }, { hasDot, hasHand, holds }) {
    this.#tag.textContent = name
    this.#tag.dataset.colour = holds ? '' : colour
    this.#root.className = `light${hasDot ? ' dotted' : ''}${hasHand ? ' handed' : ''}`
  }

  /** Moves the light, in CSS px; true while its trail still changes. */
  move(x, y, now, leavesTrail) {
    if (!this.#root.isConnected) sky().append(this.#svg, this.#root)
    clearTimeout(this.#fading)
    this.#fading = 0
    this.#root.classList.remove('gone')
    this.#root.classList.toggle('fromRight', x > innerWidth - HAND_WIDTH)
    this.#root.classList.toggle('fromBelow', y > innerHeight - HAND_HEIGHT)
    this.#root.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`
    const trail = faded(this.#trail, now)
    const last = trail.at(-1)
    if (!leavesTrail || still.matches || document.documentElement.dataset.motion) trail.length = 0
    else if (!last || last.x !== x || last.y !== y) trail.push({ x, y, at: now })
    this.#path.setAttribute('d', trailPath(trail, now))
    return trail.length > 1
  }

  /** Hides the light while its target is not visible. */
  hide() {
    this.#root.classList.add('gone')
    this.#trail.length = 0
    this.#path.setAttribute('d', '')
  }

  /** Fades the light out and removes it. */
  fade() {
    if (this.#fading !== 0) return
    this.hide()
    this.#fading = setTimeout(() => {
      this.#root.remove()
      this.#svg.remove()
    }, FADE)
  }
}
