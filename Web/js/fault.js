/** A book that cannot be read: the reason and the remedy. */

import { ask, bookAt, keyForm } from './api.js'
import { make, wordButton } from './dom.js'
import { sentence } from './notices.js'
import { Sheet } from './sheet.js'
import { WORDS } from './words/common.js'

class Fault {
  #context

  constructor(context) { this.#context = context; }

  /** Opens a sheet about a book, which closes when the book can be read. */
  async show(record) {
    const sheet = new Sheet(record.title, { fills: true })
    const isDone = () => {
      sheet.close()
      this.#context.actions.notice(WORDS.fault.named(record.title), 4000)
    }
    sheet.body.append(make('div', { class: 'care' }, ...this.parts(record, isDone)))
    await sheet.open(sheet.body.querySelector('input, button'))
  }

  /** A text that explains the failure, and a form or a button that may help; calls `then` when it has helped. */
  parts(record, then) {
    const said = make('p', { text: sentence(record.notice) || WORDS.fault.unreadable, role: 'status' })
    if (record.state === 'locked') return [said, this.#lock(record, said, then)]
    if (!record.mayRetry) return [said]
    return [said, wordButton(WORDS.tryAgain, 'line again', (event) =>
      this.#try(record, '/retry', undefined, said, event.currentTarget, then))]
  }

  #lock(record, said, then) {
    const field = make('input', {
      type: 'password', required: true, 'aria-label': WORDS.fault.password, autocomplete: 'off',
    })
    return make('form', {
      class: 'row', onsubmit: (event) => {
        event.preventDefault()
        this.#try(record, '/unlock', { password: field.value }, said, event.currentTarget, then)
      },
    }, field, wordButton(WORDS.fault.unlock, 'key'))
  }

  async #try(record, what, body, said, place, then) {
    // A shorter text must not pull the field and the button up.
    said.style.minHeight = getComputedStyle(said).height
    said.textContent = WORDS.oneMoment
    try {
      await ask(bookAt(record.id) + what, { method: 'POST', body })
      said.textContent = WORDS.fault.readable
      then()
    } catch (error) {
      said.textContent = error.message
      if (error.retry === false && what === '/retry') place.remove()
      if (error.status === 401 && !place.parentElement.querySelector('.field')) {
        place.after(keyForm(() => this.#try(record, what, body, said, place, then)))
      }
    }
  }
}

/** Creates the controls of this module. */
export const controls = (context) => new Fault(context)
