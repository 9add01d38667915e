/** What is shown around the books from the start: the window's title and notices. */

import { SCREEN, SCREEN_NAME } from './wire.js'

const by = (id) => document.getElementById(id)

export class Chrome {
  #context
  /** The open book that was announced last. */
  #book = ''

  constructor(context) { this.#context = context; }

  /** Shows the caption; the controls of a screen are loaded when it is first shown. */
  caption() {
    const { screen, windowTitle } = this.#context.view.caption
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    document.title = windowTitle
    this.#context.actions.summon(screen === SCREEN.book ? 'reading' : 'library')
    if (this.#context.view.isSettled) this.#say()
  }

  /** Takes whether the stage is at rest; while it moves, only the books are shown. */
  settled(settled) {
    document.body.classList.toggle('moving', !settled)
    if (settled) this.#say()
  }

  /** Shows a notice on a strip of paper, for some time if ms are given. */
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
