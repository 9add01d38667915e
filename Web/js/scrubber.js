/** The fore-edge below the open book: a ruler whose ribbon is where the book is open. */

import { make } from './dom.js'
import { placeOf, spreadAt, ticks } from './foreedge.js'

const SVG = 'http://www.w3.org/2000/svg'
const MARGIN = 7; // CSS px at both ends, half a ribbon

export class Scrubber {
  root = make('div', { class: 'fore', role: 'slider', tabindex: '0', 'aria-label': 'Page' })

  #unread = document.createElementNS(SVG, 'path')
  #read = document.createElementNS(SVG, 'path')
  #ribbon = document.createElementNS(SVG, 'path')
  #preview = make('output', { class: 'preview', hidden: true })
  #book = { count: 1, spreads: [], labels: [], chapters: [], isReversed: false }
  #chapters = []
  #spread = 0
  #words = ''
  #held = null
  #onPick

  /** @param onPick called with the first page of the spread at which the ribbon was let go */
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

  /**
   * @param book {count of spreads, spreads: the pages of each, labels of pages, chapters: [{page, title}],
   * isReversed}; without spreads the ribbon cannot be pulled yet
   */
  set book(book) {
    this.#book = book
    const of = new Map(book.spreads.flatMap((pages, spread) => pages.map((page) => [page, spread])))
    this.#chapters = book.chapters.filter(({ page }) => of.has(page))
      .map(({ page, title }) => ({ spread: of.get(page), title }))
    this.#draw()
  }

  /** Where the book is open: {index of the spread, detail: the server's words for it}. */
  set place({ index, detail }) {
    this.#spread = index
    this.#words = detail
    this.#draw()
  }

  get #width() { return this.root.clientWidth - 2 * MARGIN; }

  #draw() {
    const { count, isReversed } = this.#book
    const width = this.#width
    if (width <= 0) return
    const spread = this.#held ?? this.#spread
    const lines = ['', '']
    for (const tick of ticks(count, width, this.#chapters.map((chapter) => chapter.spread), isReversed)) {
      lines[tick.spread <= spread ? 1 : 0] += `M${(tick.x + MARGIN).toFixed(1)} ${tick.isTall ? 15 : 23}V32`
    }
    this.#unread.setAttribute('d', lines[0])
    this.#read.setAttribute('d', lines[1])
    const x = placeOf(spread, count, width, isReversed) + MARGIN
    this.#ribbon.setAttribute('transform', `translate(${x.toFixed(1)} 0)`)
    const root = this.root
    const words = this.#held === null ? this.#words : this.#called(spread)
    root.setAttribute('aria-valuemin', '0')
    root.setAttribute('aria-valuemax', String(Math.max(0, count - 1)))
    root.setAttribute('aria-valuenow', String(spread))
    root.setAttribute('aria-valuetext', words)
    this.#preview.hidden = this.#held === null
    if (this.#held === null) return
    const chapter = this.#chapters.findLast((one) => one.spread <= spread)
    this.#preview.textContent = chapter ? `${words}. ${chapter.title}` : words
    this.#preview.style.left = `${x}px`
  }

  #called(spread) {
    const { spreads, labels } = this.#book
    const [first, last = first] = spreads[spread] ?? []
    return last === first ? `Page ${labels[first] ?? ''}` : `Pages ${labels[first]}–${labels[last]}`
  }

  #listen() {
    const root = this.root
    const hold = (event) => {
      const { count, isReversed } = this.#book
      const x = event.clientX - root.getBoundingClientRect().left - MARGIN
      this.#held = spreadAt(x, count, this.#width, isReversed)
      this.#draw()
    }
    const drop = () => {
      this.#held = null
      this.#draw()
    }
    root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#book.spreads.length === 0) return
      root.setPointerCapture(event.pointerId)
      hold(event)
    })
    root.addEventListener('pointermove', (event) => { if (this.#held !== null) hold(event); })
    root.addEventListener('pointerup', () => {
      const spread = this.#held
      if (spread === null) return
      // The ribbon stays where it was put until the server says where the book is.
      if (spread !== this.#spread) this.#onPick(this.#book.spreads[this.#spread = spread][0])
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
