/** The field above the shelves that finds books by name, and the order of the books. */

import { ask, listOf, textOf } from './api.js'
import { app, session, watch } from './app.js'
import { says, show } from './chrome.js'
import { CROSS, debounced, entry, iconButton, make, present } from './dom.js'
import { walk } from './contents.js'
import { ORDER, encodeArrange, encodeGo } from './session/wire.js'
import { WORDS } from './words/library.js'

const PAUSE = 150; // ms without typing before the search
const MOST = 7; // books listed below the field
const MOST_BYTES = 200; // of a filter

/** Letters with strokes that are no separable marks, as the library reads them. */
const PLAIN = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' }
/** A text without case, accents and other marks. */
export const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  .replace(/[øłđßæœı]/g, (letter) => PLAIN[letter])

/** The promise of the library's books: {id, title, author, collection}; null before they are needed. */
let books = null

/** The books of the library; empty if they cannot be loaded. */
export const allBooks = () => books ??= ask('/api/books').then((answer) =>
  listOf(answer).map(({ id, title, author, collection }) =>
    ({ id: textOf(id), title: textOf(title), author: textOf(author), collection: textOf(collection) }))).catch(() => [])

/** Has the books loaded again when they are next needed. */
export const forgetBooks = () => { books = null; }

/** The ids of the books that a filter leaves. */
export const idsOf = async (filter) => new Set(matching(await allBooks(), filter).map(({ id }) => id))

/** What a filter searches, and what the order by title compares. */
export const keyOf = ({ title, author }) => folded(author ? `${title} ${author}` : title)

const wordsOf = (filter) => folded(filter).split(/\s+/).filter(Boolean)

/** The books whose title or author contains every word; those whose title begins with the words are first. */
export function matching(books, words) {
  const wanted = wordsOf(words)
  if (wanted.length === 0) return []
  const found = books.filter((book) => wanted.every((word) => keyOf(book).includes(word)))
  const rank = ({ title }) => (folded(title).startsWith(wanted[0]) ? 0 : 1)
  return found.sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title))
}

/** The longest beginning of a text that fits into a number of bytes. */
export function clipped(text, most = MOST_BYTES) {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return text
  return new TextDecoder().decode(bytes.slice(0, most)).replace(/\uFFFD+$/, '')
}

export default class Find {
  #field = make('input', {
    type: 'search', placeholder: WORDS.find, 'aria-label': WORDS.find, autocomplete: 'off',
    spellcheck: 'false', enterkeyhint: 'go', oninput: () => this.#arrange(), onkeydown: (event) => this.#key(event),
  })
  #order = make('select', { 'aria-label': WORDS.finder.order, onchange: () => this.#send() },
    ...Object.entries(WORDS.finder.orders).map(([value, text]) => make('option', { value: ORDER[value], text })))
  #list = make('ol', { class: 'found', 'aria-label': WORDS.finder.found, onkeydown: walk })
  #root = make('div', { id: 'finder', role: 'search', hidden: true },
    this.#field, this.#order, iconButton(WORDS.showAll, CROSS, () => this.clear(), 'Esc'), this.#list)
  #books = null
  /** The element that had the focus before the field was opened. */
  #from = null
  /** The arrangement that was sent last. */
  #sent = { order: 0, filter: '' }
  #arrange = debounced(PAUSE, () => this.#send())

  constructor() {
    document.getElementById('top').append(this.#root)
    this.#root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      this.clear()
    })
    watch(() => this.#see())
  }

  /** Opens the field with a text that has been typed already. */
  show(typed = '') {
    if (this.#root.hidden) this.#from = document.activeElement
    show(this.#root)
    this.#field.value += typed
    this.#field.focus()
    if (typed) this.#arrange()
    forgetBooks()
    this.#fetch()
  }

  /** Shows all books again and closes the field. */
  clear() {
    this.#field.value = ''
    this.#send()
    this.#list.replaceChildren()
    says('found', false)
    this.#close()
  }

  #close() {
    const hadFocus = this.#root.contains(document.activeElement)
    show(this.#root, false)
    if (!hadFocus) return
    document.activeElement.blur()
    this.#from?.focus()
  }

  async #fetch() {
    this.#books = await allBooks()
    this.#write()
  }

  #see() {
    const { caption: { filter, order }, isBook } = session
    if (isBook) this.#close()
    // Another member may have changed the filter; that does not change a field in use.
    if (this.#root.contains(document.activeElement)) return
    this.#sent = { order, filter }
    this.#field.value = filter
    this.#order.value = String(order)
    show(this.#root, !isBook && filter !== '')
  }

  #send() {
    const filter = clipped(this.#field.value.trim())
    const order = Number(this.#order.value)
    if (filter !== this.#sent.filter || order !== this.#sent.order) {
      this.#sent = { order, filter }
      app.send(encodeArrange(this.#sent))
    }
    this.#write()
  }

  #write() {
    // The last entry would move down as the books arrive.
    if (this.#books === null) return
    const words = this.#field.value.trim()
    const found = matching(this.#books, words)
    const line = (onclick, title, author) =>
      entry(onclick, {}, make('span', { text: title, dir: 'auto' }), make('i', { text: author, dir: 'auto' }))
    this.#list.replaceChildren(...found.slice(0, MOST).map((book) =>
      line(() => this.#go(book), book.title, book.author ?? '')))
    says('found', words !== '')
    if (words === '') return
    this.#list.append(line(() => this.#search(words), WORDS.finder.searchPages(words), ''))
  }

  /** Goes to a book on its shelf without a filter. The book gets the focus, so the next Enter opens it. */
  #go({ id }) {
    this.#from = null
    this.clear()
    app.send(encodeGo({ book: id }))
  }

  #search(words) {
    this.clear()
    present('search', words)
  }

  #key(event) {
    const first = this.#list.querySelector('button')
    if (event.key === 'Enter') {
      event.preventDefault()
      first?.click()
    } else if (event.key === 'ArrowDown' && first) {
      event.preventDefault()
      first.focus()
    }
  }
}
