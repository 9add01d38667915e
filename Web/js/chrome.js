/** What is said around the books from the start: names and notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

const by = (id) => document.getElementById(id)

export class Chrome {
  #context
  /** The book that was last spoken of while it was open. */
  #book = ''

  constructor(context) { this.#context = context; }

  /** What is before the reader, in words; the controls of a screen come when it is first seen. */
  caption() {
    const { screen, windowTitle } = this.#context.view.caption
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    document.title = windowTitle
    this.#context.actions.summon(screen === SCREEN.book ? 'reading' : 'library')
    if (this.#context.view.isSettled) this.#say()
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
    if (this.#context.view.caption === null) return
    const { screen, announcement, detail, book } = this.#context.view.caption
    const isSame = screen === SCREEN.book && book === this.#book
    this.#book = screen === SCREEN.book ? book : ''
    const words = isSame ? detail : announcement
    if (by('live').textContent !== words) by('live').textContent = words
  }
}
