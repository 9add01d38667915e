/** What is around the stage from the start: the title, notices and announcements. */

import { SCREEN, SCREEN_NAME } from './wire.js'
import { WORDS } from './words/start.js'

export const by = (id) => document.getElementById(id)

/** Says on the body that something is shown. A rule such as body:has(#x) costs all styles at each change. */
export const says = (name, isShown) => document.body.classList.toggle(`shows-${name}`, isShown)

/** Shows or hides an element, and says so on the body. */
export function show(element, isShown = true) {
  element.hidden = !isShown
  says(element.id, isShown)
}

export class Chrome {
  #context
  /** The announced book; empty on other screens. */
  #book = ''

  constructor(context) {
    this.#context = context
    by('table').setAttribute('aria-label', WORDS.table)
  }

  /** Shows the caption, and loads the controls of its screen. */
  caption() {
    const { screen, windowTitle, isWall } = this.#context.view.caption
    document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
    document.body.classList.toggle('all-covers', isWall)
    document.title = windowTitle
    this.#context.actions.load(screen === SCREEN.book ? 'reading' : 'library')
    if (this.#context.view.isSettled) this.#say()
  }

  /** Hides the controls while the stage moves. */
  settled(settled) {
    document.body.classList.toggle('moving', !settled)
    if (settled) this.#say()
  }

  /**
   * Shows a notice for some ms or, with 0, until another replaces it; without words, hides the notice. A button in it
   * hides it, too.
   */
  notice(words, ms = 0, button = null) {
    const notice = by('notice')
    notice.textContent = words
    if (button !== null) {
      notice.append(button)
      button.addEventListener('click', () => this.notice(''))
    }
    const said = notice.firstChild
    show(notice, words !== '')
    if (ms > 0) setTimeout(() => { if (notice.firstChild === said) this.notice('') }, ms)
  }

  #say() {
    if (this.#context.view.caption === null) return
    const { screen, announcement, detail, book } = this.#context.view.caption
    const isSame = screen === SCREEN.book && book === this.#book
    this.#book = screen === SCREEN.book ? book : ''
    const words = isSame ? this.#context.actions.place?.() ?? detail : announcement
    if (by('live').textContent !== words) by('live').textContent = words
  }
}
