/** The controls of the shelves: the label below the middle book, and the buttons that find, add and correct books. */

import { ask, bookAt, listOf, textOf } from './api.js'
import { app, session, update, watch } from './app.js'
import { settingsButton, topBar } from './bar.js'
import { show } from './chrome.js'
import { ARROWS, GLASS, icon, iconButton, isShortcut, make, name, present, wordButton } from './dom.js'
import { Imports } from './imports.js'
import { Ledges } from './ledges.js'
import { encodeJump, encodeWheel } from './session/wire.js'
import { SCREEN } from './wire.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

const MOST_TICKS = 60
const SCROLL = 448; // stage points by which an arrow moves the list: two shelves
const LOOK = 250; // ms at rest before the page requests the state of a book

const ICON = {
  pen: 'M5 19l1-4.500L15.500 5 19 8.500 9.500 18 5 19ZM13.500 7l3.500 3.500',
  plus: 'M12 5v14M5 12h14',
  row: 'M8.500 5h7v14h-7ZM2.500 8H5v8H2.500M21.500 8H19v8h2.500',
  wall: 'M4 4.500h4v6H4ZM10 4.500h4v6h-4ZM16 4.500h4v6h-4ZM4 13.500h4v6H4ZM10 13.500h4v6h-4ZM16 13.500h4v6h-4Z',
  bin: 'M5 7h14M9.500 7V4.500h5V7M7 7l1 12.500h8l1-12.500M10.500 10v6.500M13.500 10v6.500',
  tape: 'M4.500 6.500h15v11h-15ZM10.500 9.500v5l4-2.500Z',
}
/** The logo: two pages and a ribbon. */
const MARK = [
  'M15 23.500 3 15V3l12 8.500Z', 'M15 23.500 27 15V3L15 11.500Z', 'M19 8.700v9.800l2.200-1.500 2.200-1.600V5.600Z',
]

const bar = await topBar()

const named = (id, node, hidden = false) => Object.assign(node, { id, hidden })

/** A button with an icon and a text. */
const words = (text, path, onclick) =>
  make('button', { class: 'words', type: 'button', onclick }, icon(path), make('span', { text }))

const scroll = (dy) => app.send(encodeWheel({ dx: 0, dy, x: innerWidth / 2, y: innerHeight / 2 }))

