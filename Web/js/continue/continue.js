/**
 * The book on the table of the first screen: the one in which the reader stopped, open at that page. A press opens it
 * there. In a library of one collection, which leaves room, a first book lies there for a new reader.
 */

import { ask, bookAt, textOf } from '../api.js'
import { app, session, watch } from '../app.js'
import { make, printed, style } from '../dom.js'
import { spinesOn } from '../ledges.js'
import { encodeGo } from '../session/wire.js'
import { KIND, SCREEN } from '../wire.js'
import { WORDS as BOOK } from '../words/book.js'
import { WORDS } from '../words/library.js'
import { closedBook, openBook } from './drawing.js'
import { forgetBookmark, storeBookmark, storedBookmark } from './bookmark.js'
import { spaceFor } from './space.js'

const PLANK = 272 / 944; // where the plank of a ledge begins, as a fraction of its width
const TRIED = 3; // books of which one may lie there closed
const COVER = .68; // width of a closed book to its height
const STRIP = 76; // CSS px, the height of a book at the foot of an upright window
const LINE = 30; // CSS px, that of one below the ledges of another window
const LOW = 90; // CSS px below which a closed book is not worth its place

/**
 * Whether the first screen is a reader's alone. In a shared room the others would be brought to its page, which is
 * nobody else's business.
 */
export const isAlone = ({ caption: { screen, filter, count }, role, room, playback, people }) =>
  screen === SCREEN.collections && filter === '' && count > 0 && people.size < 2 &&
  role?.rights.mayShare === true && role.rights.mayTurn && !room?.isShared && !room?.isPlayback && !playback

/** What a bookmark is called, within a sentence; a range of pages does not break. */
export const nameOf = ({ numbers, isMany }) => (numbers === '' ? WORDS.continue.inside
  : WORDS.continue[isMany ? 'pages' : 'page'](numbers.replaceAll('–', '\u2060–\u2060')))

export default class Continue {
  #words = make('span', { class: 'offer' })
  /** The line below the name of its shelf. */
  #opened = make('span', { class: 'opened' })
  #root = make('button', { id: 'continue', type: 'button', hidden: true, onclick: () => this.#open() })
  /** The offered book: {facts, bookmark}; the bookmark is null for one that is closed, and all is null for none. */
  #offer = null
  /** What the offer depends on. */
  #key = ''
  #isAsking = false
  /** What the drawing depends on. */
  #drawn = ''

  constructor() {
    document.getElementById('table').after(this.#root)
    watch(() => this.#see())
  }

  /** The ledges of the list. */
  get #ledges() {
    return app.stage.all.filter(({ content: { kind } }) => kind === KIND.collection)
  }

  get #isAlone() { return isAlone(session); }

  #see() {
    const { caption, isSettled } = session
    if (isSettled) storeBookmark()
    if (caption.screen !== SCREEN.collections || (isSettled && !this.#isAlone)) this.#hide()
    else if (isSettled) this.#show()
  }

  #hide() {
    this.#key = this.#drawn = ''
    this.#offer = null
    this.#clear()
  }

  #clear() {
    this.#root.hidden = true
    document.body.classList.remove('has-strip')
    this.#opened.remove()
  }

