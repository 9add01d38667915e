/** A book that cannot be read: what is wrong, and what can be done about it. */

import { ask, bookAt, keyForm, textOf } from './api.js'
import { make, wordButton } from './dom.js'
import { Sheet } from './sheet.js'

class Fault {
  #desk

  constructor(desk) { this.#desk = desk; }

  /** Lays a sheet about a book on the table; it goes away when the book can be read. */
  async show(record) {
    const sheet = new Sheet(record.title)
    const isDone = () => {
      sheet.close()
      this.#desk.notice(`${record.title} can be read now.`, 4000)
    }
    sheet.body.append(make('div', { class: 'care' }, ...this.parts(record, isDone)))
    await sheet.open(sheet.body.querySelector('input, button'))
  }

  /** What is wrong, and a form or a button where that may help; `then` is called when it has. */
  parts(record, then) {
    const said = make('p', { text: textOf(record.failure) || 'This copy could not be read.', role: 'status' })
    if (record.state === 'locked') return [said, this.#lock(record, said, then)]
    if (!record.mayRetry) return [said]
    return [said, wordButton('Try again', 'line again', (event) =>
      this.#try(record, '/retry', undefined, said, event.currentTarget, then))]
  }

  #lock(record, said, then) {
    const field = make('input', {
      type: 'password', required: true, 'aria-label': 'Password of this book', autocomplete: 'off',
    })
    return make('form', {
      class: 'row', onsubmit: (event) => {
        event.preventDefault()
        this.#try(record, '/unlock', { password: field.value }, said, event.currentTarget, then)
      },
    }, field, wordButton('Unlock', 'key'))
  }

  async #try(record, what, body, said, place, then) {
    said.textContent = 'One moment'
    try {
      await ask(bookAt(record.id) + what, { method: 'POST', body })
      said.textContent = 'It can be read now.'
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

/** The controls of this module, for the desk. */
export const controls = (desk) => new Fault(desk)
