/** The controls of the shelves: the label below the book, what can be done with it, finding and adding. */

import { ask, bookAt, listOf, textOf } from './api.js'
import { topBar } from './bar.js'
import { GLASS, icon, iconButton, make, name, wordButton } from './dom.js'
import { Ledges } from './ledges.js'
import { CAPTION, SCREEN, encodeWheel } from './wire.js'

const MOST_TICKS = 60
const SCROLL = 448; // stage points by which an arrow moves the list: two shelves
const LOOK = 250; // ms at rest before the state of a book is asked for

const ICON = {
  back: 'M14.500 5 7.500 12l7 7',
  forward: 'M9.500 5l7 7-7 7',
  pen: 'M5 19l1-4.500L15.500 5 19 8.500 9.500 18 5 19ZM13.500 7l3.500 3.500',
  plus: 'M12 5v14M5 12h14',
  tape: 'M4.500 6.500h15v11h-15ZM10.500 9.500v5l4-2.500Z',
}
/** The mark: two pages and the ribbon. */
const MARK = [
  'M15 23.500 3 15V3l12 8.500Z', 'M15 23.500 27 15V3L15 11.500Z', 'M19 8.700v9.800l2.200-1.500 2.200-1.600V5.600Z',
]

class Library {
  #desk
  #bar
  #title = make('span', { class: 'title', dir: 'auto' })
  #detail = make('span', { class: 'detail', dir: 'auto' })
  #open
  #care = make('div', { id: 'care' })
  #ticks = make('div', { id: 'ticks', 'aria-hidden': 'true' })
  #empty = make('div', { id: 'empty', hidden: true })
  #previous
  #next
  #add
  #edit
  #tapes
  #ledges
  /** What was asked of the library, once this reader may open it. */
  #asked = null
  #find
  #looking = 0
  #seen = ''
  #opened = ''

