/** The WebSocket: opening it and greeting. When to open it again, session/reconnection.js knows. */

import { keepReader, keysOf, persona, readerSecret, takePass, withPass } from './keys.js'
import { decode, encodeHello, withRole } from './wire.js'

const PATIENCE = 8000; // ms for an attempt to be welcomed
const LOST = 1006

export class Connection {
  room
  /** What the next hello carries to be the same member. */
  resume
  /** The reader's secret. */
  reader = readerSecret()
  /** A key to show instead of those that are kept: six letters as they were typed. */
  typed = ''
  /** The number of this member's role. */
  role = 0
  /** {name, colour} by which the others know the reader, once they do. */
  persona = null
  /** What opened nothing: it is not shown again. */
  refused = new Set()
  /** What was shown last. */
  shown = ''
  /** Whether the server has welcomed this page. */
  isWelcome = false

  #socket = null
  #watch = 0
  #handlers

  /**
   * @param {{room, resume}} arrival the room to join, empty for a new one
   * @param handlers onMessage(message), onClose(code, reason) and hello(): the viewport
   */
  constructor({ room, resume }, handlers) {
    this.room = room
    this.resume = resume
    this.#handlers = handlers
  }

  /** Whether there is a connection or an attempt at one. */
  get isOpen() { return this.#socket !== null; }

  open() {
    this.leave()
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = this.#socket = new WebSocket(`${scheme}//${location.host}/ws`, 'lectern.v1')
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      const { room, resume, reader } = this
      const key = this.shown = this.typed || (keysOf(room).find((one) => !this.refused.has(one)) ?? '')
      socket.send(encodeHello({ room, resume, reader, key, ...(this.persona ?? persona()), ...this.#handlers.hello() }))
    }
    socket.onmessage = ({ data }) => { if (socket === this.#socket) this.#read(data); }
    socket.onclose = ({ code, reason }) => { if (socket === this.#socket) this.drop(code, reason); }
    this.#watch = setTimeout(() => { if (!this.isWelcome) this.drop(); }, PATIENCE)
  }

  /** Goes to another room, with what opens it. */
  enter(room, typed = '') {
    Object.assign(this, { room, typed, resume: '' })
    this.open()
  }

  /** Sends a message; one that cannot be sent is dropped, since it would be old when it could. */
  send(bytes) {
    if (!this.isWelcome || this.#socket.readyState !== WebSocket.OPEN) return false
    this.#socket.send(withRole(bytes, this.role))
    return true
  }

  /** The connection is lost, whatever the socket believes. */
  drop(code = LOST, reason = '') {
    this.leave()
    this.#handlers.onClose(code, reason)
  }

  /** Closes what there is, and hears of it no more. */
  leave() {
    clearTimeout(this.#watch)
    const socket = this.#socket
    this.#socket = null
    this.isWelcome = false
    socket?.close()
  }

  #read(data) {
    if (typeof data === 'string') return
    let message
    try {
      message = decode(data)
    } catch (error) {
      console.warn('A message could not be read:', error)
      return
    }
    if (message === null) return
    if (message.type === 'welcome') {
      this.isWelcome = true
      this.room = message.room
      this.resume = message.resume
      this.typed = ''
      takePass(message.pass)
      if (message.reader !== '') keepReader(this.reader = message.reader)
    } else if (message.type === 'elements') {
      for (const element of message.elements) element.imageURL = withPass(element.imageURL)
    } else if (message.type === 'role') {
      this.role = message.number
    }
    this.#handlers.onMessage(message)
  }
}
