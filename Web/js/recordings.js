/** The list of recordings, which can be played or deleted. */

import { ask, listOf, textOf } from './api.js'
import { walk } from './contents.js'
import { make, style } from './dom.js'
import { locale } from './language.js'
import { Sheet, saying } from './sheet.js'
import { twice } from './together/sheetparts.js'
import { encodeOpen } from './together/wire.js'
import { timeWords } from './together/status.js'
import { WORDS } from './words/library.js'

/** The day of a recording in words; recorded is in Unix seconds or a date as text. */
export function dayWords(recorded) {
  const date = new Date(typeof recorded === 'number' ? 1000 * recorded : recorded)
  if (Number.isNaN(date.valueOf())) return ''
  return date.toLocaleDateString(locale(), { day: 'numeric', month: 'long', year: 'numeric' })
}

class Recordings {
  #context

  constructor(context) { this.#context = context; }

  async show() {
    const sheet = new Sheet(WORDS.recordings, { fills: true })
    const said = saying()
    const list = make('ul', { class: 'entries recordings', onkeydown: walk })
    sheet.body.append(list, said.root)
    const opening = Promise.all([sheet.open(), style('together')])
    try {
      const all = listOf(await ask('/api/recordings'))
      await opening
      list.append(...all.map((recording) => this.#line(recording, sheet, said)))
      if (all.length === 0) said.say(WORDS.tapes.none)
      list.querySelector('button')?.focus()
    } catch (error) {
      said.say(error.message, true)
    }
  }

  #line({ id, title, seconds, recorded }, sheet, said) {
    const entry = make('button', {
      type: 'button', class: 'entry', onclick: () => {
        sheet.close()
        this.#context.actions.send(encodeOpen(id))
      },
    }, make('span', {}, make('em', { text: textOf(title), dir: 'auto' }), make('small', { text: dayWords(recorded) })),
    make('i', { text: timeWords(Number.isFinite(seconds) ? seconds : 0) }))
    const root = make('li', {}, entry)
    root.append(twice(WORDS.tapes.delete, WORDS.tapes.deleted, WORDS.tapes.delete, async () => {
      try {
        await ask(`/api/recordings/${encodeURIComponent(id)}`, { method: 'DELETE' })
        // Its line stays, so that no other one comes under the finger.
        root.style.minHeight = `${root.offsetHeight}px`
        root.replaceChildren(make('p', { class: 'gone', text: WORDS.tapes.gone, role: 'status' }))
      } catch (error) {
        said.say(error.message, true)
      }
    }))
    return root
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Recordings(context)
