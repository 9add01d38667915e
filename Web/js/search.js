/** The sheet that searches the text of the open book or of all books. */

import { ask, listOf, textOf } from './api.js'
import { walk } from './contents.js'
import { debounced, make } from './dom.js'
import { Sheet, saying } from './sheet.js'
import { encodeGo, encodeJump } from './session/wire.js'
import { SCREEN } from './wire.js'
import { WORDS } from './words/book.js'

const PAUSE = 200; // ms without typing before the search
const LIMIT = 60; // results listed
/** The reasons why a book gives no results, by how much of its text is known. */
const UNKNOWN = { none: WORDS.finder.pictures, some: WORDS.finder.notYet }

class Search {
  #context
  #sheet = null
  #field
  #results
  #said
  #isWide = true
  /** The book that was open when the sheet was last shown; empty for none. */
  #place = ''
  #words = ''
  #asked = null
  #search = debounced(PAUSE, () => this.#ask())

  constructor(context) { this.#context = context; }

  /** @param words the text to search for; by default that of the last search */
  show(words = this.#words) {
    this.#words = words
    const { screen, title, book } = this.#context.view.caption
    const isOpen = screen === SCREEN.book
    // If another book is open than before, the search begins in that book.
    const place = isOpen ? book : ''
    const mayOpen = this.#context.session.role?.rights.mayShare === true
    if (place !== this.#place || !mayOpen) this.#isWide = !isOpen
    this.#place = place
    const sheet = this.#sheet = new Sheet(WORDS.search, { fills: true, onClose: () => this.#asked?.abort() })
    this.#said = saying()
    this.#said.root.classList.add('counted')
    this.#results = make('ol', { class: 'entries hits', onkeydown: walk })
    this.#field = make('input', {
      type: 'search', 'aria-label': WORDS.finder.field, value: this.#words, autocomplete: 'off',
      spellcheck: 'false', enterkeyhint: 'search', oninput: () => this.#search(),
      onkeydown: (event) => this.#key(event),
    })
    const scope = (text, isWide) => make('label', {}, make('input', {
      type: 'radio', name: 'scope', checked: isWide === this.#isWide, onchange: () => {
        this.#isWide = isWide
        this.#ask()
      },
    }), make('span', { text }))
    const scopes = make('fieldset', { class: 'scopes', 'aria-label': WORDS.finder.where },
      scope(title ? WORDS.finder.inBook(title) : WORDS.finder.inThisBook, false), scope(WORDS.finder.everywhere, true))
    // A guest may search this book, but not the library.
    scopes.hidden = !isOpen || !mayOpen
    sheet.body.append(this.#field, scopes, this.#said.root, this.#results)
    sheet.open(this.#field).then(() => this.#field.select())
    if (this.#words) this.#ask()
  }

  #key(event) {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    if (event.key === 'Enter') this.#ask()
    else this.#results.querySelector('button')?.focus()
  }

  async #ask() {
    this.#asked?.abort()
    const words = this.#words = this.#field.value.trim()
    const { book } = this.#context.view.caption
    if (words === '') {
      this.#results.replaceChildren()
      this.#said.say('')
      this.#mark(null)
      return
    }
    const asked = this.#asked = new AbortController()
    const query = new URLSearchParams({ q: words, limit: LIMIT })
    if (!this.#isWide) query.set('book', book)
    try {
      const { hits, words: known } = await ask(`/api/search?${query}`, { signal: asked.signal }) ?? {}
      this.#write(words, listOf(hits), known)
    } catch (error) {
      if (error.name === 'AbortError') return
      this.#results.replaceChildren()
      this.#said.say(error.message, true)
    }
  }

  /** @param known how much of the book's text is known: "none" if it has no text, "some" while it is being indexed */
  #write(words, hits, known) {
    const { book, screen } = this.#context.view.caption
    const { nothingInLibrary, nothingInBook, firstPlaces, places } = WORDS.finder
    const nothing = UNKNOWN[known] ?? (this.#isWide ? nothingInLibrary : nothingInBook)(words)
    const { length } = hits
    this.#said.say(length === 0 ? nothing : (length >= LIMIT ? firstPlaces : places)(length))
    this.#results.replaceChildren(...hits.map((hit) => this.#hit(hit)))
    const marks = new Map()
    for (const { book: of, page, boxes } of hits) {
      if (of !== book || screen !== SCREEN.book || !Array.isArray(boxes)) continue
      marks.set(page, [...marks.get(page) ?? [], ...boxes])
    }
    this.#mark(marks)
  }

  #hit({ book, page, label, title, snippet }) {
    // Every second part, beginning with the second, is a match.
    const words = make('span', {}, ...(Array.isArray(snippet) ? snippet : []).map((part, index) =>
      (index % 2 === 1 ? make('mark', { text: textOf(part) }) : textOf(part))))
    words.dir = 'auto'
    if (this.#isWide) words.prepend(make('em', { text: textOf(title), dir: 'auto' }))
    return make('li', {}, make('button', {
      type: 'button', class: 'entry', onclick: () => this.#go(book, page),
    }, words, make('i', { text: textOf(label) })))
  }

  #go(book, page) {
    const { send } = this.#context.actions
    const { caption } = this.#context.view
    this.#sheet.close()
    const isHere = caption.screen === SCREEN.book && caption.book === book
    send(isHere ? encodeJump(page) : encodeGo({ book, opens: true, page }))
  }

  async #mark(marks) {
    if (this.#context.view.caption.screen === SCREEN.book) (await this.#context.actions.load('reading'))?.mark(marks)
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Search(context)
