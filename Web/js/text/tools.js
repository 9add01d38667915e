/** The controls of the open book's words and page numbers, and the mode in which text is selected. */

import { app, session } from '../app.js'
import { iconButton, make, present, style } from '../dom.js'
import { kept } from '../keys.js'
import { WORDS } from '../words/text.js'
import { pageOf, pageText, presentPages } from './pages.js'

const SAID = 4000; // ms
const ICON = {
  read: 'M12 6.500C10 5 7 4.500 3.500 4.500v13.500c3.500 0 6.500.500 8.500 2 2-1.500 5-2 8.500-2V4.500' +
    'C17 4.500 14 5 12 6.500ZM12 6.500V20M6.500 9l3 .500M6.500 12.500l3 .500M17.500 9l-3 .500M17.500 12.500l-3 .500',
  select: 'M9 4c1.500 0 3 .500 3 2v12c0 1.500-1.500 2-3 2M15 4c-1.500 0-3 .500-3 2v12c0 1.500 1.500 2 3 2' +
    'M9 8.500H4v7h5M15 8.500h5v7h-5',
  fit: 'M4 5v14M20 5v14M7.500 12h9M10 9.500 7.500 12l2.500 2.500M14 9.500l2.500 2.500-2.500 2.500',
}

const table = () => document.getElementById('table')

export class TextTools {
  read = iconButton(WORDS.reader.open, ICON.read, () => present('text/reader'), 'R')
  select = iconButton(WORDS.select, ICON.select, () => this.toggle(), 'T')
  fit = iconButton(WORDS.fit.title, ICON.fit, () => present('text/fit'), 'W')
  place = make('button', {
    class: 'place', type: 'button', 'aria-haspopup': 'dialog', 'aria-keyshortcuts': 'G',
    onclick: () => present('text/go'),
  })

  #book = ''
  #isSelecting = false
  #onSelect

  /** @param onSelect called when the mode in which text is selected begins */
  constructor(onSelect) {
    this.#onSelect = onSelect
    this.select.setAttribute('aria-pressed', 'false')
    // The place that the page announces: the same as before until all pages of the spread are in the window.
    app.place = () => {
      const isWhole = app.stage.spread.length === session.caption.spread.length
      return isWhole ? this.#place : document.getElementById('live').textContent
    }
    style('text')
    this.#listen()
  }

  /** Called when the caption or the session has changed. */
  see() {
    const { caption, framing, isBook } = session
    if (!isBook) return this.toggle(false)
    if (caption.book !== this.#book) {
      this.#book = caption.book
      // What fills the window was chosen when the book was read before.
      if (kept('lectern-fits')[this.#book]) app.load('text/fit')
    }
    this.place.textContent = framing?.label || caption.label
    this.place.setAttribute('aria-label', WORDS.go.from(this.#place))
  }

  /** Begins or ends the mode in which text is selected and pages are not dragged. */
  toggle(isOn = !this.#isSelecting) {
    if (isOn === this.#isSelecting) return
    this.#isSelecting = isOn
    document.body.classList.toggle('selecting', isOn)
    this.select.setAttribute('aria-pressed', isOn)
    if (!isOn) return getSelection().removeAllRanges()
    this.#onSelect()
    this.#say()
  }

  /** Says how to select, or that there is nothing to select. */
  async #say() {
    const { book } = session.caption
    const texts = await Promise.all(presentPages().map((page) => pageText(book, pageOf(page))))
    const hasWords = texts.some((text) => text?.text)
    if (this.#isSelecting) app.notice(hasWords ? WORDS.selecting : WORDS.nothingToSelect, SAID)
  }

  /** The place in the window, such as "Pages 4–5 of 32". */
  get #place() {
    const { caption, framing } = session
    if (!framing?.label) return caption.detail
    return presentPages().length > 0 ? WORDS.page(framing.label) : framing.label
  }

  #listen() {
    addEventListener('keydown', (event) => {
      if (!this.#isSelecting || event.key !== 'Escape' || document.querySelector('dialog[open]')) return
      event.stopImmediatePropagation()
      this.toggle(false)
    }, { capture: true })
    // Before the stage takes the pointer.
    table().addEventListener('pointerdown', (event) => {
      if (this.#isSelecting && event.target.closest('.text')) event.stopPropagation()
    }, { capture: true })
    // The words alone: a copy with their style would be transparent.
    document.addEventListener('copy', (event) => {
      const selection = getSelection()
      if (selection.isCollapsed || !table().contains(selection.anchorNode)) return
      event.clipboardData.setData('text/plain', selection.toString())
      event.preventDefault()
    })
  }
}
