/** What is said around the books from the start: names and notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

const by = (id) => document.getElementById(id)

export class Chrome {
  #desk

  constructor(desk) { this.#desk = desk; }

  /** What is before the reader, in words; the controls of a screen come when it is first seen. */
  caption() {
    const { screen, heading, title } = this.#desk.caption
    const isBook = screen === SCREEN.book
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    const name = [null, heading, title || heading][screen]
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
    const { screen, heading, title, detail } = this.#desk.caption
    const parts = screen === SCREEN.collections ? [heading, title] : [title || heading, detail]
    const words = parts.filter(Boolean).join('. ')
    if (by('live').textContent !== words) by('live').textContent = words
  }
}
