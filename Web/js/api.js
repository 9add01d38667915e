/** The library's lists and what can be asked of it, over HTTP. Errors are in words for the reader. */

import { make, wordButton } from './dom.js'
import { keepLibraryKey, libraryKey } from './keys.js'

const WORDS = {
  401: 'This library asks for its key before it changes anything.',
  403: 'This library does not let you change that from here.',
  404: 'The library does not have that any more.',
  413: 'That is larger than this library takes.',
  429: 'That was asked too often. Wait a moment, then try again.',
}

/** An answer that is no. Its message is for the reader; status is 0 when nothing answered at all. */
export class Refused extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** The fields that show the key, once it has been typed in. */
export function credentials() {
  const key = libraryKey()
  return key ? { Authorization: `Bearer ${key}` } : {}
}

/** What an answer says went wrong. */
export function refusal(status, text) {
  let said = ''
  try {
    said = JSON.parse(text).error ?? ''
  } catch {
    // No words of the library's own.
  }
  const words = (status !== 401 && said) || WORDS[status] ||
    `The library could not do that (${status}). Try again in a moment.`
  return new Refused(status, words)
}

/**
 * Asks the library and gives the JSON it answers, null if there is none.
 * @param body what to send as JSON
 * @throws {Refused} and, when the signal says so, AbortError
 */
export async function ask(address, { method = 'GET', body, signal } = {}) {
  const headers = credentials()
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let answer, text
  try {
    answer = await fetch(address, { method, headers, signal, body: body && JSON.stringify(body) })
    text = await answer.text()
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Refused(0, 'The library does not answer. Try again when the connection is back.')
  }
  if (!answer.ok) throw refusal(answer.status, text)
  return text === '' ? null : JSON.parse(text)
}

export const bookAt = (id) => `/api/books/${encodeURIComponent(id)}`

/** A form for the key that the library asks for; calls `then` once it is typed in. */
export function keyForm(then) {
  const field = make('input', { type: 'password', autocomplete: 'current-password', required: true })
  const label = make('label', { class: 'field', text: 'Key of the library' }, field)
  return make('form', {
    class: 'row', onsubmit(event) {
      event.preventDefault()
      keepLibraryKey(field.value)
      event.target.remove()
      then()
    },
  }, label, wordButton('Use it', 'line'))
}
