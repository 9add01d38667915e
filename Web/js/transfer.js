/**
 * One file on its way to the library: in slices, each of which says where it belongs, so that it
 * goes on where it stopped after the connection was lost.
 */

import { Refused, ask, credentials, having, parsed, refusal } from './api.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

const SLICE = 4 * 1024 * 1024; // bytes
const WAITS = [500, 1000, 2000, 4000, 8000]; // ms before a slice is tried again
const PATIENCE = 20; // attempts while the library answers, but does not take a slice
const POLL = [200, 400, 800, 1500]; // ms between questions whether the book is ready

/** Resolves after a time, or when the connection is back; rejects when the signal says so. */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const ended = new AbortController()
    const end = (act) => () => {
      clearTimeout(timer)
      ended.abort()
      act()
    }
    const timer = setTimeout(end(resolve), ms)
    addEventListener('online', end(resolve), { signal: ended.signal })
    signal.addEventListener('abort', end(() => reject(signal.reason)), { signal: ended.signal })
  })
}

/** Whether another attempt may succeed: nothing answered, or something in front of the library did. */
const isPassing = (error) => error instanceof Refused && [0, 502, 503, 504].includes(error.status)

export class Transfer {
  file
  /** waiting, sending, interrupted, importing, done, failed or cancelled. */
  state = 'waiting'
  /** Bytes that have arrived. */
  sent = 0
  /** Why it failed, for the reader. */
  error = ''
  /** Whether the library asks for its key. */
  needsKey = false
  /** Whether the same file may get in another time. */
  canRetry = false
  /** The book that it became. */
  book = null

  #address = null
  #stop = new AbortController()
  #onChange

  constructor(file, onChange) {
    this.file = file
    this.#onChange = onChange
  }

  get isOver() { return ['done', 'failed', 'cancelled'].includes(this.state); }

  /** Sends it all and waits until it is a book; ends in a state, never with an error. */
  async run() {
    this.#stop = new AbortController()
    this.needsKey = false
    try {
      this.#tell('sending')
      await this.#send()
      this.#tell('importing')
      await this.#import()
      this.#tell('done')
    } catch (error) {
      if (error.name === 'AbortError') return this.#tell('cancelled')
      this.error = error.message
      this.canRetry = error.retry !== false
      this.needsKey = error.status === 401
      // Another attempt starts from the beginning.
      if (!this.needsKey) this.#address = null
      this.#tell('failed')
    }
  }

  cancel() {
    if (this.isOver) return
    this.#stop.abort()
    this.#tell('cancelled')
    if (this.#address !== null) ask(this.#address, { method: 'DELETE' }).catch(() => {})
  }

  #tell(state) {
    if (this.state === 'cancelled') return
    this.state = state
    this.#onChange(this)
  }

  async #begin() {
    const { name, size } = this.file
    const { id, offset } = having(await ask('/api/uploads', {
      method: 'POST', body: { name, size }, signal: this.#stop.signal,
    }), { id: 'string', offset: 'number' })
    this.#address = `/api/uploads/${encodeURIComponent(id)}`
    this.sent = offset
  }

  async #send() {
    let failures = 0
    while (this.#address === null || this.sent < this.file.size) {
      try {
        if (this.#address === null) await this.#begin()
        const { from, offset } = await this.#slice(this.sent)
        // A library that takes nothing is asked again as seldom as one that does not answer.
        if (!(offset > from)) throw new Refused(503, WORDS.upload.notTaken)
        this.sent = offset
        failures = 0
        this.#tell('sending')
      } catch (error) {
        // 409: the library has more or less than we think.
        if (!isPassing(error) && error.status !== 409) throw error
        if (failures >= PATIENCE && error.status !== 0) throw error
        this.#tell('interrupted')
        await pause(WAITS[Math.min(failures, WAITS.length - 1)], this.#stop.signal)
        failures += 1
        if (this.#address !== null) await this.#resume()
      }
    }
  }

  /** Asks how much has arrived; not to be told is no reason to give up. */
  async #resume() {
    try {
      this.sent = having(await ask(this.#address, { signal: this.#stop.signal }), { offset: 'number' }).offset
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }

  /** Sends the bytes from an offset; fetch does not tell how far it is, so this is the older way. */
  #slice(offset) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const { signal } = this.#stop
      const abort = () => request.abort()
      signal.addEventListener('abort', abort)
      request.open('PATCH', this.#address)
      const fields = { ...credentials(), 'Upload-Offset': offset, 'Content-Type': 'application/octet-stream' }
      for (const [name, value] of Object.entries(fields)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => {
        this.sent = offset + loaded
        this.#tell('sending')
      }
      request.onloadend = () => {
        signal.removeEventListener('abort', abort)
        const { status, responseText } = request
        if (signal.aborted) reject(signal.reason)
        else if (status === 0) reject(new Refused(0, WORDS.upload.lost))
        else if (status >= 300) reject(refusal(status, responseText))
        else {
          try {
            resolve({ from: offset, ...having(parsed(responseText), { offset: 'number' }) })
          } catch (error) {
            reject(error)
          }
        }
      }
      request.send(this.file.slice(offset, offset + SLICE))
    })
  }

  async #import() {
    for (let count = 0; ; count += 1) {
      let answer = {}
      try {
        answer = await ask(this.#address, { signal: this.#stop.signal })
      } catch (error) {
        if (!isPassing(error)) throw error
      }
      const { state, error, retry, offset } = answer ?? {}
      if (state === 'failed') throw new Refused(422, error || COMMON.fault.unreadable, retry === true)
      // A library that was restarted may not have all of it.
      if (state === 'receiving' && offset < this.file.size) {
        this.sent = offset
        await this.#send()
        this.#tell('importing')
      }
      if (state === 'done') {
        this.book = answer.book
        return
      }
      await pause(POLL[Math.min(count, POLL.length - 1)], this.#stop.signal)
    }
  }
}
