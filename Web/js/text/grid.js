/** The sheet with small pictures of all pages. Only those near the visible part exist. */

import { app, session, watch } from '../app.js'
import { pagesOf } from '../contents.js'
import { make } from '../dom.js'
import { at } from '../root.js'
import { encodeJump } from '../session/wire.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/text.js'
import { factsOf, pageOf, presentNumbers, presentPages } from './pages.js'

const CHUNK = 60; // pages, a multiple of every number of columns
const COLUMNS = [2, 6]; // the fewest and the most
const WIDTH = 100; // CSS px of a column, at least
const AHEAD = '600px 0px'; // beyond the visible part, where pictures are loaded

/** The number of columns that fit a width. */
export const columnsFor = (width) => Math.max(COLUMNS[0], Math.min(COLUMNS[1], Math.floor(width / WIDTH)))

/** The page to which a key leads; undefined for another key. */
export function stepTo(key, page, { count, columns, isReversed }) {
  const ahead = isReversed ? -1 : 1
  const to = {
    ArrowRight: page + ahead, ArrowLeft: page - ahead, ArrowDown: page + columns, ArrowUp: page - columns,
    PageDown: page + 3 * columns, PageUp: page - 3 * columns, Home: 0, End: count - 1,
  }[key]
  return to === undefined ? to : Math.max(0, Math.min(count - 1, to))
}

/** The address of a page's picture in a size, which has the version of another picture of the book. */
export const pictureAddress = (book, page, known, size = 'thumb') => (known === undefined
  ? `/b/${encodeURIComponent(book)}/p/${page}/${size}`
  : known.replace(/\/p\/\d+\/\w+/, `/p/${page}/${size}`).replace(/#.*/, ''))

export default class AllPages {
  #sheet = null
  #book = ''
  #labels = []
  #isReversed = false
  #columns = COLUMNS[0]
  /** The list of pages; null until it is built. */
  #list = null
  /** Chunk -> its first page. */
  #chunks = new Map()
  /** The page that the keyboard has reached. */
  #at = 0
  /** The address of a picture of the book. */
  #known

  constructor() {
    watch(() => this.#see())
  }

  show() {
    const { book, title } = session.caption
    const sheet = this.#sheet = new Sheet(WORDS.all, { subtitle: title, onClose: () => { this.#sheet = null; } })
    sheet.root.classList.add('wide')
    sheet.body.append(sheet.said.root)
    this.#list = null
    sheet.openWith(Promise.all([pagesOf(book), factsOf(book)]), ([{ labels }, { isReversed }]) => {
      if (labels.length === 0) return
      this.#book = book
      this.#labels = labels
      this.#isReversed = isReversed
      this.#build(sheet)
    })
  }

  #build(sheet) {
    const here = presentPages()
    this.#known = here[0]?.imageURL
    this.#at = Math.min(this.#labels.length - 1, here.length > 0 ? Number(pageOf(here[0])) : 0)
    this.#list = make('div', {
      class: 'thumbs', role: 'list', dir: this.#isReversed ? 'rtl' : 'ltr', onkeydown: (event) => this.#key(event),
      onclick: ({ target }) => this.#go(target.closest('button')),
      onfocusin: ({ target }) => this.#reach(Number(target.dataset.page)),
    })
    this.#chunks.clear()
    for (let first = 0; first < this.#labels.length; first += CHUNK) {
      this.#chunks.set(make('div', { class: 'chunk', role: 'presentation' }), first)
    }
    this.#list.append(...this.#chunks.keys())
    sheet.body.append(this.#list)
    new ResizeObserver(() => this.#measure()).observe(this.#list)
    this.#measure()
    this.#focus(this.#at, 'center')
    const near = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#fill(target, isIntersecting)
    }, { root: this.#list, rootMargin: AHEAD })
    for (const chunk of this.#chunks.keys()) near.observe(chunk)
  }

  /** Gives each chunk the height of its rows, whether it is filled or not. */
  #measure() {
    this.#columns = columnsFor(this.#list.clientWidth)
    this.#list.style.setProperty('--columns', this.#columns)
    for (const [chunk, first] of this.#chunks) {
      const count = Math.min(CHUNK, this.#labels.length - first)
      chunk.style.setProperty('--rows', Math.ceil(count / this.#columns))
    }
  }

  #chunkOf(page) { return [...this.#chunks.keys()][Math.floor(page / CHUNK)]; }

  /** Fills a chunk with its pages, or empties it; that of the page with the focus stays. */
  #fill(chunk, isNear) {
    const isFilled = chunk.firstChild !== null
    if (isNear === isFilled || (!isNear && chunk === this.#chunkOf(this.#at))) return
    const first = this.#chunks.get(chunk)
    chunk.replaceChildren(...isNear
      ? this.#labels.slice(first, first + CHUNK).map((label, n) => this.#thumb(first + n, label)) : [])
    this.#see()
  }

  #thumb(page, label) {
    return make('div', { role: 'listitem', 'aria-posinset': page + 1, 'aria-setsize': this.#labels.length },
      make('button', {
        type: 'button', class: 'thumb', 'data-page': page, tabindex: page === this.#at ? '0' : '-1',
        'aria-label': WORDS.page(label),
      },
      make('img', {
        src: at(pictureAddress(this.#book, page, this.#known)), alt: '', loading: 'lazy', decoding: 'async',
      }),
      make('span', { text: label })))
  }

  /** Marks the present pages. */
  #see() {
    if (this.#sheet === null || this.#list === null) return
    if (session.book !== this.#book) return this.#sheet.close()
    const present = presentNumbers()
    for (const button of this.#list.querySelectorAll('button')) {
      if (present.includes(Number(button.dataset.page))) button.setAttribute('aria-current', 'page')
      else button.removeAttribute('aria-current')
    }
  }

  #button(page) { return this.#list.querySelector(`[data-page="${page}"]`); }

  /** Makes a page the one to which the Tab key leads. */
  #reach(page) {
    this.#button(this.#at)?.setAttribute('tabindex', '-1')
    this.#at = page
    this.#button(page)?.setAttribute('tabindex', '0')
  }

  #focus(page, block) {
    this.#fill(this.#chunkOf(page), true)
    const button = this.#button(page)
    button?.scrollIntoView({ block })
    button?.focus({ preventScroll: true })
  }

  #key(event) {
    const page = stepTo(event.key, this.#at, {
      count: this.#labels.length, columns: this.#columns, isReversed: this.#isReversed,
    })
    if (page === undefined) return
    event.preventDefault()
    this.#focus(page, 'nearest')
  }

  #go(button) {
    if (button === null) return
    this.#sheet.close()
    app.send(encodeJump(Number(button.dataset.page)))
  }
}
