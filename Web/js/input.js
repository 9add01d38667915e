/** Sends the reader's input; the server interprets it. */

import { app, session } from './app.js'
import { by } from './chrome.js'
import { KEY, MAX_SAMPLES, POINTER, encodeKey, encodePointers, encodeWheel } from './session/wire.js'
import { Vsync } from './session/vsync.js'

const LINE = 16; // CSS px per line of a wheel event
const OLDEST = 6.5; // seconds, the greatest age that a sample can carry
const TAP = 8; // CSS px that a pointer may move during a tap
const AFTER = 100; // ms after a lift within which the browser sends its own click
const SAME = { F: 'f', '=': '+', _: '-' }; // keys that stand for another key

/** The part of a ledge under an event that the browser scrolls sideways. */
const rowAt = ({ target }) => {
  const row = target.closest?.('.ledge>.face')
  return row?.scrollWidth > row?.clientWidth ? row : null
}

export class Input {
  vsync = new Vsync()
  #surface = by('table')
  /** pointerId -> {slot, x, y, stamp, trail: positions not sent yet, from, hot: the target of a tap} */
  #pointers = new Map()
  #lifted = -Infinity

  constructor() { this.#listen(); }

  /** Whether a pointer is down. While it is, each animation frame requests a frame from the server. */
  get isDriving() { return this.#pointers.size > 0; }

  /** Called in each animation frame: sends the new positions, or requests a frame if there are none. */
  tick(now) {
    this.vsync.tick(now)
    if (!this.isDriving) return
    const samples = [...this.#pointers.values()].flatMap((pointer) => this.#trail(pointer))
    this.#sendPointers(samples.slice(-MAX_SAMPLES))
  }

  /** Cancels every pointer, for example when the window loses the focus. */
  cancel() {
    if (!this.isDriving) return
    const samples = [...this.#pointers.values()].map((p) => this.#sample(p, POINTER.cancel))
    this.#pointers.clear()
    this.#sendPointers(samples)
  }

  /** Sends a key by its DOM name; buttons use it too. */
  key(name) { app.send(encodeKey(name)); }

  /** Taps at a point of the window, for input without a pointer. */
  tap(x, y) {
    const place = { slot: this.#freeSlot(), x, y, stamp: performance.now() }
    this.#sendPointers([POINTER.down, POINTER.up].map((phase) => this.#sample(place, phase)))
  }

  /** The positions since the last frame. A slow screen has few frames, and a swipe needs its speed. */
  #trail(pointer) {
    const most = MAX_SAMPLES / this.#pointers.size | 0
    return pointer.trail.splice(0).slice(-most)
      .map((place) => this.#sample({ slot: pointer.slot, ...place }, POINTER.move))
  }

  #sample({ slot, x, y, stamp }, phase) {
    const age = Math.min(OLDEST, Math.max(0, (performance.now() - stamp) / 1000))
    return { id: slot, phase, age, x, y }
  }

  /** Sends samples with the server's time of the next vsync; 0 while that is unknown. */
  #sendPointers(samples) {
    const { clock } = app
    const target = clock.isExchanged ? clock.serverTime(this.vsync.next(performance.now())) : 0
    app.send(encodePointers(target, samples))
  }

  #freeSlot() {
    const taken = [...this.#pointers.values()].map((pointer) => pointer.slot)
    let slot = 0
    while (taken.includes(slot)) slot += 1
    return slot
  }

  #listen() {
    const surface = this.#surface
    const on = (type, handler) => surface.addEventListener(type, handler, { passive: false })

    on('pointerdown', (event) => {
      if (event.button !== 0 || this.#pointers.size >= MAX_SAMPLES) return
      // Fingers are captured implicitly. If the page captured a second finger, or prevented its default,
      // Firefox would send no events for it.
      if (event.pointerType !== 'touch') {
        event.preventDefault()
        surface.focus({ preventScroll: true })
        surface.setPointerCapture(event.pointerId)
      }
      // Two fingers cannot tap.
      for (const other of this.#pointers.values()) other.hot = null
      const hot = this.isDriving ? null : event.target.closest?.('.hot')
      const pointer = { slot: this.#freeSlot(), trail: [], hot, from: [event.clientX, event.clientY] }
      this.#pointers.set(event.pointerId, pointer)
      this.#move(pointer, event)
      this.#sendPointers([this.#sample(pointer, POINTER.down)])
    })
    on('pointermove', (event) => {
      const pointer = this.#pointers.get(event.pointerId)
      if (pointer === undefined) return
      const all = event.getCoalescedEvents?.() ?? []
      for (const one of all.length > 0 ? all : [event]) {
        if (one.clientX === pointer.x && one.clientY === pointer.y) continue
        this.#move(pointer, one)
        const { x, y, stamp } = pointer
        pointer.trail.push({ x, y, stamp })
      }
    })
    on('pointerup', (event) => this.#lift(event, POINTER.up))
    on('pointercancel', (event) => this.#lift(event, POINTER.cancel))
    on('lostpointercapture', (event) => this.#lift(event, POINTER.cancel))
    // Otherwise Chromium takes a tap on a button soon after a swipe for the end of a fling.
    on('touchmove', (event) => { if (this.isDriving && event.cancelable && !rowAt(event)) event.preventDefault(); })
    on('contextmenu', (event) => { if (this.isDriving) event.preventDefault(); })
    on('dragstart', (event) => event.preventDefault())
    // The lift clicks the target of a tap, so the browser's own click must not do so again.
    surface.addEventListener('click', (event) => {
      if (event.isTrusted && event.timeStamp - this.#lifted < AFTER) event.stopPropagation()
    }, true)

    on('wheel', (event) => {
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && rowAt(event)) return
      event.preventDefault()
      const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? innerHeight : 1
      app.send(encodeWheel({
        dx: event.deltaX * unit, dy: event.deltaY * unit, x: event.clientX, y: event.clientY,
        ctrl: event.ctrlKey,
      }))
    })

    // Safari reports pinches on a trackpad this way, and those on a touch screen by pointers as well.
    if ('GestureEvent' in window) {
      import('./trackpad.js').then(({ listen }) => listen(on, (bytes) => {
        if (!this.isDriving) app.send(bytes)
      })).catch(console.warn)
    }

    document.addEventListener('keydown', (event) => {
      const name = SAME[event.key] ?? event.key
      if (!(name in KEY) || (/^\w$/.test(name) && !session.isBook)) return
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const within = (tags) => event.target.closest?.(tags)
      if (within('input, select') || document.querySelector('dialog[open]')) return
      if (name === 'Enter' && within('button, a')) return
      event.preventDefault()
      this.key(name)
    })
    addEventListener('blur', () => this.cancel())
    document.addEventListener('visibilitychange', () => this.cancel())
  }

  #move(pointer, event) {
    pointer.x = event.clientX
    pointer.y = event.clientY
    pointer.stamp = event.timeStamp
    const [x, y] = pointer.from
    if (Math.hypot(pointer.x - x, pointer.y - y) > TAP) pointer.hot = null
  }

  #lift(event, phase) {
    const pointer = this.#pointers.get(event.pointerId)
    if (pointer === undefined) return
    const trail = this.#trail(pointer).slice(1 - MAX_SAMPLES)
    this.#pointers.delete(event.pointerId)
    // The event of a lost capture has no position.
    if (event.type !== 'lostpointercapture') this.#move(pointer, event)
    const hot = phase === POINTER.up && pointer.hot?.isConnected ? pointer.hot : null
    this.#sendPointers([...trail, this.#sample(pointer, hot ? POINTER.cancel : phase)])
    this.#lifted = event.timeStamp
    hot?.click()
  }
}
