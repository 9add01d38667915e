/** Asks for confirmation once before the reader leaves a shared reading, since only a link leads back. */

import { make, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'

class Leave {
  #context

  constructor(context) { this.#context = context; }

  show() {
    const sheet = new Sheet(WORDS.leave.title, { subtitle: WORDS.leave.words })
    const stay = wordButton(WORDS.leave.stay, 'plain', () => sheet.close())
    const leave = wordButton(WORDS.leave.leave, 'key', () => {
      sheet.close()
      this.#context.actions.leave()
    })
    sheet.body.append(make('div', { class: 'row acts' }, leave, stay))
    sheet.open(stay)
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Leave(context)
