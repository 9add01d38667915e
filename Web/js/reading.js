/** The controls of the open book, below it. */

import { app, session, update, watch } from './app.js'
import { settingsButton, topBar } from './bar.js'
import { says } from './chrome.js'
import { outlineOf, pagesOf } from './contents.js'
import { ARROWS, GLASS, iconButton, isShortcut, make, name, present, wordButton } from './dom.js'
import { folding } from './folding.js'
import { Overlays } from './overlays.js'
import { Scrubber } from './scrubber.js'
import { Sharpness } from './sharpness.js'
import { encodeJump, encodeWheel, encodeZoomStep } from './session/wire.js'
import { factsOf, isZoomed } from './text/pages.js'
import { TextTools } from './text/tools.js'
import { WORDS } from './words/book.js'

const STEP = 1.5; // factor of a step of zoom
const PAN = .5; // of the window, by which a button moves a zoomed page
/** Where the buttons that move a zoomed page lead to. */
const WAYS = { left: [-1, 0], up: [0, -1], down: [0, 1], right: [1, 0] }

const ICON = {
  contents: 'M5 6.500h3M5 12h3M5 17.500h3M11.500 6.500H19M11.500 12H19M11.500 17.500H19',
  lay: 'M12 18.500 4 13V5.500l8 5.500 8-5.500V13l-8 5.500ZM12 11v7.500',
  stand: 'M12 17.500 3.500 14.500V9.500L12 12.500l8.500-3v5L12 17.500ZM12 12.500v5',
  // The glass is the sign of the search beside them.
  less: 'M5.500 12h13',
  more: 'M5.500 12h13M12 5.500v13',
  point: 'M9.5 13.5 5.3 5.9a1.5 1.5 0 0 1 2.6-1.5l3.7 6.3M11.6 10.7l.7-.4a1.5 1.5 0 0 1 2 .5l.4.7M14.3 11.1' +
    'a1.5 1.5 0 0 1 2.2.3l.5.9M16.7 11.8a1.5 1.5 0 0 1 2.3.5l.9 2.2' +
    'c.9 2.5-.2 4.4-2.4 5.5-2.2 1.1-4.5.9-6.3-.7L6.7 15.7a1.4 1.4 0 0 1 1.7-2.2l1.7.7',
  print: 'M7 9V4.500h10V9M7 17H4.500V9h15v8H17M7 14h10v5.500H7Z',
  full: 'M4.500 9V4.500H9M15 4.500h4.500V9M19.500 15v4.500H15M9 19.500H4.500V15',
}

await topBar()

export default class Reading {
  #scrubber = new Scrubber((page) => app.send(encodeJump(page)))
  #overlays = new Overlays()
  #sharpness = new Sharpness()
  #text = new TextTools(() => this.#pointing?.toggle(false))
  #hint = make('p', { class: 'hint', role: 'status' })
  #point = iconButton(WORDS.point, ICON.point, () => this.#togglePointing(), 'L')
  #lay = iconButton(WORDS.layFlat, ICON.lay, () => app.press('f'), 'F')
  #pointing = null
  #book = null
  /** Facts about the book: {count: the number of stops, stops, chapters, isReversed}. */
  #facts = { count: 1, stops: [], chapters: [], isReversed: false }

