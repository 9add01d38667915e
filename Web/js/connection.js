/** The WebSocket and its hello. session/reconnection.js decides when to open it again. */

import { session } from './app.js'
import { arrival, keepReader, keysOf, persona, readerSecret, takePass } from './keys.js'
import { closed, receive } from './messages.js'
import { ROOT } from './root.js'
import { decode, encodeHello, withRole } from './wire.js'

const PATIENCE = 8000; // ms within which an attempt must be welcomed
const LOST = 1006

export const still = matchMedia('(prefers-reduced-motion: reduce), (update: slow)')

/** What the server has to know of the window. */
export const viewport = () => ({
  width: innerWidth, height: innerHeight, pixelRatio: devicePixelRatio, reportsImages: true,
  // The screens of the demo show one stage.
  sharesStage: parent !== window,
  reducedMotion: session.settings.motion === 'reduced' || (session.settings.motion !== 'full' && still.matches),
})

export class Connection {
  room
  /** The token with which the next hello rejoins as the same member. */
  resume
  /** The reader's secret. */
  reader = readerSecret()
  /** A typed code of six letters, which is sent instead of the stored keys. */
  typed = ''
  /** Keys that the server has rejected, which are not sent again. */
  refused = new Set()
  /** The key that was sent last. */
  shown = ''
  /** Whether the server has welcomed this page. */
  isWelcome = false

  #socket = null
  #watch = 0

  constructor() { Object.assign(this, arrival()); }

  /** Whether there is a connection or an attempt at one. */
  get isOpen() { return this.#socket !== null; }

  open() {
    this.leave()
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = this.#socket = new WebSocket(`${scheme}//${location.host}${ROOT}ws`, 'lectern.v1')
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => {
      const { room, resume, reader } = this
      const key = this.shown = this.typed || (keysOf(room).find((one) => !this.refused.has(one)) ?? '')
      socket.send(encodeHello({ room, resume, reader, key, ...(session.self ?? persona()), ...viewport() }))
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
    this.#socket.send(withRole(bytes, session.role?.number ?? 0))
    return true
  }

  /** Treats the connection as lost, whatever the state of the socket. */
  drop(code = LOST, reason = '') {
    this.leave()
    closed(code, reason)
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
      if (message.reader !== '') keepReader(this.reader = message.reader)
    }
    if (message.pass) takePass(message.pass)
    receive(message)
  }
}
