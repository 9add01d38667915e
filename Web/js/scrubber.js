/** The fore-edge below the open book: a ruler whose ribbon is where the book is open. */

import { make } from './dom.js'
import { pageAt, placeOf, spreadOf, ticks } from './foreedge.js'

const SVG = 'http://www.w3.org/2000/svg'
const MARGIN = 7; // CSS px at both ends, half a ribbon

export class Scrubber {
  root = make('div', { class: 'fore', role: 'slider', tabindex: '0', 'aria-label': 'Page' })

  #unread = document.createElementNS(SVG, 'path')
  #read = document.createElementNS(SVG, 'path')
  #ribbon = document.createElementNS(SVG, 'path')
  #preview = make('output', { class: 'preview', hidden: true })
  #book = { pages: 1, chapters: [], isReversed: false }
  #page = 1
  #held = null
  #onPick

  /** @param onPick called with the page at which the ribbon was let go */
  constructor(onPick) {
    this.#onPick = onPick
    const svg = document.createElementNS(SVG, 'svg')
    svg.setAttribute('aria-hidden', 'true')
    this.#unread.setAttribute('class', 'unread')
    this.#ribbon.setAttribute('class', 'ribbon')
    this.#ribbon.setAttribute('d', 'M-6.500 4h13v34l-6.500-5.500-6.500 5.500z')
    svg.append(this.#unread, this.#read, this.#ribbon)
    this.root.append(svg, this.#preview)
    new ResizeObserver(() => this.#draw()).observe(this.root)
    this.#listen()
  }

  /** @param book {pages, chapters: [{page, title}], isReversed} */
  set book(book) {
    this.#book = book
    this.#draw()
  }

  /** The first page of the open spread. */
  set page(page) {
    this.#page = page
    this.#draw()
  }

  get #width() { return this.root.clientWidth - 2 * MARGIN; }

  #draw() {
    const { pages, chapters, isReversed } = this.#book
    const width = this.#width
    if (width <= 0) return
    const page = this.#held ?? this.#page
    const lines = ['', '']
    for (const tick of ticks(pages, width, chapters.map((chapter) => chapter.page), isReversed)) {
      lines[tick.page <= page ? 1 : 0] += `M${(tick.x + MARGIN).toFixed(1)} ${tick.isTall ? 15 : 23}V32`
    }
    this.#unread.setAttribute('d', lines[0])
    this.#read.setAttribute('d', lines[1])
    const x = placeOf(page, pages, width, isReversed) + MARGIN
    this.#ribbon.setAttribute('transform', `translate(${x.toFixed(1)} 0)`)
    const root = this.root
    const spread = this.#words(spreadOf(page))
    root.setAttribute('aria-valuemin', '0')
    root.setAttribute('aria-valuemax', String(Math.max(0, pages - 1)))
    root.setAttribute('aria-valuenow', String(page))
    root.setAttribute('aria-valuetext', `${spread} of ${pages}`)
    this.#preview.hidden = this.#held === null
    if (this.#held === null) return
    const chapter = chapters.findLast((one) => one.page <= page + 1)
    this.#preview.textContent = chapter ? `${spread}. ${chapter.title}` : spread
    this.#preview.style.left = `${x}px`
  }

  #words(page) {
    const last = Math.min(page + 1, Math.max(1, this.#book.pages - 1))
    return last > page ? `Pages ${page}–${last}` : `Page ${page}`
  }

  #listen() {
    const root = this.root
    const hold = (event) => {
      const { pages, isReversed } = this.#book
      const x = event.clientX - root.getBoundingClientRect().left - MARGIN
      this.#held = pageAt(x, pages, this.#width, isReversed)
      this.#draw()
    }
    const drop = () => {
      this.#held = null
      this.#draw()
    }
    root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      root.setPointerCapture(event.pointerId)
      hold(event)
    })
    root.addEventListener('pointermove', (event) => { if (this.#held !== null) hold(event); })
    root.addEventListener('pointerup', () => {
      const page = this.#held
      if (page === null) return
      // The ribbon stays where it was put until the server says where the book is.
      if (page !== this.#page) this.#onPick(this.#page = page)
      drop()
    })
    root.addEventListener('pointercancel', drop)
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#held === null) return
      event.stopPropagation()
      drop()
    })
  }
}
