/** The table of contents of the open book. */

import { ask, bookAt, listOf, textOf } from './api.js'
import { called } from './captions.js'
import { make } from './dom.js'
import { Sheet, saying } from './sheet.js'
import { encodeJump } from './session/wire.js'
import { WORDS } from './words/book.js'

/** Book -> its outline. */
const outlines = new Map()

/** The entries of an outline in a response of any shape. */
export const entriesOf = (told) => listOf(told).map(({ depth, title, page, label }) => ({
  depth: Number.isInteger(depth) && depth > 0 ? depth : 0, title: textOf(title),
  page: Number.isInteger(page) && page >= 0 ? page : null, label: textOf(label) || undefined,
}))

/** The outline of a book as a list of {depth, title, page, label}; empty if it cannot be loaded. */
export async function outlineOf(book) {
  if (!outlines.has(book)) {
    try {
      outlines.set(book, entriesOf(await ask(`${bookAt(book)}/outline`)))
    } catch (error) {
      if (error.status !== 404) throw error
      outlines.set(book, [])
    }
  }
  return outlines.get(book)
}

/** Book -> the promise of its pages. */
const known = new Map()

const labelsIn = ({ labels }) => (Array.isArray(labels) ? labels.map((label) => textOf(label)) : [])

/** The pages of a book in a response of any shape. */
const pagesIn = (answer) => ({
  labels: labelsIn(answer ?? {}),
  stops: listOf(answer?.stops).map((stop) => ({
    page: Number.isInteger(stop.page) ? stop.page : 0, words: called({ labels: labelsIn(stop) }).detail,
  })),
})

/**
 * The pages of a book: {labels, stops}. labels holds the printed number of each page. A stop is a place where
 * the book can be open: {page to jump to, words}.
 */
export function pagesOf(book) {
  if (!known.has(book)) {
    known.set(book, ask(`${bookAt(book)}/pages`).then(pagesIn).catch((error) => {
      known.delete(book)
      throw error
    }))
  }
  return known.get(book)
}

/** The index of the stop at which the book shows a page; -1 if there is none. */
export const stopOf = (stops, page) => stops.findLastIndex((stop) => stop.page <= page)

/** The index of the last entry that begins at or before a stop, -1 before the first. */
export function chapterAt(outline, stops, index) {
  let found = -1
  for (const [place, { page }] of outline.entries()) {
    const stop = page === null ? -1 : stopOf(stops, page)
    if (stop < 0 || stop > index) continue
    if (found < 0 || page >= outline[found].page) found = place
  }
  return found
}

class Contents {
  #context
  #sheet = null

  constructor(context) { this.#context = context; }

  async show() {
    const { book, index, title } = this.#context.view.caption
    const sheet = this.#sheet = new Sheet(WORDS.contents, { subtitle: title, fills: true })
    const said = saying()
    sheet.body.append(said.root)
    const opening = sheet.open()
    try {
      const [outline, { stops }] = await Promise.all([outlineOf(book), pagesOf(book).catch(() => ({ stops: [] }))])
      await opening
      if (sheet !== this.#sheet) return
      if (outline.length === 0) {
        said.say(WORDS.noContents)
        return
      }
      const { list, current } = this.#list(outline, chapterAt(outline, stops, index))
      sheet.body.append(list)
      current?.scrollIntoView({ block: 'center' })
      current?.focus()
    } catch (error) {
      said.say(error.message, true)
    }
  }

  #list(outline, here) {
    let current = null
    const entries = outline.map(({ depth, title, page, label }, index) => {
      const isHere = index === here
      const entry = make('button', {
        type: 'button', class: 'entry', disabled: page === null,
        'aria-current': isHere && 'location', style: `--depth:${Math.min(depth, 6)}`,
        onclick: () => {
          this.#sheet.close()
          this.#context.actions.send(encodeJump(page))
        },
      }, make('span', { text: title || WORDS.unnamed, dir: 'auto' }), make('i', { text: label ?? '' }))
      if (isHere) current = entry
      return make('li', {}, entry)
    })
    const list = make('ol', { class: 'entries', onkeydown: walk }, ...entries)
    return { list, current: current ?? list.querySelector('button') }
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Contents(context)

/** Moves the focus through the entries of a list by arrow keys. */
export function walk(event) {
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  event.stopPropagation()
  const all = [...event.currentTarget.querySelectorAll('button:not(:disabled)')]
  const next = all.indexOf(document.activeElement) + step
  all[Math.max(0, Math.min(all.length - 1, next))]?.focus()
}