  constructor() {
    this.#point.classList.add('kept')
    this.#print()
    watch(() => this.#see())
    addEventListener('resize', () => this.#see())
    document.addEventListener('keydown', (event) => this.#key(event))
  }

  /** Marks places in the open book, given as boxes by page; those of one page stand out. */
  mark(marks, page) { this.#overlays.mark(marks, page); }

  #print() {
    const key = (words, press) => make('button', {
      type: 'button', class: 'turn', text: words, onclick: () => app.press(press),
    })
    const full = iconButton(WORDS.full, ICON.full, () => this.#toggleFull())
    full.hidden = !document.fullscreenEnabled
    document.addEventListener('fullscreenchange', () => {
      name(full, document.fullscreenElement ? WORDS.leaveFull : WORDS.full)
    })
    const foot = make('nav', { id: 'bookbar', class: 'bar fades', 'aria-label': WORDS.book },
      make('div', { class: 'group' },
        iconButton(WORDS.contents, ICON.contents, () => present('contents')),
        iconButton(WORDS.search, GLASS, () => present('search'))),
      make('div', { class: 'run' },
        key(WORDS.previousPage, 'PageUp'), this.#scrubber.root, this.#text.place, key(WORDS.nextPage, 'PageDown')),
      make('div', { class: 'group' }, this.#point, this.#lay, ...folding([
        iconButton(WORDS.smaller, ICON.less, () => this.#zoom(1 / STEP), '−'),
        iconButton(WORDS.larger, ICON.more, () => this.#zoom(STEP), '+'), this.#text.fit, full,
      ], [
        this.#text.read, this.#text.select, iconButton(WORDS.print, ICON.print, () => present('printing')),
        settingsButton(),
      ])))
    const loupe = make('section', { id: 'loupe', class: 'bar fades', 'aria-label': WORDS.zoom },
      iconButton(WORDS.smaller, ICON.less, () => this.#zoom(1 / STEP), '−'),
      iconButton(WORDS.larger, ICON.more, () => this.#zoom(STEP), '+'),
      wordButton(WORDS.whole, 'plain', () => this.#zoom(0)),
      make('div', { class: 'ways' }, ...Object.entries(WAYS).map(([way, [x, y]]) =>
        iconButton(WORDS.pan[way], ARROWS[way], () => this.#pan(x, y)))))
    document.body.append(foot, loupe, this.#hint)
  }

  /** Presses the button of a letter. */
  #key(event) {
    const { read, select, fit, place } = this.#text
    const button = { g: place, l: this.#point, r: read, t: select, w: fit }[event.key.toLowerCase()]
    if (button === undefined || button.hidden || !session.isBook || !isShortcut(event)) return
    // The letter is not for the field that the button may open.
    event.preventDefault()
    button.click()
  }

  #zoom(factor) { app.send(encodeZoomStep(factor, innerWidth / 2, innerHeight / 2)); }

  #pan(x, y) {
    const [width, height] = [innerWidth, innerHeight]
    app.send(encodeWheel({ dx: PAN * x * width, dy: PAN * y * height, x: width / 2, y: height / 2 }))
  }

  async #togglePointing() {
    if (this.#pointing === null) {
      this.#pointing = await app.load('together/pointing')
      this.#pointing?.watch((isOn) => {
        this.#point.setAttribute('aria-pressed', isOn)
        if (isOn) this.#text.toggle(false)
      })
    }
    this.#pointing?.toggle()
  }

  async #toggleFull() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen()
      else await document.documentElement.requestFullscreen({ navigationUI: 'hide' })
    } catch {
      app.notice(WORDS.noFull, 4000)
    }
  }

  #see() {
    const { caption, isBook: isOpen, people, role } = session
    this.#point.hidden = !(people.size > 1 && role?.rights.mayPoint)
    if (this.#point.hidden || !isOpen) this.#pointing?.toggle(false)
    if (isOpen && caption.book !== this.#book) this.#meet(caption.book)
    const { isFlat } = caption
    document.body.dataset.zoomed = isZoomed()
    const waits = isOpen && caption.waitsForImages
    this.#hint.textContent = waits ? WORDS.waiting : ''
    says('hint', waits)
    if (isOpen) {
      this.#scrubber.place = caption
      if (isFlat) name(this.#lay, WORDS.standUp, 'F', ICON.lay)
      else name(this.#lay, WORDS.layFlat, 'F', ICON.stand)
    }
    this.#text.see()
    this.#overlays.see()
    this.#sharpness.see()
  }

  #direct() {
    const { isReversed } = this.#facts
    if (isReversed !== session.isReversed) update({ isReversed })
  }

  /** Loads the length, direction and chapters of a book that has been opened. */
  async #meet(id) {
    this.#book = id
    app.load('printing')
    const { count } = session.caption
    this.#scrubber.book = this.#facts = { count, stops: [], chapters: [], isReversed: false }
    this.#direct()
    if (id === '') return
    const show = (more) => {
      if (this.#book !== id) return
      this.#scrubber.book = Object.assign(this.#facts, more)
      this.#direct()
    }
    factsOf(id).then(({ isReversed }) => show({ isReversed }))
    pagesOf(id).then(({ stops }) => {
      // A recording may show an earlier binding of the book, with another number of stops.
      if (stops.length === count) show({ stops })
    }).catch(() => {})
    outlineOf(id).then((outline) => {
      const top = outline.filter(({ depth, page }) => depth === 0 && page !== null)
      show({ chapters: top })
    }).catch(() => {})
  }
}
