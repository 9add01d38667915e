/** The scrubber below the open book: its fore-edge as a ruler, whose ribbon marks the open place. */

import { stopOf } from './contents.js'
import { draw, make } from './dom.js'
import { placeOf, stopAt, ticks } from './foreedge.js'
import { WORDS } from './words/book.js'

const MARGIN = 7; // CSS px at each end, half the width of the ribbon

export class Scrubber {
  root = make('div', { class: 'fore', role: 'slider', tabindex: '0', 'aria-label': WORDS.page })

  #unread = draw('path', { class: 'unread' })
  #read = draw('path')
  #ribbon = draw('path', { class: 'ribbon', d: 'M-6.500 4h13v34l-6.500-5.500-6.500 5.500z' })
  #preview = make('output', { class: 'preview', hidden: true })
  #book = { count: 1, stops: [], chapters: [], isReversed: false }
  #chapters = []
  #stop = 0
  #words = ''
  #held = null
  #onPick

  /** @param onPick called with the page of the stop at which the reader releases the ribbon */
  constructor(onPick) {
    this.#onPick = onPick
    this.root.append(draw('svg', { 'aria-hidden': 'true' }, this.#unread, this.#read, this.#ribbon), this.#preview)
    new ResizeObserver(() => this.#draw()).observe(this.root)
    this.#listen()
  }

  /**
   * @param book {count: the number of stops, stops: [{page, words}], chapters: [{page, title}], isReversed}; without
   *   stops the ribbon cannot be moved
   */
  set book(book) {
    this.#book = book
    this.#chapters = book.chapters.map(({ page, title }) => ({ stop: stopOf(book.stops, page), title }))
      .filter(({ stop }) => stop >= 0)
    this.#draw()
  }

  /** The open place: {index: that of its stop, detail: what it is called}. */
  set place({ index, detail }) {
    this.#stop = index
    this.#words = detail
    this.#draw()
  }

  get #width() { return this.root.clientWidth - 2 * MARGIN; }

  #draw() {
    const { count, isReversed } = this.#book
    const width = this.#width
    if (width <= 0) return
    const stop = this.#held ?? this.#stop
    const lines = ['', '']
    for (const tick of ticks(count, width, this.#chapters.map((chapter) => chapter.stop), isReversed)) {
      lines[tick.stop <= stop ? 1 : 0] += `M${(tick.x + MARGIN).toFixed(1)} ${tick.isTall ? 15 : 23}V32`
    }
    this.#unread.setAttribute('d', lines[0])
    this.#read.setAttribute('d', lines[1])
    const x = placeOf(stop, count, width, isReversed) + MARGIN
    this.#ribbon.setAttribute('transform', `translate(${x.toFixed(1)} 0)`)
    const root = this.root
    const words = this.#held === null ? this.#words : this.#book.stops[stop]?.words ?? ''
    root.setAttribute('aria-valuemin', '0')
    root.setAttribute('aria-valuemax', String(Math.max(0, count - 1)))
    root.setAttribute('aria-valuenow', String(stop))
    root.setAttribute('aria-valuetext', words)
    this.#preview.hidden = this.#held === null
    if (this.#held === null) return
    const chapter = this.#chapters.findLast((one) => one.stop <= stop)
    this.#preview.textContent = chapter ? WORDS.inChapter(words, chapter.title) : words
    this.#preview.style.left = `${x}px`
  }

  #listen() {
    const root = this.root
    const hold = (event) => {
      const { count, isReversed } = this.#book
      const { left, width } = root.getBoundingClientRect()
      // In a large window the bar is enlarged.
      const x = (event.clientX - left) * root.clientWidth / width - MARGIN
      this.#held = stopAt(x, count, this.#width, isReversed)
      this.#draw()
    }
    const drop = () => {
      this.#held = null
      this.#draw()
    }
    root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || this.#book.stops.length === 0) return
      root.setPointerCapture(event.pointerId)
      hold(event)
    })
    root.addEventListener('pointermove', (event) => { if (this.#held !== null) hold(event); })
    root.addEventListener('pointerup', () => {
      const stop = this.#held
      if (stop === null) return
      // The ribbon stays where it was released until the server sends the place of the book.
      if (stop !== this.#stop) this.#onPick(this.#book.stops[this.#stop = stop].page)
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
