/** What is said around the books from the start: names and notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

// What turns the direction of all that follows, as a title of a book must not.
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

const by = (id) => document.getElementById(id)

export class Chrome {
  #desk
  /** The book that was last spoken of while it was open. */
  #book = ''

  constructor(desk) { this.#desk = desk; }

  /** What is before the reader, in words; the controls of a screen come when it is first seen. */
  caption() {
    const { screen, heading, title, detail } = this.#desk.caption
    const isBook = screen === SCREEN.book
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    const open = [title || heading, detail && detail[0].toLowerCase() + detail.slice(1)]
    const name = [[], [heading], open][screen]?.filter(Boolean).join(', ').replace(TURNING, '')
    document.title = name ? `${name} · Lectern` : 'Lectern'
    this.#desk.summon(isBook ? 'reading' : 'library')
    if (this.#desk.isSettled) this.#say()
  }

  /** Whether the stage is at rest; while it moves the table shows nothing but books. */
  settled(settled) {
    document.body.classList.toggle('moving', !settled)
    if (settled) this.#say()
  }

  /** Says something on a strip of paper, for a while if ms are given. */
  notice(words, ms = 0) {
    const notice = by('notice')
    notice.textContent = words
    notice.hidden = false
    if (ms > 0) setTimeout(() => { if (notice.textContent === words) notice.hidden = true; }, ms)
  }

  #say() {
    if (this.#desk.caption === null) return
    const { screen, heading, title, detail, book } = this.#desk.caption
    const isSame = screen === SCREEN.book && book === this.#book
    this.#book = screen === SCREEN.book ? book : ''
    const name = screen === SCREEN.collections ? heading || title : title || heading
    const parts = isSame ? [detail] : [name, detail]
    const words = parts.filter(Boolean).join('. ')
    if (by('live').textContent !== words) by('live').textContent = words
  }
}
