/** The sheet that lists the keys and gestures. */

import { make } from './dom.js'
import { Sheet } from './sheet.js'
import { WORDS } from './words/help.js'

const list = (title, entries, as) => make('section', { 'aria-label': title }, make('h3', { text: title }),
  make('dl', {}, ...entries.flatMap(([how, what]) => [make('dt', {}, ...as(how)), make('dd', { text: what })])))

export function show() {
  const sheet = new Sheet(WORDS.title)
  sheet.root.classList.add('help')
  sheet.body.tabIndex = 0
  sheet.body.append(
    list(WORDS.gestures, WORDS.byHand, (how) => [how]),
    list(WORDS.keys, WORDS.byKey, (keys) => keys.map((text) => make('kbd', { text }))))
  sheet.open(sheet.body)
}
