/** The WebSocket and its hello. session/reconnection.js decides when to open it again. */

import { keepReader, keysOf, persona, readerSecret, takePass } from './keys.js'
import { decode, encodeHello, withRole } from './wire.js'

const PATIENCE = 8000; // ms within which an attempt must be welcomed
const LOST = 1006

export class Connection {
  room
  /** The token with which the next hello rejoins as the same member. */
  resume
  /** The reader's secret. */
  reader = readerSecret()
  /** A typed code of six letters, which is sent instead of the stored keys. */
  typed = ''
  /** The number of this member's role. */
  role = 0
  /** {name, colour} that the other members see; null before the server has sent it. */
  persona = null
  /** Keys that the server has rejected, which are not sent again. */
  refused = new Set()
  /** The key that was sent last. */
  shown = ''
  /** Whether the server has welcomed this page. */
  isWelcome = false

  #socket = null
  #watch = 0
  #handlers

  /**
   * @param {{room, resume}} arrival the room to join, empty for a new one, and the token of its member
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

  /** Enters another room, with a typed code if one is needed. */
  enter(room, typed = '') {
    Object.assign(this, { room, typed, resume: '' })
    this.open()
  }

  /** Sends a message. Without a connection it drops the message, which would be outdated later, and returns false. */
  send(bytes) {
    if (!this.isWelcome || this.#socket.readyState !== WebSocket.OPEN) return false
    this.#socket.send(withRole(bytes, this.role))
    return true
  }

  /** Treats the connection as lost, whatever the state of the socket. */
  drop(code = LOST, reason = '') {
    this.leave()
    this.#handlers.onClose(code, reason)
  }

  /** Closes the socket and ignores its later events. */
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
    } else if (message.type === 'pass') {
      return takePass(message.pass)
    } else if (message.type === 'role') {
      this.role = message.number
    }
    this.#handlers.onMessage(message)
  }
}
