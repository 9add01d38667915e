/**
 * The upload of a file, in slices that carry their offsets, so that it continues where it stopped after a lost
 * connection.
 */

import { Refused, ask, credentials, having, parsed, pause, refusal } from './api.js'
import { sentence } from './notices.js'
import { at } from './root.js'
import { WORDS as COMMON } from './words/common.js'
import { WORDS } from './words/library.js'

// Bytes of a slice: the most that proxies accept by default, and the least that is tried with others.
const SLICE = 1024 * 1024, LEAST = SLICE / 16
const WAITS = [500, 1000, 2000, 4000, 8000]; // ms before another attempt at a slice
const PATIENCE = 20; // attempts while the library responds without accepting a slice
const POLL = [200, 400, 800, 1500]; // ms between requests for the state of the book

/** Whether another attempt may succeed: there was no response, or one of a proxy in front of the library. */
const isPassing = (error) => error instanceof Refused && [0, 502, 503, 504].includes(error.status)

export class Transfer {
  file
  /** 'waiting', 'sending', 'interrupted', 'importing', 'done', 'failed' or 'cancelled'. */
  state = 'waiting'
  /** The number of bytes that the library has received. */
  sent = 0
  /** Why the upload failed, as a text for the reader. */
  error = ''
  /** Whether the library requires its key. */
  needsKey = false
  /** Whether another attempt with the same file may succeed. */
  canRetry = false
  /** The book that the library made of the file. */
  book = null

  #address = null
  #most = SLICE
  #stop = new AbortController()
  #onChange

  constructor(file, onChange) {
    this.file = file
    this.#onChange = onChange
  }

  get isOver() { return ['done', 'failed', 'cancelled'].includes(this.state); }

  /** Sends the file and waits until it is imported. Resolves with a state; never rejects. */
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
      method: 'POST', body: { name, size }, signal: this.#stop.signal, isQuiet: true,
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
        // A library that accepts nothing is retried with the same pauses as one that does not respond.
        if (!(offset > from)) throw new Refused(503, WORDS.upload.notTaken)
        this.sent = offset
        failures = 0
        this.#tell('sending')
      } catch (error) {
        if (error.isForeign && error.status === 413 && this.#most > LEAST) {
          this.#most /= 2
          await this.#resume()
          continue
        }
        // 409: the library has received more or less than this page assumes.
        if (!isPassing(error) && error.status !== 409) throw error
        if (failures >= PATIENCE && error.status !== 0) throw error
        this.#tell('interrupted')
        await pause(WAITS[Math.min(failures, WAITS.length - 1)], this.#stop.signal)
        failures += 1
        if (this.#address !== null) await this.#resume()
      }
    }
  }

  /** Requests the number of bytes that the library has received; without a response the upload continues. */
  async #resume() {
    try {
      const answer = await ask(this.#address, { signal: this.#stop.signal, isQuiet: true })
      this.sent = having(answer, { offset: 'number' }).offset
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }

  /** Sends the bytes from an offset. It uses XMLHttpRequest, since fetch does not report progress. */
  #slice(offset) {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const { signal } = this.#stop
      const abort = () => request.abort()
      signal.addEventListener('abort', abort)
      request.open('PATCH', at(this.#address))
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
      request.send(this.file.slice(offset, offset + this.#most))
    })
  }

  async #import() {
    for (let count = 0; ; count += 1) {
      let answer = {}
      try {
        answer = await ask(this.#address, { signal: this.#stop.signal, isQuiet: true })
      } catch (error) {
        if (!isPassing(error)) throw error
      }
      const { state, notice, retry, offset } = answer ?? {}
      if (state === 'failed') throw new Refused(422, sentence(notice) || COMMON.fault.unreadable, retry === true)
      // A restarted library may have lost a part.
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
