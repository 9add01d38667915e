/** A book that cannot be read: the reason and the remedy. */

import { ask, bookAt, keyForm } from './api.js'
import { app } from './app.js'
import { form, make, wordButton } from './dom.js'
import { sentence } from './notices.js'
import { Sheet } from './sheet.js'
import { WORDS } from './words/common.js'

/** Opens a sheet about a book, which closes when the book can be read. */
export async function show(record) {
  const sheet = new Sheet(record.title, { fills: true })
  const isDone = () => {
    sheet.close()
    app.notice(WORDS.fault.named(record.title), 4000)
  }
  sheet.body.append(make('div', { class: 'care' }, ...parts(record, isDone)))
  await sheet.open(sheet.body.querySelector('input, button'))
}

/** A text that explains the failure, and a form or a button that may help; calls `then` when it has helped. */
export function parts(record, then) {
  const said = make('p', { text: sentence(record.notice) || WORDS.fault.unreadable, role: 'status' })
  if (record.state === 'locked') return [said, lock(record, said, then)]
  if (!record.mayRetry) return [said]
  return [said, wordButton(WORDS.tryAgain, 'line again', (event) =>
    attempt(record, '/retry', undefined, said, event.currentTarget, then))]
}

function lock(record, said, then) {
  const field = make('input', {
    type: 'password', required: true, 'aria-label': WORDS.fault.password, autocomplete: 'off',
  })
  return form('row', ({ target }) => attempt(record, '/unlock', { password: field.value }, said, target, then),
    field, wordButton(WORDS.fault.unlock, 'key'))
}

async function attempt(record, what, body, said, place, then) {
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
      place.after(keyForm(() => attempt(record, what, body, said, place, then)))
    }
  }
}
