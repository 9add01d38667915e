/** A sign at the edge of the window for another member who points beyond it; a tap leads to the place. */

import { app, session } from '../app.js'
import { make } from '../dom.js'
import { encodeWheel } from '../session/wire.js'
import { isZoomed } from '../text/pages.js'
import { WORDS } from '../words/together.js'

const SLACK = 8; // CSS px that a place may be outside the window and still be seen
const SIDE = 84; // CSS px between the middle of the sign and the sides of the window
const TOP = 72; // CSS px from the top and from the bottom, where the controls are

const within = (value, least, most) => Math.min(Math.max(value, least), Math.max(least, most))

/** The sign for a place outside: {x, y} in CSS px, and an angle in radians, clockwise from the right; null inside. */
export function beyond({ left, top }, { width, height }) {
  if (left > -SLACK && left < width + SLACK && top > -SLACK && top < height + SLACK) return null
  const [x, y] = [within(left, SIDE, width - SIDE), within(top, TOP, height - TOP)]
  return { x, y, angle: Math.atan2(top - y, left - x) }
}

/** The wheel that moves a window to a place: a window that shows one page goes to the other one, a zoomed one pans. */
export function wheelTo({ left, top }, { width, height }, isPage) {
  const [dx, dy] = [left - width / 2, top - height / 2].map(Math.round)
  return { dx, dy: isPage ? 0 : dy, x: width / 2, y: height / 2 }
}

export class Beckon {
  #arrow = make('i', { 'aria-hidden': 'true' })
  #name = make('span')
  #root = make('button', { type: 'button', class: 'beckon', onclick: () => this.#follow() }, this.#arrow, this.#name)
  #spot = null

  /** Shows the sign of a member for a place in CSS px; false if the place is in the window and needs none. */
  show({ name = '', colour = 0 }, spot) {
    const sign = beyond(spot, { width: innerWidth, height: innerHeight })
    if (sign === null) return false
    this.#spot = spot
    this.#root.dataset.colour = colour
    this.#root.classList.toggle('left', Math.cos(sign.angle) < 0)
    if (this.#name.textContent !== name) {
      this.#name.textContent = name
      this.#root.setAttribute('aria-label', WORDS.pointing.follow(name))
    }
    if (!this.#root.isConnected) document.getElementById('table').after(this.#root)
    this.#root.style.translate = `calc(${sign.x.toFixed(0)}px - 50%) calc(${sign.y.toFixed(0)}px - 50%)`
    this.#arrow.style.rotate = `${(sign.angle + Math.PI / 4).toFixed(2)}rad`
    return true
  }

  hide() {
    this.#spot = null
    this.#root.remove()
  }

  #follow() {
    const isPage = session.framing?.pages > 0 && !isZoomed()
    const window = { width: innerWidth, height: innerHeight }
    app.send(encodeWheel(wheelTo(this.#spot, window, isPage)))
  }
}
