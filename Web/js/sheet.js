/** Sheets: bookplates that lie on the table above everything else, one at a time. */

import { CROSS, iconButton, make, style } from './dom.js'
import { WORDS } from './words/common.js'

let count = 0

export class Sheet {
  /** Where the content goes. */
  body = make('div', { class: 'inside' })
  root

  /** @param onClose called when it has been closed */
  constructor(title, { subtitle = '', onClose = () => {} } = {}) {
    const heading = make('h2', { text: title, id: `sheet-${count += 1}`, dir: 'auto' })
    this.heading = heading
    const close = iconButton(WORDS.sheet.close, CROSS, () => this.close(), 'Esc')
    close.classList.add('away')
    this.subtitle = make('p', { class: 'sub', text: subtitle, dir: 'auto' })
    this.root = make('dialog', { class: 'plate', 'aria-labelledby': heading.id },
      make('div', { class: 'frame' }, heading, this.subtitle, this.body, close))
    // What happens on the sheet does not happen to the book below.
    for (const type of ['keydown', 'pointerdown']) {
      this.root.addEventListener(type, (event) => event.stopPropagation())
    }
    // A field to search in would keep the first Escape to itself.
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.close()
    })
    // A touch that laid the sheet there may end in a click on what is beside it.
    let isBeside = false
    this.root.addEventListener('pointerdown', ({ target }) => { isBeside = target === this.root; })
    this.root.addEventListener('click', ({ target }) => { if (isBeside && target === this.root) this.close(); })
    this.root.addEventListener('close', () => {
      this.root.remove()
      onClose()
    })
  }

  get isOpen() { return this.root.open; }

  /** Lays it on the table and gives the keyboard to a part of it. */
  async open(first = null) {
    if (this.isOpen) return
    await style('sheet')
    document.querySelector('dialog[open]')?.close()
    document.body.append(this.root)
    this.root.showModal()
    first?.focus()
  }

  close() { this.root.close(); }
}

/** A paragraph for what went wrong or was not found; empty it is not there. */
export function saying() {
  const words = make('p', { class: 'saying', role: 'status' })
  return {
    root: words,
    say(text, isFault = false) {
      words.textContent = text
      words.classList.toggle('fault', isFault)
    },
  }
}
