/** The WebSocket: opening it, greeting, and coming back after it was lost. */

import { decode, encodeHello } from './wire.js'

const BACKOFF = [10, 50, 100, 150, 200, 250, 500, 1000, 2000]; // ms before each new attempt
const BACKOFF_LAST = 5000; // ms before all later ones
const PATIENCE = 8000; // ms for an attempt to be welcomed
/** Close codes after which another attempt would end the same way. */
const FINAL = new Set([1003, 1008, 1009, 4000, 4001, 4002, 4003, 4004])

export class Connection {
  room
  /** Whether the server has welcomed this page. */
  isWelcome = false

  #socket = null
  #attempt = 0
  #timer = 0
  #watch = 0
  #isOver = true
  #handlers

  /**
   * @param {string} room the room to join; empty for a new one
   * @param handlers onMessage(message), onLost(), onEnd(code, reason) and hello(): the viewport
   */
  constructor(room, handlers) {
    this.room = room
    this.#handlers = handlers
    document.addEventListener('visibilitychange', () => this.#wake())
    addEventListener('online', () => this.#wake())
    addEventListener('pageshow', () => this.#wake())
  }

  open() {
    clearTimeout(this.#timer)
    this.#isOver = false
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(`${scheme}//${location.host}/ws`, 'lectern.v1')
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      socket.send(encodeHello({ room: this.room, ...this.#handlers.hello() }))
    }
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket || typeof data === 'string') return
      let message
      try {
        message = decode(data)
      } catch (error) {
        console.warn('A message could not be read:', error)
        return
      }
      if (message === null) return
      if (message.type === 'welcome') {
        clearTimeout(this.#watch)
        this.#attempt = 0
        this.isWelcome = true
        this.room = message.room
      }
      this.#handlers.onMessage(message)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost(code, reason)
    }
    this.#watch = setTimeout(() => {
      if (socket !== this.#socket || this.isWelcome) return
      socket.close()
      this.#lost(1006, '')
    }, PATIENCE)
  }

  /** Sends a message; one that cannot be sent is dropped, since it would be old when it could. */
  send(bytes) {
    if (!this.isWelcome || this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(bytes)
    return true
  }

  #lost(code, reason) {
    clearTimeout(this.#watch)
    this.#socket = null
    this.isWelcome = false
    if (FINAL.has(code)) {
      this.#isOver = true
      this.#handlers.onEnd(code, reason)
      return
    }
    this.#handlers.onLost()
    if (document.visibilityState === 'hidden') return; // on return, at once
    const wait = BACKOFF[this.#attempt] ?? BACKOFF_LAST
    this.#attempt += 1
    this.#timer = setTimeout(() => this.open(), wait)
  }

  #wake() {
    if (document.visibilityState === 'hidden') {
      clearTimeout(this.#timer)
      return
    }
    if (this.#socket !== null || this.#isOver) return
    this.#attempt = 0
    this.open()
  }
}
