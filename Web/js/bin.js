/** Deleting books, and the sheet of the bin, from which they come back. */

import { ask, bookAt, keyForm, listOf, textOf } from './api.js'
import { walk } from './contents.js'
import { make, style, wordButton } from './dom.js'
import { locale } from './language.js'
import { Sheet, saying } from './sheet.js'
import { twice } from './together/sheetparts.js'
import { WORDS } from './words/library.js'

const UNDO = 12_000; // ms for which a notice offers to bring a book back

/** The day of a time in Unix seconds. */
const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(locale(), { day: 'numeric', month: 'long' })

class Bin {
  #context

  constructor(context) { this.#context = context; }

  /** Deletes a book, and offers to bring it back. Throws if the library refuses. */
  async remove({ id, title }) {
    await ask(bookAt(id), { method: 'DELETE' })
    this.#context.library.changed?.()
    this.#context.actions.notice(WORDS.bin.isIn(textOf(title)), UNDO, wordButton(WORDS.bin.undo, 'plain', async () => {
      try {
        await this.#restore(id)
        this.#context.actions.notice(WORDS.bin.isBack(textOf(title)), 4000)
      } catch (error) {
        this.#context.actions.notice(error.message, 5000)
      }
    }))
  }

  async #restore(id) {
    await ask(`${bookAt(id)}/restore`, { method: 'POST' })
    this.#context.library.changed?.()
  }

  /** Opens the bin. */
  async show() {
    const sheet = new Sheet(WORDS.bin.name, { subtitle: WORDS.bin.kept, fills: true })
    const said = saying()
    const list = make('ul', { class: 'entries recordings', onkeydown: walk })
    sheet.body.append(list, said.root)
    const opening = Promise.all([sheet.open(), style('together')])
    try {
      const all = listOf(await ask('/api/bin'))
      await opening
      list.append(...all.map((book) => this.#line(book, said)))
      if (all.length === 0) said.say(WORDS.bin.none)
      else sheet.body.append(this.#emptying(sheet, said))
      list.querySelector('button')?.focus()
    } catch (error) {
      said.say(error.message, true)
    }
  }

  #line({ id, title, deleted, source }, said) {
    const root = make('li', {})
    const words = source === 'folder' ? WORDS.bin.hidden : WORDS.bin.since(day(deleted))
    root.append(make('button', {
      type: 'button', class: 'entry', 'aria-label': WORDS.bin.restore(textOf(title)),
      onclick: () => this.#act(said, async () => {
        await this.#restore(id)
        // Its line stays, so that no other one comes under the finger.
        root.style.minHeight = `${root.offsetHeight}px`
        root.replaceChildren(make('p', { class: 'gone', text: WORDS.bin.isBack(textOf(title)), role: 'status' }))
      }),
    }, make('span', {}, make('em', { text: textOf(title), dir: 'auto' }), make('small', { text: words })),
    make('i', { text: WORDS.bin.back })))
    return root
  }

  #emptying(sheet, said) {
    return twice(WORDS.bin.empty, WORDS.bin.forGood, WORDS.bin.empty, () => this.#act(said, async () => {
      await ask('/api/bin', { method: 'DELETE' })
      this.#context.library.changed?.()
      sheet.close()
    }))
  }

  /** Does what may need the library's key, for which it asks. */
  async #act(said, work) {
    try {
      await work()
    } catch (error) {
      said.say(error.message, true)
      if (error.status === 401 && !said.root.parentElement.querySelector('[type=password]')) {
        said.root.after(keyForm(() => this.#act(said, work)))
      }
    }
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Bin(context)
