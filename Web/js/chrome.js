/** All that is printed on the table around the books: names, buttons, notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

const AWAKE = 2800; // ms for which the bars of the reading screen stay after the last sign
const MOST_TICKS = 60
const LATE = 600; // ms without a connection before a word is said
const COPIED = 2000; // ms for which the button says so

const by = (id) => document.getElementById(id)

export class Chrome {
  #caption = null
  #settled = null
  #sleep = 0
  #late = 0

  /** @param press takes the name of the key that a button stands for */
  constructor(press) {
    const button = (id, key) => by(id).addEventListener('click', () => press(key()))
    const isList = () => this.#caption?.screen === SCREEN.collections
    button('back', () => 'Escape')
    button('open', () => 'Enter')
    button('previous', () => (isList() ? 'ArrowUp' : 'ArrowLeft'))
    button('next', () => (isList() ? 'ArrowDown' : 'ArrowRight'))
    by('share').addEventListener('click', (event) => this.#share(event))
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
      addEventListener(type, () => this.#wake(), { passive: true })
    }
  }

  /** What is before the reader, in words. */
  caption(caption) {
    this.#caption = caption
    const { screen, index, count, heading, title, detail } = caption
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    by('heading').textContent = heading
    by('title').textContent = title
    by('detail').textContent = detail
    by('place').textContent = screen === SCREEN.book ? detail : ''
    const label = (id, words) => by(id).setAttribute('aria-label', words)
    const thing = ['shelf', 'book', 'page'][screen]
    label('open', `Open ${title}`)
    label('back', screen === SCREEN.book ? 'Close the book' : 'All shelves')
    label('previous', `Previous ${thing}`)
    label('next', `Next ${thing}`)
    by('previous').disabled = screen !== SCREEN.book && index === 0
    by('next').disabled = screen !== SCREEN.book && index + 1 >= count
    this.#ticks(screen === SCREEN.shelf && count <= MOST_TICKS ? count : 0, index)
    const name = [null, heading, title || heading][screen]
    document.title = name ? `${name} · Lectern` : 'Lectern'
    if (this.#settled) this.#say()
  }

  /** Whether the stage is at rest; while it moves the table shows nothing but books. */
  settled(settled) {
    if (settled === this.#settled) return
    this.#settled = settled
    document.body.classList.toggle('moving', !settled)
    if (settled) this.#say()
  }

  /** The connection was lost; a word about it, unless it returns at once. */
  lost() {
    if (this.#late !== 0) return
    this.#late = setTimeout(() => {
      const place = this.#caption?.screen === SCREEN.book ? this.#caption.detail : ''
      this.#notice('Holding your place. ' + (place
        ? `We will put you back on ${place[0].toLowerCase()}${place.slice(1)} as soon as it returns.`
        : 'We will carry on as soon as the connection returns.'))
    }, LATE)
  }

  /** The connection is there. */
  found() {
    clearTimeout(this.#late)
    this.#late = 0
    by('notice').hidden = true
  }

  /** It is over: says what happened and what to do. */
  ended(code, reason, room) {
    clearTimeout(this.#late)
    const words = {
      4002: `No room answers to ${room}.`,
      4004: 'Every seat is taken. Try again when somebody has left.',
    }
    this.#notice(words[code] ?? (reason || 'The library has closed this page.'))
    const start = document.createElement('a')
    start.href = code === 4002 ? '/' : location.href
    start.textContent = code === 4002 ? 'Open a room of your own' : 'Reload'
    by('notice').append(start)
  }

  #notice(words) {
    const notice = by('notice')
    notice.textContent = words
    notice.hidden = false
  }

  #say() {
    if (this.#caption === null) return
    const { screen, heading, title, detail } = this.#caption
    const parts = screen === SCREEN.collections ? [heading, title] : [title || heading, detail]
    const words = parts.filter(Boolean).join('. ')
    if (by('live').textContent !== words) by('live').textContent = words
  }

  #ticks(count, index) {
    const ticks = by('ticks')
    while (ticks.childElementCount > count) ticks.lastChild.remove()
    while (ticks.childElementCount < count) ticks.append(document.createElement('i'))
    const gap = Math.min(26, 260 / Math.max(1, count))
    ticks.style.setProperty('--gap', `${gap}px`)
    document.body.style.setProperty('--ticks', `${gap * count}px`)
    for (const [i, tick] of [...ticks.children].entries()) tick.className = i === index ? 'here' : ''
  }

  #wake() {
    document.body.classList.add('awake')
    clearTimeout(this.#sleep)
    this.#sleep = setTimeout(() => {
      if (document.querySelector('.bar:hover, .bar :focus-visible') !== null) this.#wake()
      else document.body.classList.remove('awake')
    }, AWAKE)
  }

  async #share(event) {
    const { target: words } = event
    try {
      await navigator.clipboard.writeText(location.href)
      words.textContent = 'Copied'
      setTimeout(() => { words.textContent = 'Share'; }, COPIED)
    } catch {
      // No clipboard on an insecure address: the link itself, to be copied by hand.
      this.#notice(`Send this address: ${location.href}`)
      setTimeout(() => this.found(), 5 * COPIED)
    }
  }
}