  constructor(desk, bar) {
    this.#desk = desk
    this.#bar = bar
    this.#ledges = new Ledges(desk)
    this.#print()
    desk.watch(() => this.#see())
    document.addEventListener('keydown', (event) => this.#type(event))
  }

  /** Adds what was dropped, if the library takes any. */
  async add(dropped) {
    await this.#asked
    if (!this.#mayOpen || this.#add.hidden) this.#desk.notice('This library takes no books from here.', 5000)
    else this.summon('upload', dropped)
  }

  /** Whether the library is open to this reader, and not only what somebody shares. */
  get #mayOpen() { return this.#desk.role?.rights.mayShare === true; }

  async summon(name, ...values) { (await this.#desk.summon(name))?.show(...values); }

  #print() {
    const { press } = this.#desk
    const isList = () => this.#desk.caption.screen === SCREEN.collections
    const words = (text, path, onclick) =>
      make('button', { class: 'words', type: 'button', onclick }, icon(path), make('span', { text }))
    const mark = make('div', { id: 'mark' }, icon(''), 'Lectern')
    mark.firstChild.setAttribute('viewBox', '0 0 30 26')
    mark.firstChild.replaceChildren(...MARK.map((path) => icon(path).firstChild))
    this.#edit = iconButton('About this book', ICON.pen, () => this.summon('edit'))
    this.#edit.id = 'edit'
    this.#add = words('Add a book', ICON.plus, () => this.summon('upload'))
    this.#add.id = 'upload'
    this.#add.hidden = true
    this.#find = iconButton('Find a book', GLASS, () => this.summon('find'))
    this.#find.id = 'find'
    this.#tapes = words('Recordings', ICON.tape, () => this.summon('recordings'))
    this.#tapes.id = 'recordings'
    this.#tapes.hidden = true
    const join = make('button', {
      id: 'join', class: 'line', type: 'button', onclick: () => this.summon('together/door'),
    }, 'Join', make('span', { text: '\u00a0with a code' }))
    this.#bar.prepend(mark)
    document.getElementById('heading').after(this.#find, this.#edit, this.#tapes, this.#add)
    this.#bar.append(join)

    this.#open = make('button', {
      id: 'open', type: 'button', 'aria-keyshortcuts': 'Enter', onclick: () => press('Enter'),
    }, this.#title, this.#detail)
    const scroll = (dy) => this.#desk.send(encodeWheel({ dx: 0, dy, x: innerWidth / 2, y: innerHeight / 2 }))
    this.#previous = iconButton('Previous', ICON.back, () => (isList() ? scroll(-SCROLL) : press('ArrowLeft')))
    this.#next = iconButton('Next', ICON.forward, () => (isList() ? scroll(SCROLL) : press('ArrowRight')))
    document.body.append(
      make('section', { id: 'label', class: 'bar', 'aria-label': 'The book in the middle' },
        this.#open, this.#care, this.#ticks),
      make('nav', { id: 'foot', class: 'bar fades', 'aria-label': 'Turn' }, this.#previous, this.#next),
      this.#empty)
  }

  #see() {
    const { caption, isSettled } = this.#desk
    const { screen, index, count, title, detail, book, filter } = caption
    this.#seeOpened()
    if (screen === SCREEN.book) return
    const isShelf = screen === SCREEN.shelf
    this.#title.textContent = title
    this.#detail.textContent = detail
    this.#open.classList.toggle('begun', (caption.flags & CAPTION.begun) !== 0)
    this.#open.setAttribute('aria-label', `Open ${title}`)
    name(this.#previous, isShelf ? 'Previous book' : 'Further up')
    name(this.#next, isShelf ? 'Next book' : 'Further down')
    if (isShelf) this.#turns(index > 0, index + 1 < count)
    else if (isSettled) this.#turns(this.#ledges.isMoreAbove, this.#ledges.isMoreBelow(count))
    this.#ledges.see()
    this.#find.hidden = !this.#mayOpen
    this.#edit.hidden = screen !== SCREEN.shelf || book === '' || !this.#mayOpen
    if (this.#mayOpen && this.#asked === null) {
      this.#asked = this.#askForUploads()
      this.#askForRecordings()
    }
    this.#drawTicks(screen === SCREEN.shelf && count <= MOST_TICKS ? count : 0, index)
    this.#seeEmpty()
    if (filter !== '') this.#desk.summon('find')
    if (screen !== SCREEN.shelf || this.#seen !== book) {
      this.#seen = ''
      this.#care.replaceChildren()
    }
    clearTimeout(this.#looking)
    if (this.#mayOpen && isSettled && screen === SCREEN.shelf && book !== '' && this.#seen !== book) {
      this.#looking = setTimeout(() => this.#look(book), LOOK)
    }
  }

  /** A book of one page may be one that cannot be read, and then something may be done about it. */
  async #seeOpened() {
    const { caption: { screen, book, count }, isSettled } = this.#desk
    if (screen !== SCREEN.book) this.#opened = ''
    if (screen !== SCREEN.book || count !== 1 || !isSettled || !this.#mayOpen || this.#opened === book) return
    this.#opened = book
    const record = await ask(bookAt(book)).catch(() => null)
    if (record !== null && record.state !== 'ready' && this.#opened === book) this.summon('fault', record)
  }

  /** Whether there is anything that way; a control that goes dark gives the keyboard to the other. */
  #turns(isBefore, isBehind) {
    const active = document.activeElement
    this.#previous.disabled = !isBefore
    this.#next.disabled = !isBehind
    if (active === this.#previous && !isBefore) this.#next.focus()
    if (active === this.#next && !isBehind) this.#previous.focus()
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

  /** Nothing to see: says why, and what to do. */
  #seeEmpty() {
    const { count, flags, filter, screen } = this.#desk.caption
    const isFiltered = (flags & CAPTION.nothingFound) !== 0
    const isEmpty = isFiltered || (count === 0 && filter === '' && screen === SCREEN.collections)
    this.#empty.hidden = !isEmpty
    if (!isEmpty) return
    const canAdd = this.#mayOpen && !this.#add.hidden
    const print = (title, words, ...acts) => this.#empty.replaceChildren(
      make('div', { class: 'print' }), make('h2', { text: title }), make('p', { text: words }), ...acts)
    if (isFiltered) {
      print(`No book answers to “${filter}”`, 'Try a part of its title, or the name of who wrote it.',
        wordButton('Show all books', 'line', async () => (await this.#desk.summon('find'))?.clear()))
    } else {
      print('The table is clear', canAdd
        ? 'Drop a book anywhere here: PDF, comic, EPUB, or a folder of pictures.'
        : 'There is no book in this library yet.',
      ...(canAdd ? [wordButton('Choose files', 'key', () => this.summon('upload', null, true))] : []))
    }
  }

  /** A book that is not ready says why, and what can be done about it. */
  async #look(book) {
    const record = await ask(bookAt(book)).catch(() => null)
    const isStill = () => this.#desk.caption.book === book && this.#desk.caption.screen === SCREEN.shelf
    if (record === null || !isStill()) return
    this.#seen = book
    const fault = record.state === 'ready' ? null : await this.#desk.summon('fault')
    if (!isStill()) return
    const again = () => {
      this.#seen = ''
      this.#look(book)
    }
    this.#care.replaceChildren(...fault?.parts(record, again) ?? [])
  }

  /** A letter is the beginning of a name. */
  #type(event) {
    const { key, target, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey || !/^[\p{L}\p{N}]$/u.test(key)) return
    if (this.#desk.caption.screen === SCREEN.book || !this.#mayOpen || target.closest?.('input, select, dialog')) return
    event.preventDefault()
    this.summon('find', key)
  }

  async #askForUploads() {
    try {
      const { enabled, shelf } = await ask('/api/uploads') ?? {}
      this.#desk.uploads = { isOn: enabled === true, shelf: textOf(shelf) }
      this.#add.hidden = enabled !== true
      this.#seeEmpty()
    } catch {
      this.#desk.uploads = { isOn: false, shelf: '' }
    }
  }

  async #askForRecordings() {
    try {
      this.#tapes.hidden = listOf(await ask('/api/recordings')).length === 0
    } catch {
      // Then none is shown.
    }
  }
}

/** The controls of this module, for the desk, when its style holds. */
export async function controls(desk) {
  return new Library(desk, await topBar(desk))
}
