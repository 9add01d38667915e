/** The table of contents of the open book. */

import { ask, bookAt, listOf, once, textOf } from './api.js'
import { app, session } from './app.js'
import { called } from './captions.js'
import { entry, make } from './dom.js'
import { Sheet } from './sheet.js'
import { encodeJump } from './session/wire.js'
import { WORDS } from './words/book.js'

/** Book -> the promise of its outline. */
const outlines = new Map()

/** The entries of an outline in a response of any shape. */
export const entriesOf = (outline) => listOf(outline).map(({ depth, title, page, label }) => ({
  depth: Number.isInteger(depth) && depth > 0 ? depth : 0, title: textOf(title),
  page: Number.isInteger(page) && page >= 0 ? page : null, label: textOf(label) || undefined,
}))

/** The outline of a book as a list of {depth, title, page, label}; throws if it cannot be loaded. */
export const outlineOf = (book) => once(outlines, book, () =>
  ask(`${bookAt(book)}/outline`).then(entriesOf, (error) => {
    if (error.status !== 404) throw error
    return []
  }))

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
export const pagesOf = (book) => once(known, book, () => ask(`${bookAt(book)}/pages`).then(pagesIn))

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

export function show() {
  const { book, index, title } = session.caption
  const sheet = new Sheet(WORDS.contents, { subtitle: title, fills: true })
  sheet.body.append(sheet.said.root)
  const loading = Promise.all([outlineOf(book), pagesOf(book).catch(() => ({ stops: [] }))])
  sheet.openWith(loading, ([outline, { stops }]) => {
    if (outline.length === 0) return sheet.said.say(WORDS.noContents)
    const here = chapterAt(outline, stops, index)
    const entries = outline.map((chapter, n) => entryFor(sheet, chapter, n === here))
    sheet.body.append(make('ol', { class: 'entries', onkeydown: walk }, ...entries))
    const current = (entries[here] ?? entries[0]).firstChild
    current.scrollIntoView({ block: 'center' })
    current.focus()
  })
}

const entryFor = (sheet, { depth, title, page, label }, isHere) => entry(() => {
  sheet.close()
  app.send(encodeJump(page))
}, {
  disabled: page === null, 'aria-current': isHere && 'location', style: `--depth:${Math.min(depth, 6)}`,
}, make('span', { text: title || WORDS.unnamed, dir: 'auto' }), make('i', { text: label ?? '' }))

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
