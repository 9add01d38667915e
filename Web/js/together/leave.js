/** Leaving a reading that others share: asked once, since the way back is a link. */

import { make, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'

class Leave {
  #desk

  constructor(desk) { this.#desk = desk; }

  show() {
    const sheet = new Sheet('Leave the reading?', { subtitle: 'The others read on. The same link brings you back.' })
    const stay = wordButton('Stay', 'plain', () => sheet.close())
    const leave = wordButton('Leave', 'key', () => {
      sheet.close()
      this.#desk.leave()
    })
    sheet.body.append(make('div', { class: 'row acts' }, leave, stay))
    sheet.open(stay)
  }
}

/** The controls of this module, for the desk. */
export const controls = (desk) => new Leave(desk)
