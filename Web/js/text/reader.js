/** The reading view: the words of the present pages as flowing text, which follows the book. */

import { app, session, watch } from '../app.js'
import { ARROWS, iconButton, isUnmodified, make, name, options } from '../dom.js'
import { keep, kept } from '../keys.js'
import { Sheet } from '../sheet.js'
import { ROLE } from '../wire.js'
import { WORDS } from '../words/text.js'
import { paragraphsOf } from './flow.js'
import { factsOf, isIndexed, pageOf, pageText, presentPages } from './pages.js'
import { watchSwipes } from './swipe.js'

const SIZES = [16, 18, 20, 23, 27, 32, 38, 46, 56] // px
const USUAL = 20
const STORED = 'lectern-letters'
const SMALLER = 'M7.500 16.500 12 6.500l4.500 10M9 13.200h6'
const LARGER = 'M4.500 19.500 12 3.500l7.500 16M7.200 14h9.600'

export default class ReadingView {
  #sheet = null
  #text = make('article', { class: 'flow', tabindex: '0', 'aria-label': WORDS.reader.text })
  /** The buttons on the left and on the right. */
  #turns = [['left', 'ArrowLeft'], ['right', 'ArrowRight']].map(([side, key]) =>
    iconButton('', ARROWS[side], () => this.#turn(key)))
  #smaller = iconButton(WORDS.reader.smaller, SMALLER, () => this.#resize(-1), '−')
  #larger = iconButton(WORDS.reader.larger, LARGER, () => this.#resize(1), '+')
  /** The reader's choice: {size in px, font}. */
  #letters = { size: USUAL, font: 'book' }
  /** The pages whose words are shown, or will be. */
  #shown = ''

  constructor() {
    const { size, font } = kept(STORED)
    if (SIZES.includes(size)) this.#letters.size = size
    if (Object.hasOwn(WORDS.reader.fonts, font)) this.#letters.font = font
    watch(() => this.#see())
  }

  show() {
    if (this.#sheet !== null) return
    const { title } = session.caption
    const sheet = this.#sheet = new Sheet(title, { onClose: () => { this.#sheet = null; } })
    sheet.root.classList.add('reader')
    sheet.subtitle.setAttribute('role', 'status')
    sheet.root.addEventListener('keydown', (event) => this.#key(event))
    // A finger that pulls the text to the left brings what is on the right.
    watchSwipes(sheet.body.parentNode, (way) => this.#turn(way < 0 ? 'ArrowRight' : 'ArrowLeft'))
    this.#direct(false)
    const font = make('select', { 'aria-label': WORDS.reader.font, onchange: () => this.#dress({ font: font.value }) },
      ...options(WORDS.reader.fonts, this.#letters.font))
    sheet.body.append(this.#text, make('div', { class: 'tools' },
      this.#turns[0], make('div', { class: 'row' }, this.#smaller, this.#larger, font), this.#turns[1]))
    this.#shown = ''
    this.#text.replaceChildren()
    this.#dress({})
    this.#see()
    sheet.open(this.#text)
  }

  /** Shows the words of the pages in the window, once the book rests. */
  #see() {
    if (this.#sheet === null) return
    const { caption, isBook, isSettled, role } = session
    if (!isBook) return this.#sheet.close()
    const mayTurn = role?.rights.mayTurn || role?.rights.mayWander || role?.role === ROLE.wanderer
    for (const button of this.#turns) button.disabled = !mayTurn
    if (!isSettled) return
    const pages = presentPages()
    const wanted = JSON.stringify([caption.book, pages.map(({ imageURL }) => imageURL)])
    this.#sheet.subtitle.textContent = app.place()
    if (wanted === this.#shown) return
    this.#shown = wanted
    this.#load(caption.book, pages, wanted)
  }

  async #load(book, pages, wanted) {
    const [{ language, isReversed }, ...texts] =
      await Promise.all([factsOf(book), ...pages.map((page) => pageText(book, pageOf(page)))])
    const isSilent = texts.some((text) => text?.text === '')
    const silence = isSilent && !(await isIndexed(book)) ? WORDS.reader.notYet : WORDS.reader.picture
    if (wanted !== this.#shown) return
    this.#direct(isReversed)
    const parts = pages.map((page, n) => this.#part(page, texts[n], language, silence))
    if (parts.length === 0) parts.push(make('p', { class: 'none', text: WORDS.reader.cover }))
    this.#text.replaceChildren(...parts)
    this.#text.scrollTop = 0
  }

  /** Names the buttons by where they lead in the direction in which the book is read. */
  #direct(isReversed) {
    const { previous, next } = WORDS.reader
    const [left, right] = isReversed ? [next, previous] : [previous, next]
    name(this.#turns[0], left, '←')
    name(this.#turns[1], right, '→')
  }

  #part({ title, width, height, imageURL }, text, language, silence) {
    const part = make('section', {}, make('h3', { text: title }))
    if (text === null || text.text === '') {
      part.append(make('p', { class: 'none', text: text === null ? WORDS.reader.failed : silence }))
    } else {
      part.lang = language
      part.append(...paragraphsOf(text.text, text.words, (imageURL.includes('#') ? 2 : 1) * width / height)
        .map((words) => make('p', { text: words, dir: 'auto' })))
    }
    return part
  }

  #key(event) {
    if (!isUnmodified(event) || event.target.matches('select')) return
    const act = {
      ArrowLeft: () => this.#turn('ArrowLeft'), ArrowRight: () => this.#turn('ArrowRight'),
      '+': () => this.#resize(1), '=': () => this.#resize(1), '-': () => this.#resize(-1),
    }[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  #turn(key) { if (!this.#turns[0].disabled) app.press(key); }

  #resize(step) {
    const at = SIZES.indexOf(this.#letters.size) + step
    this.#dress({ size: SIZES[Math.max(0, Math.min(SIZES.length - 1, at))] })
  }

  /** Changes how the letters look, and stores the choice. */
  #dress(change) {
    Object.assign(this.#letters, change)
    const { size, font } = this.#letters
    this.#text.style.setProperty('--size', `${size}px`)
    this.#text.dataset.font = font
    this.#smaller.disabled = size === SIZES[0]
    this.#larger.disabled = size === SIZES.at(-1)
    if (Object.keys(change).length > 0) keep('localStorage', STORED, JSON.stringify(this.#letters))
  }
}
