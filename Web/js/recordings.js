/** The list of recordings, which can be played or deleted. */

import { ask, textOf } from './api.js'
import { app } from './app.js'
import { entry, make } from './dom.js'
import { locale } from './language.js'
import { Sheet } from './sheet.js'
import { gone, openList, twice } from './together/sheetparts.js'
import { encodeOpen } from './together/wire.js'
import { timeWords } from './together/status.js'
import { WORDS } from './words/library.js'

/** The day of a recording in words; recorded is in Unix seconds or a date as text. */
function dayWords(recorded) {
  const date = new Date(typeof recorded === 'number' ? 1000 * recorded : recorded)
  if (Number.isNaN(date.valueOf())) return ''
  return date.toLocaleDateString(locale(), { day: 'numeric', month: 'long', year: 'numeric' })
}

export function show() {
  const sheet = new Sheet(WORDS.recordings, { fills: true })
  openList(sheet, '/api/recordings', WORDS.tapes.none, (recording) => line(recording, sheet))
}

function line({ id, title, seconds, recorded }, sheet) {
  const play = () => {
    sheet.close()
    app.send(encodeOpen(id))
  }
  const root = entry(play, {},
    make('span', {}, make('em', { text: textOf(title), dir: 'auto' }), make('small', { text: dayWords(recorded) })),
    make('i', { text: timeWords(Number.isFinite(seconds) ? seconds : 0) }))
  root.append(twice(WORDS.tapes.delete, WORDS.tapes.deleted, WORDS.tapes.delete, async () => {
    try {
      await ask(`/api/recordings/${encodeURIComponent(id)}`, { method: 'DELETE' })
      gone(root, WORDS.tapes.gone)
    } catch (error) {
      sheet.said.say(error.message, true)
    }
  }))
  return root
}
