/** Deleting books, and the sheet of the bin, from which they come back. */

import { ask, bookAt, textOf } from './api.js'
import { app } from './app.js'
import { entry, make, wordButton } from './dom.js'
import { locale } from './language.js'
import { Sheet } from './sheet.js'
import { gone, openList, twice } from './together/sheetparts.js'
import { WORDS } from './words/library.js'

const UNDO = 12_000; // ms for which a notice offers to bring a book back

/** The day of a time in Unix seconds. */
const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(locale(), { day: 'numeric', month: 'long' })

/** Changes what is in the bin, and with it the library. */
async function change(address, method) {
  await ask(address, { method })
  ;(await app.load('library'))?.seeBin()
}

const restore = (id) => change(`${bookAt(id)}/restore`, 'POST')

/** Deletes a book, and offers to bring it back. Throws if the library refuses. */
export async function remove({ id, title }) {
  await change(bookAt(id), 'DELETE')
  app.notice(WORDS.bin.isIn(textOf(title)), UNDO, wordButton(WORDS.bin.undo, 'plain', async () => {
    try {
      await restore(id)
      app.notice(WORDS.bin.isBack(textOf(title)), 4000)
    } catch (error) {
      app.notice(error.message, 5000)
    }
  }))
}

/** Opens the bin. */
export function show() {
  const sheet = new Sheet(WORDS.bin.name, { subtitle: WORDS.bin.kept, fills: true })
  openList(sheet, '/api/bin', WORDS.bin.none, (book) => line(book, sheet)).then((all) => {
    if (all.length > 0) sheet.body.append(emptying(sheet))
  })
}

function line({ id, title, deleted, source }, { said }) {
  const words = source === 'folder' ? WORDS.bin.hidden : WORDS.bin.since(day(deleted))
  const root = entry(() => act(said, async () => {
    await restore(id)
    gone(root, WORDS.bin.isBack(textOf(title)))
  }), { 'aria-label': WORDS.bin.restore(textOf(title)) },
  make('span', {}, make('em', { text: textOf(title), dir: 'auto' }), make('small', { text: words })),
  make('i', { text: WORDS.bin.back }))
  return root
}

const emptying = (sheet) => twice(WORDS.bin.empty, WORDS.bin.forGood, WORDS.bin.empty, () =>
  act(sheet.said, () => change('/api/bin', 'DELETE').then(() => sheet.close())))

/** Does what may need the library's key, for which it asks. */
const act = (said, work) => work().catch((error) => said.refuse(error, () => act(said, work)))
