/** Requests to the library over HTTP. The messages of errors are for the reader. */

import { form, make, wordButton } from './dom.js'
import { keepLibraryKey, libraryKey } from './keys.js'
import { sentence } from './notices.js'
import { readiness } from './readiness.js'
import { at } from './root.js'
import { WORDS } from './words/common.js'

const MOST_SHOWN = 2000; // characters of a text
const PATIENCE = 5000; // ms in which a server answers a request for a small file
const CONNECTIONS = 6; // the most that a browser has to a server
const DEAD = 1000; // ms without an answer after which an idle connection has died
/** The statuses after which the same request may succeed later. */
const PASSING = new Set([0, 401, 409, 425, 429])

/**
 * An error response. Its message is for the reader; status is 0 if there was no response; retry says whether the
 * same request may succeed later.
 */
export class Refused extends Error {
  constructor(status, message, retry = PASSING.has(status) || status >= 500) {
    super(message)
    this.status = status
    this.retry = retry
    /** Whether the answer is not the library's, but that of a proxy in front of it. */
    this.isForeign = false
  }
}

/**
 * The HTTP fields that carry the library's key; none before it has been entered. A proxy that asks for a login of its
 * own has the field Authorization for itself.
 */
export function credentials() {
  const key = libraryKey()
  return key ? { 'Lectern-Key': key } : {}
}

/** The error that a response describes. */
export function refusal(status, text) {
  let said = '', retry, isForeign = true
  try {
    const answer = JSON.parse(text)
    isForeign = false
    said = sentence(answer.notice)
    if (typeof answer.retry === 'boolean' && status !== 401) retry = answer.retry
  } catch {
    // The library has sent no message of its own.
  }
  const words = (status !== 401 && said) || WORDS.api.refused[status] || WORDS.api.failed(status)
  return Object.assign(new Refused(status, words, retry), { isForeign })
}

/** The error for a response that is not the library's JSON, such as the page of a proxy. */
const garbled = () => new Refused(502, WORDS.api.garbled)

/** The JSON of a response. */
export function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw garbled()
  }
}

/** Returns a response if it has the given fields, {name: type}, and throws otherwise. */
export function having(answer, fields) {
  for (const [name, type] of Object.entries(fields)) if (typeof answer?.[name] !== type) throw garbled()
  return answer
}

/** The objects of a list in a response; empty if it is not a list. */
export const listOf = (answer) =>
  (Array.isArray(answer) ? answer.filter((one) => one !== null && typeof one === 'object') : [])

/** A text in a response, cut to a length that can be shown; empty if it is neither text nor number. */
export const textOf = (value, most = MOST_SHOWN) =>
  (typeof value === 'string' ? value.slice(0, most) : typeof value === 'number' ? String(value) : '')

/**
 * Sends a request to the library and returns the JSON of the response, null if there is none.
 * @param body the value to send as JSON
 * @param isQuiet whether the page counts as ready while it waits for the response, for requests that are repeated
 * @throws {Refused} for an error, and an AbortError if the signal aborts the request
 */
export function ask(address, { isQuiet = false, ...request } = {}) {
  const response = answerTo(address, request)
  return isQuiet ? response : readiness.until(response)
}

async function answerTo(address, { method = 'GET', body, signal }) {
  const headers = credentials()
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let answer, text
  try {
    answer = await fetch(at(address), { method, headers, signal, body: body && JSON.stringify(body) })
    text = await answer.text()
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Refused(0, WORDS.api.silent)
  }
  if (!answer.ok) throw refusal(answer.status, text)
  return text === '' ? null : parsed(text)
}

/** Resolves after a time or when the browser is online again; rejects when the signal aborts. */
export function pause(ms, signal = null) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const ended = new AbortController()
    const end = (act) => () => {
      clearTimeout(timer)
      ended.abort()
      act()
    }
    const timer = setTimeout(end(resolve), ms)
    addEventListener('online', end(resolve), { signal: ended.signal })
    signal?.addEventListener('abort', end(() => reject(signal.reason)), { signal: ended.signal })
  })
}

/** Whether the library requires a key that this page does not have. */
export const needsKey = () => ask('/api/uploads').then(() => false, ({ status }) => status === 401)

/** Whether the server answers a request for a small file within some ms. */
export async function isAnswering(patience = PATIENCE) {
  try {
    return (await fetch(at('/favicon.svg'), { cache: 'no-store', signal: AbortSignal.timeout(patience) })).status < 500
  } catch {
    return false
  }
}

/** Ends the idle connections of requests that have died unnoticed: a browser would wait for minutes on each of them. */
export function renewConnections() {
  for (let n = 0; n < CONNECTIONS; n += 1) isAnswering(DEAD)
}

/** Returns the promise that is kept under a key, or that of load; one that fails is not kept. */
export function once(known, key, load) {
  if (!known.has(key)) {
    known.set(key, load().catch((error) => {
      known.delete(key)
      throw error
    }))
  }
  return known.get(key)
}

export const bookAt = (id) => `/api/books/${encodeURIComponent(id)}`

/** A form for the library's key; calls `then` after it has been entered. */
export function keyForm(then) {
  const field = make('input', { type: 'password', autocomplete: 'current-password', required: true })
  const label = make('label', { class: 'field', text: WORDS.api.key }, field)
  return form('row', ({ target }) => {
    keepLibraryKey(field.value)
    target.remove()
    then()
  }, label, wordButton(WORDS.api.useKey, 'line'))
}