export default class Library {
  #title = make('span', { class: 'title', dir: 'auto' })
  #detail = make('span', { class: 'detail', dir: 'auto' })
  #open = make('button', {
    id: 'open', type: 'button', 'aria-keyshortcuts': 'Enter', onclick: () => this.#explain() || app.press('Enter'),
  }, this.#title, this.#detail)
  #care = make('div', { id: 'care' })
  #name = make('span', { class: 'named', 'aria-hidden': 'true', dir: 'auto' })
  #ticks = make('div', { id: 'ticks', 'aria-hidden': 'true' })
  #empty = make('section', { id: 'empty', hidden: true, 'aria-label': WORDS.finder.found })
  #previous = iconButton(WORDS.previousBook, ARROWS.left, () => this.#turn(-SCROLL, 'ArrowLeft', 'PageUp'))
  #next = iconButton(WORDS.nextBook, ARROWS.right, () => this.#turn(SCROLL, 'ArrowRight', 'PageDown'))
  #slide = make('input', {
    id: 'slide', type: 'range', min: '0', 'aria-label': WORDS.slide,
    oninput: () => app.send(encodeJump(this.#slide.valueAsNumber)),
    // Without the focus on it, Enter opens the book.
    onpointerup: () => setTimeout(() => this.#slide.blur()),
  })
  #add = named('upload', words(WORDS.add, ICON.plus, () => present('upload')), true)
  #edit = named('edit', iconButton(WORDS.about, ICON.pen, () => present('edit')))
  #wall = named('wall', iconButton(WORDS.wall, ICON.wall, () => app.press(this.#isWall ? '+' : '-'), '−'))
  #bin = named('bin', iconButton(WORDS.bin.name, ICON.bin, () => present('bin')), true)
  #tapes = named('recordings', words(WORDS.recordings, ICON.tape, () => present('recordings')), true)
  #find = named('find', iconButton(WORDS.find, GLASS, () => present('find')))
  #ledges = new Ledges()
  #imports = new Imports(() => this.#seeEmpty())
  /** The number of books or shelves when the imports were looked at. */
  #counted = -1
  /** Resolves when the page knows whether it can upload; null before this reader may open the library. */
  #asked = null
  #looking = 0
  #seen = ''

  constructor() {
    this.#print()
    watch(() => this.#see())
    document.addEventListener('keydown', (event) => this.#type(event))
  }

  /** Uploads dropped files, if the library accepts uploads. */
  async add(dropped) {
    await this.#asked
    if (!session.mayOpen || this.#add.hidden) app.notice(COMMON.bar.takesNoBooks, 5000)
    else present('upload', dropped)
  }

  #print() {
    this.#add.lastChild.dataset.widest = WORDS.upload.adding(99)
    const join = make('button', {
      id: 'join', class: 'line', type: 'button', onclick: () => present('together/join'),
    }, WORDS.join, make('span', { text: WORDS.joinWithCode }))
    bar.prepend(make('div', { id: 'mark' }, icon(MARK, '0 0 30 26'), COMMON.program))
    // The bar is laid out from its end: what is shown later is before what it would push away.
    document.getElementById('share').before(this.#imports.node, this.#tapes, this.#add)
    bar.append(this.#edit, this.#bin, this.#wall, this.#find, named('settings', settingsButton()), join)
    document.body.append(
      make('section', { id: 'label', class: 'bar', 'aria-label': WORDS.label },
        this.#open, this.#care, this.#ticks),
      make('nav', { id: 'foot', class: 'bar fades', 'aria-label': WORDS.turn },
        this.#previous, this.#slide, this.#name, this.#next),
      this.#empty)
  }

  /** Moves the list, or goes to another book by a key. */
  #turn(dy, inRow, onWall) {
    if (session.caption.screen === SCREEN.collections) scroll(dy)
    else app.press(this.#isWall ? onWall : inRow)
  }

  #see() {
    const { caption, isBook, isSettled, mayOpen } = session
    const { screen, index, count, title, detail, book, filter } = caption
    if (isBook) return
    const isShelf = screen === SCREEN.shelf
    this.#title.textContent = title
    this.#detail.textContent = detail
    this.#open.classList.toggle('begun', caption.isBegun)
    this.#open.setAttribute('aria-label', WORDS.open(isShelf ? title : this.#ledges.titleOf(index)))
    const isRow = isShelf && !this.#isWall
    name(this.#previous, isRow ? WORDS.previousBook : WORDS.up)
    name(this.#next, isRow ? WORDS.nextBook : WORDS.down)
    this.#wall.hidden = !isShelf || count < 2
    if (this.#isWall) name(this.#wall, WORDS.row, '+', ICON.row)
    else name(this.#wall, WORDS.wall, '−', ICON.wall)
    if (isShelf) this.#turns(index > 0, index + 1 < count)
    else if (isSettled) this.#turns(this.#ledges.isMoreAbove, this.#ledges.isMoreBelow(count))
    this.#ledges.see()
    this.#find.hidden = !mayOpen
    this.#edit.hidden = !isShelf || book === '' || !mayOpen
    if (mayOpen && this.#asked === null) this.#asked = this.#askForMore()
    if (mayOpen && count !== this.#counted) this.#imports.look()
    this.#counted = count
    this.#seeSlide(isShelf, count, index, title)
    this.#drawTicks(isShelf && count <= MOST_TICKS ? count : 0, index)
    this.#seeEmpty()
    if (filter !== '') app.load('find')
    if (!isShelf || this.#seen !== book) {
      this.#seen = ''
      this.#care.replaceChildren()
    }
    clearTimeout(this.#looking)
    if (mayOpen && isSettled && isShelf && book !== '' && this.#seen !== book) {
      this.#looking = setTimeout(() => this.#look(book), LOOK)
    }
  }

  /** Shows what is wrong with the book in the middle, which cannot be opened; true if that is so. */
  #explain() {
    const { cannotOpen, screen, book } = session.caption ?? {}
    if (!cannotOpen || screen !== SCREEN.shelf || !session.mayOpen) return false
    ask(bookAt(book)).then((record) => record.state !== 'ready' && present('fault', record), console.warn)
    return true
  }

  /** Whether the covers of the shelf are a wall. */
  get #isWall() { return session.caption.isWall; }

  /** Enables or disables the two arrows; an arrow that is disabled moves the focus to the other. */
  #turns(isBefore, isBehind) {
    const active = document.activeElement
    this.#previous.disabled = !isBefore
    this.#next.disabled = !isBehind
    if (active === this.#previous && !isBefore) this.#next.focus()
    if (active === this.#next && !isBehind) this.#previous.focus()
  }

  /** Shows where the book is on the shelf, except while the reader moves the slider. */
  #seeSlide(isShelf, count, index, title) {
    const slide = this.#slide
    slide.hidden = !isShelf || count < 3
    // The arrows are shown while one of the controls beside them can be used.
    slide.disabled = slide.hidden
    slide.parentNode.classList.toggle('slides', !slide.hidden)
    slide.max = count - 1
    if (!slide.matches(':active')) slide.value = index
    slide.setAttribute('aria-valuetext', title)
    this.#name.textContent = title
    slide.classList.toggle('plain', count > MOST_TICKS || this.#isWall)
    document.body.classList.toggle('has-many', isShelf && count > MOST_TICKS)
    if (isShelf && count > MOST_TICKS) app.load('letters')
  }

  #drawTicks(count, index) {
    const ticks = this.#ticks
    while (ticks.childElementCount > count) ticks.lastChild.remove()
    while (ticks.childElementCount < count) ticks.append(make('i'))
    const gap = Math.min(26, 260 / Math.max(1, count))
    ticks.style.setProperty('--gap', `${gap}px`)
    document.body.style.setProperty('--ticks', `${gap * count}px`)
    for (const [i, tick] of [...ticks.children].entries()) tick.className = i === index ? 'here' : ''
  }

  /** Shows why there are no books, and what to do. */
  #seeEmpty() {
    const { count, findsNothing, filter, screen } = session.caption
    const isEmpty = findsNothing || (count === 0 && filter === '' && screen === SCREEN.collections)
    show(this.#empty, isEmpty)
    if (!isEmpty) return
    const canAdd = session.mayOpen && !this.#add.hidden
    const progress = this.#imports.node.textContent
    const print = (title, words, ...acts) => this.#empty.replaceChildren(
      make('div', { class: 'print' }), make('h2', { text: title }), make('p', { text: words }), ...acts)
    if (findsNothing) {
      print(WORDS.nothingFound(filter), WORDS.findOtherwise,
        wordButton(WORDS.showAll, 'line', async () => (await app.load('find'))?.clear()))
    } else if (progress !== '') {
      print(WORDS.comingIn, progress)
    } else {
      print(canAdd ? WORDS.empty : WORDS.emptyForGuests, canAdd ? WORDS.dropBook : WORDS.noBookYet,
        ...(canAdd ? [wordButton(WORDS.chooseFiles, 'key', () => present('upload', null, true))] : []))
    }
  }

  /** Shows why a book is not ready, and the remedy. */
  async #look(book) {
    const record = await ask(bookAt(book)).catch(() => null)
    const isStill = () => session.caption.book === book && session.caption.screen === SCREEN.shelf
    if (record === null || !isStill()) return
    this.#seen = book
    const fault = record.state === 'ready' ? null : await app.load('fault')
    if (!isStill()) return
    const again = () => {
      this.#seen = ''
      this.#look(book)
    }
    this.#care.replaceChildren(...fault?.parts(record, again) ?? [])
  }

  /** Shows the button of the bin while there are books in it. */
  async seeBin() {
    const books = await ask('/api/bin').catch(() => null)
    if (books !== null) this.#bin.hidden = listOf(books).length === 0
  }

  /** Uses a typed letter as the beginning of a name to find. */
  #type(event) {
    const { key, target } = event
    if (key === 'Enter' && !target.closest?.('a, button, input, select, dialog')) this.#explain()
    if (!/^[\p{L}\p{N}]$/u.test(key) || !isShortcut(event) || session.isBook || !session.mayOpen) return
    event.preventDefault()
    present('find', key)
  }

  /** Shows at once the buttons that depend on the library, so that none of them pushes the other away. */
  async #askForMore() {
    const [uploads, recordings] = await Promise.all(['/api/uploads', '/api/recordings'].map((address) =>
      ask(address).catch(() => null)))
    const isOn = uploads?.enabled === true
    update({ uploads: { isOn, shelf: isOn ? textOf(uploads.shelf) : '' } })
    this.#add.hidden = !isOn
    this.#tapes.hidden = listOf(recordings).length === 0
    await this.seeBin()
    this.#seeEmpty()
  }
}
