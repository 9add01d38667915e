/**
 * The letters of a long shelf, below its slider: a tap or a drag on them leads to the first title of a letter. A letter
 * key on the slider leads to the next title with it. While the slider is used, the title under the finger is above it.
 */

import { app, session, watch } from './app.js'
import { isUnmodified, make } from './dom.js'
import { allBooks, folded, forgetBooks, keyOf, matching } from './find.js'
import { placeOf } from './foreedge.js'
import { ORDER, encodeJump } from './session/wire.js'
import { SCREEN } from './wire.js'

const LONG = 60; // books on a shelf that has no letters yet
const FEW = 4, MANY = 40; // letters of a row
const ORDERLY = 1.25; // runs of titles with the same letter for each letter of a shelf in alphabetical order
const THUMB = 11; // CSS px, the width of the slider's thumb

/** The letter under which a title is found; '#' for a number, and empty for neither. */
export function initialOf(title) {
  const [first = ''] = /[\p{L}\p{N}]/u.exec(folded(title)) ?? []
  return /\p{N}/u.test(first) ? '#' : first.toUpperCase()
}

/**
 * The books of the shelf on which a book is, in the order in which they are shown; empty if that is not known, because
 * only the server knows when each was read.
 */
export function shelfWith(books, { book, order, filter }) {
  const collection = books.find(({ id }) => id === book)?.collection
  if (!collection || (order !== ORDER.shelved && order !== ORDER.title)) return []
  const found = new Set(filter === '' ? books : matching(books, filter))
  const shelf = books.filter((one) => one.collection === collection && found.has(one))
  if (order === ORDER.shelved) return shelf
  const keyed = shelf.map((one) => ({ one, key: keyOf(one) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one)
}

/** The first title of each letter, as {letter, index}; empty for a shelf that is not in alphabetical order. */
export function lettersOf(titles) {
  const runs = []
  for (const [index, title] of titles.entries()) {
    const letter = initialOf(title)
    if (letter !== '' && runs.at(-1)?.letter !== letter) runs.push({ letter, index })
  }
  const firsts = runs.filter(({ letter }, n) => runs.findIndex((one) => one.letter === letter) === n)
  return firsts.length >= FEW && firsts.length <= MANY && runs.length <= ORDERLY * firsts.length ? firsts : []
}

/** The index of the next title after one that has a letter, from the beginning after the last; -1 if there is none. */
export function nextWith(titles, letter, after) {
  const order = titles.map((_, n) => (after + 1 + n) % titles.length)
  return order.find((index) => initialOf(titles[index]) === letter) ?? -1
}

export default class Letters {
  #slide = document.getElementById('slide')
  #row = make('div', { id: 'letters', 'aria-hidden': 'true' })
  #bubble = make('span', { class: 'bubble', 'aria-hidden': 'true' })
  /** The titles of the shelf in their order, and its letters; both are empty while that is not known. */
  #titles = []
  #letters = []
  #key = ''
  /** The index to which this page has led last; null once the server has answered. */
  #sent = null

  constructor() {
    this.#slide.after(this.#row, this.#bubble)
    this.#slide.addEventListener('input', () => this.#show(this.#slide.valueAsNumber))
    this.#slide.addEventListener('keydown', (event) => this.#type(event))
    const drag = (event) => {
      if (event.type === 'pointerdown') this.#row.setPointerCapture(event.pointerId)
      if (this.#row.hasPointerCapture(event.pointerId)) this.#pick(event)
    }
    for (const type of ['pointerdown', 'pointermove']) this.#row.addEventListener(type, drag)
    watch(() => this.#see())
  }

  async #see() {
    const { caption } = session
    const { screen, count, order, filter, heading } = caption
    const isLong = screen === SCREEN.shelf && count > LONG && session.mayOpen
    const key = isLong ? `${order} ${count} ${filter} ${heading}` : ''
    if (key !== this.#key) {
      this.#key = key
      this.#write([])
      const shelf = isLong ? await this.#shelf(caption) : []
      if (key !== this.#key) return
      this.#write(shelf.map(({ title }) => title))
    }
    this.#sent = null
    this.#show(this.#slide.matches(':active') ? this.#slide.valueAsNumber : session.caption.index)
  }

  /** The books of the shelf; empty if no list has them. A list that is older than the shelf is loaded again, once. */
  async #shelf(caption) {
    const { count, book, index } = caption
    for (const isLast of [false, true]) {
      const shelf = shelfWith(await allBooks(), caption)
      if (shelf.length === count && shelf[index]?.id === book) return shelf
      if (!isLast) forgetBooks()
    }
    return []
  }

  #write(titles) {
    this.#titles = titles
    this.#letters = lettersOf(titles)
    this.#row.replaceChildren(...this.#letters.map(({ letter }) => make('i', { text: letter })))
    document.body.classList.toggle('has-titles', titles.length > 0)
    document.body.classList.toggle('has-letters', this.#letters.length > 0)
  }

  /** Shows the letter and the title of a book above its place on the slider. */
  #show(index) {
    const title = this.#titles[index]
    if (title === undefined) return
    const here = this.#letters.findLastIndex((one) => one.index <= index)
    for (const [n, node] of [...this.#row.children].entries()) node.className = n === here ? 'here' : ''
    this.#bubble.replaceChildren(make('b', { text: initialOf(title) }), make('span', { text: title, dir: 'auto' }))
    const { offsetLeft, offsetWidth } = this.#slide
    const x = offsetLeft + THUMB / 2 + placeOf(index, this.#titles.length, offsetWidth - THUMB)
    this.#bubble.style.setProperty('--x', `${x.toFixed(1)}px`)
  }

  #go(index) {
    if (index === (this.#sent ?? session.caption.index)) return
    this.#sent = index
    this.#slide.value = index
    this.#show(index)
    app.send(encodeJump(index))
  }

  #pick({ clientX }) {
    const { left, width } = this.#row.getBoundingClientRect()
    const { length } = this.#letters
    const n = Math.max(0, Math.min(length - 1, Math.floor((clientX - left) / width * length)))
    if (length > 0) this.#go(this.#letters[n].index)
  }

  #type(event) {
    const { key } = event
    if (!isUnmodified(event) || !/^[\p{L}\p{N}]$/u.test(key) || this.#titles.length === 0) return
    event.preventDefault()
    const index = nextWith(this.#titles, initialOf(key), this.#sent ?? session.caption.index)
    if (index >= 0) this.#go(index)
  }
}