  async #show() {
    const bookmark = storedBookmark()
    const { count } = session.caption
    // The address of a ledge has a version that changes with its books.
    const drawings = this.#ledges.map(({ content }) => content.imageURL).sort()
    const key = [bookmark?.book, bookmark?.page, ...drawings].join(' ')
    if (key !== this.#key) {
      this.#key = key
      this.#isAsking = true
      const [offer] = await Promise.all([this.#find(bookmark, count), style('continue')])
      if (key !== this.#key) return
      this.#isAsking = false
      this.#offer = offer
    }
    if (!this.#isAsking) this.#lay()
  }

  /** Finds the book to offer, which must be in the library and readable. */
  async #find(bookmark, count) {
    const isThere = ({ state, collection, deleted }) => state === 'ready' && collection !== '' && deleted === undefined
    if (bookmark !== null) {
      const facts = await ask(bookAt(bookmark.book)).catch(({ status }) => (status === 404 ? {} : null))
      if (facts !== null && isThere(facts)) return { facts, bookmark }
      if (facts !== null) forgetBookmark()
    }
    if (count > 1) return null
    const spines = await spinesOn(this.#ledges[0])
    for (const { book } of spines.slice(0, TRIED)) {
      const facts = await ask(bookAt(textOf(book))).catch(() => null)
      if (facts !== null && isThere(facts)) return { facts, bookmark: null }
    }
    return null
  }

  /** The window, and the box of the list in it. */
  get #boxes() {
    const { count } = session.caption
    const seen = this.#ledges.filter(({ written }) => written.visible)
    const boxes = seen.map(({ root, content: { index } }) => ({ index, box: root.getBoundingClientRect() }))
    if (boxes.length === 0) return null
    const { left, right, width } = boxes[0].box
    const top = document.getElementById('top').getBoundingClientRect().bottom
    const first = boxes.find(({ index }) => index === 0)?.box
    return {
      window: { width: innerWidth, height: innerHeight, top },
      list: {
        left, right, middle: left + PLANK * width, above: first?.top ?? null,
        below: boxes.find(({ index }) => index === count - 1)?.box.bottom ?? null,
      },
      isAtTop: first !== undefined && first.top >= top - 2,
    }
  }

  /** Lays the book where there is space for it, or at the foot of the window while the list is at its beginning. */
  #lay() {
    const boxes = this.#boxes
    if (!this.#isAlone || this.#offer === null || boxes === null) return this.#clear()
    const { facts, bookmark } = this.#offer
    const shape = bookmark?.shape ?? COVER
    const space = spaceFor(boxes.window, boxes.list, shape)
    const isShown = space === null ? bookmark !== null && boxes.isAtTop : bookmark !== null || space.high > LOW
    this.#root.hidden = !isShown
    document.body.classList.toggle('has-strip', isShown && space === null)
    this.#write(facts, bookmark)
    if (!isShown) return
    const isUpright = innerHeight > innerWidth
    const high = Math.round(space?.high ?? (isUpright ? STRIP : LINE))
    this.#root.className = space?.form ?? (isUpright ? 'strip' : 'strip low')
    this.#root.style.cssText = `--high:${high}px;${space === null ? '' : `left:${space.left}px;top:${space.top}px;` +
      `width:${space.width}px;height:${space.height}px;--middle:${boxes.list.middle - space.left}px`}`
    const drawn = `${this.#key} ${high} ${devicePixelRatio} ${document.documentElement.dataset.light}`
    if (drawn === this.#drawn) return
    this.#drawn = drawn
    this.#root.replaceChildren(bookmark === null
      ? closedBook(facts, high, COVER)
      : openBook(bookmark, facts, high), this.#words)
  }

  /** Says what lies there, beside it and below the name of its shelf. */
  #write(facts, bookmark) {
    const title = textOf(facts.title) || BOOK.unnamed
    const verb = bookmark === null ? WORDS.continue.begin : WORDS.continue.title
    this.#words.replaceChildren(make('b', { text: verb }), ' ',
      make('span', { dir: 'auto' }, ...printed(bookmark === null ? [{ name: title }]
        : WORDS.continue.at(title, nameOf(bookmark)))))
    this.#opened.remove()
    if (bookmark === null) return
    const ledge = this.#ledges.find(({ content }) => content.imageURL.startsWith(`/ledges/${facts.collection}.svg`))
    this.#opened.replaceChildren(...printed(WORDS.continue.isOpen(title, nameOf(bookmark))))
    ledge?.root.querySelector('.wall p')?.append(this.#opened)
  }

  #open() {
    const { facts, bookmark } = this.#offer
    app.send(encodeGo({ book: facts.id, opens: true, page: bookmark?.page ?? null }))
  }
}
