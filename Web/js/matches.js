/** The matches of a search in the open book, one after the other: a slip in the bar at the top, and keys. */

import { app, session, watch } from './app.js'
import { by, show } from './chrome.js'
import { ARROWS, CROSS, iconButton, isUnmodified, make } from './dom.js'
import { encodeJump } from './session/wire.js'
import { isBox, presentNumbers } from './text/pages.js'
import { WORDS } from './words/book.js'

/**
 * The index of the match to go to, around the ends of the book.
 * @param pages the pages of the matches, ascending
 * @param at the index of the match at which the reader was last; -1 for none
 * @param present the pages in the window, ascending: a reader who has turned on goes on from there
 * @param step 1 towards the end of the book, -1 towards its beginning
 */
export function matchFrom(pages, at, present, step) {
  const last = pages.length - 1
  if (at >= 0 && (present.length === 0 || present.includes(pages[at]))) return (at + step + pages.length) % pages.length
  const found = step > 0
    ? pages.findIndex((page) => page >= (present[0] ?? 0))
    : pages.findLastIndex((page) => page <= (present.at(-1) ?? Infinity))
  return found >= 0 ? found : step > 0 ? 0 : last
}

/** The matches in an answer of any shape, by page: [{page, boxes}]. */
export const matchesIn = (hits) => hits.filter(({ page }) => Number.isInteger(page))
  .map(({ page, boxes }) => ({ page, boxes: Array.isArray(boxes) ? boxes.filter(isBox) : [] }))
  .sort((a, b) => a.page - b.page)

export default class Matches {
  #root
  #said = make('span', { role: 'status' })
  #book = ''
  #all = []
  #at = -1
  /** Whether the match has been in the window, which takes a moment; until then, the next step is from it. */
  #isReached = false
  /** Whether the library has found no others. */
  #isComplete = true
  /** Whether the book of the matches is open; a search in all books leads to a book that will be. */
  #isHere = false

  constructor() {
    this.#root = make('search', { id: 'matches', class: 'lasting', 'aria-label': WORDS.search, hidden: true },
      iconButton(WORDS.finder.previous, ARROWS.up, () => this.#go(-1), 'Shift+F3'), this.#said,
      iconButton(WORDS.finder.next, ARROWS.down, () => this.#go(1), 'F3'),
      iconButton(WORDS.finder.end, CROSS, () => this.#end(), 'Esc'))
    by('heading').after(this.#root)
    addEventListener('keydown', (event) => this.#key(event), { capture: true })
    watch(() => this.#see())
  }

  /**
   * Shows the matches of a search in a book, once it is open; without any, forgets those of the last one.
   * @param page the page to which the reader goes; by default none
   */
  show(book, hits, isComplete, page = null) {
    const here = book === this.#book ? this.#all[this.#at]?.page : null
    this.#book = book
    this.#all = matchesIn(hits)
    this.#at = this.#all.findIndex((match) => match.page === (page ?? here))
    this.#isReached = this.#at < 0
    this.#isComplete = isComplete
    this.#isHere = false
    this.#draw()
    this.#see()
    if (this.#all.length === 0) this.#mark()
  }

  #end() {
    if (this.#root.contains(document.activeElement)) document.activeElement.blur()
    this.show('', [], true)
  }

  #see() {
    const isHere = this.#all.length > 0 && session.isBook && session.book === this.#book
    const isAtRest = isHere && session.isSettled
    if (isAtRest && presentNumbers().includes(this.#all[this.#at]?.page)) this.#isReached = true
    if (isHere === this.#isHere) return
    this.#isHere = isHere
    if (!isHere) return this.#end()
    this.#draw()
    this.#mark()
  }

  #go(step) {
    this.#at = matchFrom(this.#all.map(({ page }) => page), this.#at, this.#isReached ? presentNumbers() : [], step)
    this.#isReached = false
    app.send(encodeJump(this.#all[this.#at].page))
    this.#draw()
    this.#mark()
    this.#see()
  }

  #draw() {
    show(this.#root, this.#isHere)
    const { length } = this.#all
    const count = this.#isComplete ? length : `${length}+`
    const { places, position } = WORDS.finder
    this.#said.textContent = this.#at < 0 ? places(count) : position(this.#at + 1, count)
  }

  async #mark() {
    if (!session.isBook) return
    const reading = await app.load('reading')
    reading?.mark(new Map(this.#all.map(({ page, boxes }) => [page, boxes])), this.#all[this.#at]?.page)
  }

  #key(event) {
    const { key, shiftKey, target } = event
    if (!this.#isHere || !isUnmodified(event) || document.querySelector('dialog[open]')) return
    const isPress = target.closest?.('button, a, input, select') && !(shiftKey && this.#root.contains(target))
    const isStep = key === 'F3' || (key === 'Enter' && !isPress)
    if (!isStep && key !== 'Escape') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (isStep) this.#go(shiftKey ? -1 : 1)
    else this.#end()
  }
}
