/** The sheet that searches the titles and the text of the open book or of all books. */

import { ask, listOf, textOf } from './api.js'
import { app, session } from './app.js'
import { by } from './chrome.js'
import { outlineOf, walk } from './contents.js'
import { debounced, entry, make, present, radio } from './dom.js'
import { allBooks, forgetBooks, matching } from './find.js'
import { Sheet } from './sheet.js'
import { encodeGo, encodeJump } from './session/wire.js'
import { WORDS } from './words/book.js'

const PAUSE = 200; // ms without typing before the search
const LIMIT = 60; // results listed
const MOST = 200; // matches in a book that the reader goes through
const MOST_TITLES = 7
/** The reasons why a book gives no results, by how much of its text is known. */
const UNKNOWN = { none: WORDS.finder.pictures, some: WORDS.finder.notYet }

export default class Search {
  #sheet = null
  #field
  #results
  #isWide = true
  /** The book that was open when the sheet was last shown; empty for none. */
  #place = ''
  #words = ''
  #asked = null
  /** Whether the reader goes to the first result. */
  #goes = false
  #search = debounced(PAUSE, () => this.#ask())

  /** @param words the text to search for; by default that of the last search */
  show(words = this.#words) {
    this.#words = words
    const { book: place, caption: { title }, mayOpen } = session
    // If another book is open than before, the search begins in that book.
    const isOpen = place !== ''
    if (place !== this.#place || !mayOpen) this.#isWide = !isOpen
    this.#place = place
    forgetBooks()
    this.#goes = false
    const sheet = this.#sheet = new Sheet(WORDS.search, { fills: true, onClose: () => this.#asked?.abort() })
    sheet.said.root.classList.add('counted')
    this.#results = make('ol', { class: 'entries hits', onkeydown: walk })
    this.#field = make('input', {
      type: 'search', 'aria-label': WORDS.finder.field, value: this.#words, autocomplete: 'off',
      spellcheck: 'false', enterkeyhint: 'search', oninput: () => this.#typed(),
      onkeydown: (event) => this.#key(event),
    })
    const scope = (text, isWide) => radio(text, {
      name: 'scope', checked: isWide === this.#isWide, onchange: () => {
        this.#isWide = isWide
        this.#ask()
      },
    })
    const scopes = make('fieldset', { class: 'scopes', 'aria-label': WORDS.finder.where },
      scope(title ? WORDS.finder.inBook(title) : WORDS.finder.inThisBook, false), scope(WORDS.finder.everywhere, true))
    // A guest may search this book, but not the library.
    scopes.hidden = !isOpen || !mayOpen
    sheet.body.append(this.#field, scopes, sheet.said.root, this.#results)
    sheet.open(this.#field).then(() => this.#field.select())
    if (this.#words) this.#ask()
  }

  #key(event) {
    if ((event.key !== 'ArrowDown' && event.key !== 'Enter') || event.isComposing) return
    event.preventDefault()
    if (event.key === 'ArrowDown') return this.#results.querySelector('button')?.focus()
    this.#goes = true
    this.#ask()
  }

  #typed() {
    this.#goes = false
    this.#search()
  }

  async #ask() {
    this.#asked?.abort()
    const words = this.#words = this.#field.value.trim()
    const book = session.book
    if (words === '') {
      this.#results.replaceChildren()
      this.#sheet.said.say('')
      this.#match(book, [])
      return
    }
    const { signal } = this.#asked = new AbortController()
    const isWide = this.#isWide
    try {
      const [{ hits, known }, titles] =
        await Promise.all([hitsFor(words, isWide ? '' : book, LIMIT, signal), this.#titles(words, isWide, book)])
      signal.throwIfAborted()
      this.#write(words, hits, known, titles)
      this.#match(book, hits.filter((hit) => hit.book === book), hits.length < LIMIT)
      if (this.#goes) this.#results.querySelector('button')?.click()
    } catch (error) {
      if (error.name === 'AbortError') return
      this.#results.replaceChildren()
      this.#sheet.said.say(error.message, true)
    }
  }

  /** The titles that contain the words, as entries: those of chapters, or of books. */
  async #titles(words, isWide, book) {
    const found = isWide
      ? matching(await allBooks(), words)
        .map(({ id, title, author }) => this.#entry(id, null, '', [named(title), author]))
      : matching(await outlineOf(book).catch(() => []), words).filter(({ page }) => page !== null)
        .sort((a, b) => a.page - b.page)
        .map(({ title, page, label }) => this.#entry(book, page, label, [named(title)]))
    return found.slice(0, MOST_TITLES)
  }

  /** @param known how much of the book's text is known: "none" if it has no text, "some" while it is being indexed */
  #write(words, hits, known, titles) {
    const { nothingInLibrary, nothingInBook, firstPlaces, places, titles: count } = WORDS.finder
    const nothing = UNKNOWN[known] ?? (this.#isWide ? nothingInLibrary : nothingInBook)(words)
    const { length } = hits
    const said = length === 0 ? '' : (length >= LIMIT ? firstPlaces : places)(length)
    const all = [titles.length > 0 ? count(titles.length) : '', said].filter(Boolean).join(', ')
    this.#sheet.said.say(all || nothing)
    this.#results.replaceChildren(...titles, ...hits.map((hit) => this.#hit(hit)))
  }

  #hit({ book, page, label, title, snippet }) {
    // Every second part, beginning with the second, is a match.
    const words = (Array.isArray(snippet) ? snippet : []).map((part, index) =>
      (index % 2 === 1 ? make('mark', { text: textOf(part) }) : textOf(part)))
    return this.#entry(book, page, label, this.#isWide ? [named(title), ...words] : words)
  }

  #entry(book, page, label, words) {
    const span = make('span', { dir: 'auto' }, ...words)
    return entry(() => this.#go(book, page), {}, span, make('i', { text: textOf(label) }))
  }

  async #go(book, page) {
    const { send } = app
    const words = this.#words
    this.#sheet.close()
    // The next Enter leads to the next place, and not into the search again.
    by('table').focus()
    send(book === session.book && page !== null ? encodeJump(page) : encodeGo({ book, opens: true, page }))
    const { hits } = await hitsFor(words, book, MOST).catch(() => ({ hits: [] }))
    this.#match(book, hits, hits.length < MOST, page)
  }

  /** Hands over the matches in a book, which the reader can go through. */
  #match(book, hits, isComplete = true, page = null) { present('matches', book, hits, isComplete, page); }
}

const named = (title) => make('em', { text: textOf(title), dir: 'auto' })

/** The pages of a book, or of all books, that contain words: {hits, known: how much of the text is known}. */
async function hitsFor(words, book, limit, signal = null) {
  const query = new URLSearchParams({ q: words, limit })
  if (book !== '') query.set('book', book)
  const { hits, words: known } = await ask(`/api/search?${query}`, { signal }) ?? {}
  return { hits: listOf(hits), known }
}
