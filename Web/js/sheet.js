/** Sheets: dialogs in the style of bookplates, one at a time. */

import { keyForm } from './api.js'
import { says } from './chrome.js'
import { CROSS, iconButton, make, style } from './dom.js'
import { WORDS } from './words/common.js'

let count = 0

export class Sheet {
  /** The element that holds the content. */
  body = make('div', { class: 'inside' })
  /** Its paragraph for errors and results, for a sheet that has them. */
  said = saying()
  root

  /**
   * @param fills whether its content may arrive, or change, while the sheet is open; its top edge then keeps its place
   * @param onClose called after the sheet has been closed
   */
  constructor(title, { subtitle = '', fills = false, onClose = () => {} } = {}) {
    const heading = make('h2', { text: title, id: `sheet-${count += 1}`, dir: 'auto' })
    this.heading = heading
    const close = iconButton(WORDS.sheet.close, CROSS, () => this.close(), 'Esc')
    close.classList.add('away')
    this.subtitle = make('p', { class: 'sub', text: subtitle, dir: 'auto' })
    this.root = make('dialog', { class: fills ? 'plate fills' : 'plate', 'aria-labelledby': heading.id },
      make('div', { class: 'frame' }, heading, this.subtitle, this.body, close))
    // Input on the sheet must not reach the book below it.
    for (const type of ['keydown', 'pointerdown']) {
      this.root.addEventListener(type, (event) => event.stopPropagation())
    }
    // A search field would consume the first Escape.
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      this.close()
    })
    // Firefox does not scroll to what a key leads to if a part of it is seen.
    this.root.addEventListener('focusin', ({ target }) => {
      if (target.matches(':focus-visible')) (target.closest('label') ?? target).scrollIntoView({ block: 'nearest' })
    })
    // The touch that opened the sheet may end with a click beside it, which must not close it.
    let isBeside = false
    this.root.addEventListener('pointerdown', ({ target }) => { isBeside = target === this.root; })
    this.root.addEventListener('click', ({ target }) => { if (isBeside && target === this.root) this.close(); })
    this.root.addEventListener('close', () => {
      this.root.remove()
      says('sheet', document.querySelector('dialog[open]') !== null)
      onClose()
    })
  }

  get isOpen() { return this.root.open; }

  /** Opens the sheet and moves the focus to a part of it. */
  async open(first = null) {
    if (this.isOpen) return
    await style('sheet')
    document.querySelector('dialog[open]')?.close()
    document.body.append(this.root)
    this.root.showModal()
    says('sheet', true)
    first?.focus()
  }

  /** Opens the sheet and fills it with what a promise brings, unless it is closed by then; or says why that failed. */
  async openWith(promise, fill) {
    const opening = this.open()
    try {
      const content = await promise
      await opening
      if (this.isOpen) fill(content)
    } catch (error) {
      this.said.say(error.message, true)
    }
  }

  close() {
    this.root.close()
    // If nothing takes the focus back, a part of the sheet keeps it, and the next key, until the page is drawn again.
    if (this.root.contains(document.activeElement)) document.activeElement.blur()
  }
}

/** A paragraph for errors and results, hidden while it is empty; it comes after all that can be pressed. */
export function saying() {
  const words = make('p', { class: 'saying', role: 'status' })
  return {
    root: words,
    say(text, isFault = false) {
      words.textContent = text
      words.classList.toggle('fault', isFault)
    },
    /** Says why the library has refused something; if it needs its key, asks for it, and then does it again. */
    refuse(error, again) {
      this.say(error.message, true)
      if (error.status === 401 && !words.parentElement.querySelector('[type=password]')) words.after(keyForm(again))
    },
  }
}
