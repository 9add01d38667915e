/** The contents of the open book. */

import { ask, bookAt, listOf, textOf } from './api.js'
import { make } from './dom.js'
import { Sheet, saying } from './sheet.js'
import { encodeJump } from './wire.js'

/** The outlines already fetched, by book. */
const outlines = new Map()

/** The entries of an outline as it was told, whatever shape that is. */
export const entriesOf = (told) => listOf(told).map(({ depth, title, page, label }) => ({
  depth: Number.isInteger(depth) && depth > 0 ? depth : 0, title: textOf(title),
  page: Number.isInteger(page) && page >= 0 ? page : null, label: textOf(label) || undefined,
}))

/** The outline of a book: {depth, title, page, label}; none that could not be had. */
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

/** What the pages of books are called and how they lie in spreads, by book. */
const sorts = new Map()

const lines = (told) => (Array.isArray(told) ? told : [])
const sorted = (told) => ({
  labels: lines(told?.labels).map((label) => textOf(label)),
  spreads: lines(told?.spreads).map((pages) => lines(pages).filter(Number.isInteger)),
})

/** The pages of a book: {labels: what each is called, spreads: the pages that each shows}. */
export function pagesOf(book) {
  if (!sorts.has(book)) {
    sorts.set(book, ask(`${bookAt(book)}/pages`).then(sorted).catch((error) => {
      sorts.delete(book)
      throw error
    }))
  }
  return sorts.get(book)
}

/** The last page of the spread that shows a page. */
async function lastOpen(book, page) {
  const { spreads } = await pagesOf(book).catch(() => ({ spreads: [] }))
  return spreads.find((pages) => pages.includes(page))?.at(-1) ?? page
}

/** The index of the last entry that begins at or before a page, -1 before the first. */
export function chapterAt(outline, page) {
  let found = -1
  for (const [index, entry] of outline.entries()) {
    if (entry.page !== null && entry.page !== undefined && entry.page <= page) {
      if (found < 0 || entry.page >= outline[found].page) found = index
    }
  }
  return found
}

class Contents {
  #desk
  #sheet = null

  constructor(desk) { this.#desk = desk; }

  async show() {
    const { book, page, title } = this.#desk.caption
    const sheet = this.#sheet = new Sheet('Contents', { subtitle: title })
    const said = saying()
    sheet.body.append(said.root)
    const opening = sheet.open()
    try {
      const outline = await outlineOf(book)
      await opening
      if (sheet !== this.#sheet) return
      if (outline.length === 0) {
        said.say('This book has no table of contents. Slide the ribbon below the book instead.')
        return
      }
      const { list, current } = this.#list(outline, chapterAt(outline, await lastOpen(book, page)))
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
        type: 'button', class: 'entry', disabled: page === null || page === undefined,
        'aria-current': isHere && 'location', style: `--depth:${Math.min(depth, 6)}`,
        onclick: () => {
          this.#sheet.close()
          this.#desk.send(encodeJump(page))
        },
      }, make('span', { text: title || 'Without a name', dir: 'auto' }), make('i', { text: label ?? '' }))
      if (isHere) current = entry
      return make('li', {}, entry)
    })
    const list = make('ol', { class: 'entries', onkeydown: walk }, ...entries)
    return { list, current: current ?? list.querySelector('button') }
  }
}

/** The controls of this module, for the desk. */
export const controls = (desk) => new Contents(desk)

/** Arrow keys go through the entries of a list. */
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
