/** The size of the type in the open book: each size is an edition of its own, at the page with the same text. */

import { ask, bookAt, having, listOf, textOf } from '../api.js'
import { app, session } from '../app.js'
import { pagesOf } from '../contents.js'
import { make, radio } from '../dom.js'
import { encodeGo } from '../session/wire.js'
import { WORDS } from '../words/settings.js'

const WAIT = 500; // ms until the page asks again how much of a new edition is indexed
const TRIES = 60

/** The choice of a size, as an element for a sheet; null if the reader has none. */
export async function typeSizes(sheet) {
  // A guest sees the book that others chose.
  if (!session.mayOpen) return null
  const { book, index } = session.caption
  const [facts, { stops }] = await Promise.all([ask(bookAt(book)), pagesOf(book)])
  const page = stops[index]?.page ?? 0
  const editions = await editionsOf(book, page)
  if (facts?.flows !== true && editions.length === 0) return null
  const chosen = editions[0]?.size === 'standard' ? 'large' : 'standard'
  const all = ['standard', 'large'].map((value) => radio(WORDS.typeSize[value], {
    name: 'typeSize', value, checked: value === chosen, onchange: () => read(sheet, facts, page),
  }))
  return make('fieldset', {}, make('legend', { text: WORDS.names.typeSize }), make('div', {}, ...all), sheet.said.root)
}

const editionsOf = async (book, page) =>
  listOf(await ask(`${bookAt(book)}/editions?page=${page}`)).filter(({ id }) => typeof id === 'string')

/** Goes to the other edition of a book, which is made first if there is none. */
async function read(sheet, book, page) {
  try {
    sheet.said.say(WORDS.typeSize.wait)
    // A low window would hide it.
    sheet.said.root.scrollIntoView({ block: 'nearest' })
    let [edition] = await editionsOf(book.id, page)
    if (edition === undefined) {
      await layOut(book)
      edition = having((await editionsOf(book.id, page))[0], { id: 'string' })
    }
    if (!sheet.isOpen) return
    sheet.close()
    const { id, page: place } = edition
    app.send(encodeGo({ book: id, opens: true, page: Number.isInteger(place) ? place : null }))
  } catch (error) {
    sheet.said.refuse(error, () => read(sheet, book, page))
  }
}

/** Lets the server lay the book out in large print, and waits until its text is known. */
async function layOut(book) {
  const title = WORDS.typeSize.title(textOf(book.title))
  let edition = await ask(`${bookAt(book.id)}/editions`, { method: 'POST', body: { size: 'large', title } })
  having(edition, { id: 'string', pages: 'number' })
  for (let n = 0; n < TRIES && edition.searchable < edition.pages; n += 1) {
    await new Promise((resolve) => { setTimeout(resolve, WAIT); })
    edition = await ask(bookAt(edition.id), { isQuiet: true })
  }
}
