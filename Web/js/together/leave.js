/** Asks for confirmation once before the reader leaves a shared session, since only a link leads back. */

import { app } from '../app.js'
import { make, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'

export function show() {
  const sheet = new Sheet(WORDS.leave.title, { subtitle: WORDS.leave.words })
  const stay = wordButton(WORDS.leave.stay, 'plain', () => sheet.close())
  const leave = wordButton(WORDS.leave.leave, 'key', () => {
    sheet.close()
    app.controller.leave()
  })
  sheet.body.append(make('div', { class: 'row acts' }, leave, stay))
  sheet.open(stay)
}
