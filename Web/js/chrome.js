/** What is said around the books from the start: names and notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

const LATE = 600; // ms without a connection before a word is said

const by = (id) => document.getElementById(id)

export class Chrome {
  #desk
  #late = 0

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

  /** The connection was lost; a word about it, unless it returns at once. */
  lost() {
    if (this.#late !== 0) return
    this.#late = setTimeout(() => {
      const { screen, detail } = this.#desk.caption ?? {}
      this.notice('Holding your place. ' + (screen === SCREEN.book && detail
        ? `We will put you back on ${detail[0].toLowerCase()}${detail.slice(1)} as soon as it returns.`
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
  async ended(code, reason, room) {
    clearTimeout(this.#late)
    this.notice(reason || 'The library has closed this page.')
    const { words, way } = (await import('./ended.js')).ended(code, room)
    if (words) this.notice(words)
    by('notice').append(way)
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
