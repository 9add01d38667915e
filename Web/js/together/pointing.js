/** The pointing mode, in which the mouse or a finger moves a dot of light instead of a leaf. */

import { app } from '../app.js'
import { wake } from '../bar.js'
import { Light } from './light.js'
import { encodePoint } from './wire.js'

const EDGE = 64; // CSS px from the top, the area of the controls there
const FOOT = 112; // CSS px from the bottom, the area of the controls there
const PAUSE = 40; // ms between two positions that are sent: the server forwards 30 a second at most

export default class Pointing {
  #light = new Light()
  #done = null
  #place = null
  #sentAt = -Infinity
  #timer = 0
  #frame = 0
  #watchers = new Set()

  constructor() {
    this.#light.dress({}, { hasDot: true, hasHand: false, holds: true })
  }

  get isOn() { return this.#done !== null; }

  /** Calls a function whenever the mode is turned on or off. */
  watch(see) { this.#watchers.add(see); }

  toggle(isOn = !this.isOn) {
    if (isOn === this.isOn) return
    if (isOn) this.#begin()
    else this.#end()
    document.body.classList.toggle('pointing', isOn)
    for (const see of this.#watchers) see(isOn)
  }

  #begin() {
    this.#done = new AbortController()
    const { signal } = this.#done
    const options = { capture: true, passive: false, signal }
    const on = (type, act) => addEventListener(type, (event) => {
      if (!event.target.closest?.('#table')) {
        if (event.pointerType === 'mouse') this.#lead(null)
        return
      }
      event.stopImmediatePropagation()
      if (event.cancelable) event.preventDefault()
      act(event)
    }, options)
    const lead = (event) => this.#lead({ x: event.clientX, y: event.clientY })
    const lift = ({ pointerType }) => { if (pointerType !== 'mouse') this.#lead(null); }
    on('pointerdown', lead)
    on('pointermove', lead)
    on('pointerup', lift)
    on('pointercancel', lift)
    on('click', () => {})
    document.documentElement.addEventListener('pointerleave', () => this.#lead(null), { signal })
    addEventListener('blur', () => this.#lead(null), { signal })
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      event.stopImmediatePropagation()
      this.toggle(false)
    }, { capture: true, signal })
  }

  #end() {
    this.#done.abort()
    this.#done = null
    this.#lead(null)
  }

  #lead(place) {
    if (place === null && this.#place === null) return
    this.#place = place
    if (place === null) this.#light.fade()
    else if (place.y < EDGE || place.y > innerHeight - FOOT) wake()
    if (this.#frame === 0) this.#frame = requestAnimationFrame((now) => this.#draw(now))
    const wait = this.#sentAt + PAUSE - performance.now()
    if (place === null || wait <= 0) this.#send()
    else if (this.#timer === 0) this.#timer = setTimeout(() => this.#send(), wait)
  }

  #draw(now) {
    this.#frame = 0
    if (this.#place === null || !this.#light.move(this.#place.x, this.#place.y, now, true)) return
    this.#frame = requestAnimationFrame((next) => this.#draw(next))
  }

  #send() {
    clearTimeout(this.#timer)
    this.#timer = 0
    this.#sentAt = performance.now()
    app.send(encodePoint(this.#place))
  }
}
