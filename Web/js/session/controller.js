/** Runs the session after the first picture: keeps time, reconnects, and follows the members. */

import { isAnswering, needsKey, renewConnections } from '../api.js'
import { app, session, update, watch } from '../app.js'
import { style } from '../dom.js'
import { control, ended, unconnected } from './ended.js'
import { keep, libraryKey, readerSecret, resumeName } from '../keys.js'
import { sentence } from '../notices.js'
import { encodeClock } from './wire.js'
import { takeLogin } from './login.js'
import { Awake } from './awake.js'
import { Reconnection, isFinal } from './reconnection.js'
import { Participants, forgetSecret } from './participants.js'
import { Faces } from './faces.js'
import { ClockSync } from './clockSync.js'
import { Heartbeat } from './heartbeat.js'
import { BrowserHistory } from './history.js'
import { Timing } from './timing.js'
import { encodeAck } from '../together/wire.js'
import { WORDS } from '../words/session.js'

const ACK = 1000; // ms between two acks
const LATE = 250; // ms without frames in mid-motion before the page says so
const GONE = 600; // ms without a connection before the page says so
const KEY_NEEDED = 4005
const ELSEWHERE = 4015
/** What shows that somebody reads. */
const TOUCHES = ['pointerdown', 'pointermove', 'wheel', 'keydown']
const FRAMES = new Set(['snapshot', 'delta', 'batch'])

export class SessionController {
  /** The shortest recent round trip in ms, and {error in ms, frames a second}; null before they are measured. */
  roundTrip = null
  measured = null

  #participants = new Participants()
  #reconnection = new Reconnection(() => app.connection.open())
  #history = new BrowserHistory()
  #heartbeat = new Heartbeat(() => app.connection.send(encodeClock(performance.now())), () => this.#dead(),
    () => this.#clockSync.forget(), () => session.people.size)
  #clockSync = new ClockSync()
  #timing = new Timing()
  #awake = new Awake()
  #beat = 0
  #ack = 0
  #gone = 0
  #isLate = false
  /** Whether the page has said that this browser stores nothing. */
  #isForgetful = false
  /** The last error from the server: {code, notice}. */
  #why = null
  /** The controls that show the end of the connection; null before one. */
  #joining = null
  /** The last key that the server has refused: {room, what: 'link' or 'key'}. */
  #refused = { room: '', what: '' }
  /** What the page has said about a connection that never came about: whether the server answers; null before. */
  #isAnswered = null

  constructor() {
    new Faces()
    for (const file of ['controls', 'windows']) style(file)
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return
      // Another page of this window must not resume as the same member.
      keep('sessionStorage', resumeName(), '')
      this.#wake()
    })
    document.addEventListener('visibilitychange', () => this.#wake())
    addEventListener('offline', () => this.#offline())
    addEventListener('online', () => this.#wake())
    addEventListener('pagehide', () => {
      const { isWelcome, room, resume: token } = app.connection
      if (isWelcome) keep('sessionStorage', resumeName(), JSON.stringify({ room, token, at: Date.now() }))
    })
    const touched = () => this.#awake.touch()
    for (const type of TOUCHES) addEventListener(type, touched, { passive: true, capture: true })
    watch(() => this.#seeOthers(), 'people', 'room', 'playback')
    watch(() => this.#seeBook(), 'caption')
  }

  /** Handles every message, and {type: 'closed', code, reason}, after main.js has handled it. */
  handle(message) {
    if (message.type === 'closed') return this.#closed(message)
    this.#heartbeat.heard(performance.now())
    if (FRAMES.has(message.type)) this.#arrived(message)
    else if (message.type === 'clock') this.#compare(message)
    else if (message.type === 'welcome') this.#welcomed(message.room)
    else if (message.type === 'error') this.#failed(message)
    else if (message.type === 'goodbye') this.#reconnection.goodbye(message.seconds)
    this.#participants.handle(message)
  }

  /** Brings what is for reading together once there are others. */
  #seeOthers() {
    const { hasOthers } = this.#participants
    if (hasOthers) app.load('together/together')
  }

  /** A turn of anybody counts as one of the reader. */
  #seeBook() {
    this.#awake.touch()
    this.#awake.see(session.isBook)
  }

  /**
   * Called after each animation frame.
   * @param now the page's time in ms
   * @param time the server's time in seconds, or null
   * @param isNew whether the animation frame shows something new
   */
  drawn(now, time, isNew) {
    const { clock, playout, input } = app
    const due = time === null || !clock.isExchanged ? null : time - playout.delay
    this.#timing.drawn(now, due, isNew, playout)
    // Animation frames run only while something moves, is held, or has been done.
    if (this.#heartbeat.stir(now)) this.#tick()
    // A still finger sends no frames either.
    const isLate = playout.isMoving && playout.waiting === 0 && this.#timing.silence(now) > LATE &&
      !input.isDriving && !session.room?.isHeld
    if (isLate === this.#isLate) return
    this.#isLate = isLate
    if (isLate) document.body.dataset.late = WORDS.late
    else delete document.body.dataset.late
  }

  #failed(error) {
    const { code, notice } = this.#why = error
    if (code === 0) app.load('reply').then((reply) => reply?.say(notice))
    else if (code === 1) update({ news: notice })
    else console.warn(`Lectern: ${sentence(notice)} (${code})`)
  }

  #welcomed(room) {
    const now = performance.now()
    this.#history.welcomed(room)
    this.#reconnection.welcomed()
    this.#clockSync = new ClockSync()
    this.#timing.reset(now)
    this.#heartbeat.burst(now)
    this.#tick()
    if (this.#gone !== 0) app.notice('')
    this.#joining?.clear()
    this.#isAnswered = null
    this.#refused = { room: '', what: '' }
    this.#sayForgetful()
    clearTimeout(this.#gone)
    this.#gone = 0
  }

  /** Tells the reader once that this browser stores nothing. */
  #sayForgetful() {
    if (this.#isForgetful || readerSecret() !== '') return
    this.#isForgetful = true
    app.notice(WORDS.forgetful, 9000)
  }

  #tick() {
    clearTimeout(this.#beat)
    const wait = this.#heartbeat.tick(performance.now())
    if (wait < Infinity) this.#beat = setTimeout(() => this.#tick(), wait)
  }

  #wake() {
    if (document.visibilityState !== 'hidden' && app.connection.isWelcome) {
      this.#clockSync.forget()
      this.#heartbeat.doubt(performance.now())
    } else {
      this.#heartbeat.stop()
    }
    this.#tick()
    this.#reconnection.wake()
    this.#awake.see()
  }

  /** Replaces a connection on which the server no longer answers. */
  #dead() {
    renewConnections()
    app.connection.drop()
  }

  /** Handles the report that the browser is offline. A connection on which the server still answers is kept. */
  #offline() {
    if (app.connection.isWelcome) this.#wake()
    else this.#say()
  }

  /** Leaves the shared session until the reader returns. */
  leave() {
    app.connection.leave()
    this.#heartbeat.stop()
    this.#reconnection.stop()
    const { title, words, back } = WORDS.left
    this.#end({ title, words, acts: [{ text: back }] })
  }

  /** Handles the server's answer to a probe. */
  #compare({ clientTime, serverTime }) {
    const now = performance.now()
    const offset = this.#clockSync.add(clientTime, now, serverTime)
    if (offset === null) return
    app.clock.follow(offset, now, this.#clockSync.isUnsure)
    this.roundTrip = this.#heartbeat.roundTrip = this.#clockSync.roundTrip
  }

  #arrived({ type, time }) {
    const now = performance.now()
    const isMeasured = type === 'delta' && app.clock.isExchanged
    this.#timing.arrived(now, isMeasured ? app.clock.serverTime(now) - time : null)
    if (this.#ack === 0) this.#ack = setTimeout(() => this.#acknowledge(), ACK)
  }

  #acknowledge() {
    this.#ack = 0
    if (!app.clock.isExchanged || !this.#timing.isOwed) return
    const ack = this.#timing.ack(Math.max(0, app.playout.state.number), this.roundTrip / 1000)
    this.measured = { error: 1000 * ack.syncError, frames: this.#timing.rate(performance.now()) }
    app.connection.send(encodeAck(ack))
  }

  async #closed({ code }) {
    if (app.connection.isOpen) return; // The page has entered another room.
    this.#heartbeat.stop()
    clearTimeout(this.#ack)
    this.#ack = 0
    if (!isFinal(code)) {
      this.#reconnection.lost()
      if (this.#reconnection.isInVain && navigator.onLine !== false) this.#sayUnconnected()
      else if (navigator.onLine === false) this.#say()
      else if (this.#gone === 0) this.#gone = setTimeout(() => this.#say(), GONE)
      return
    }
    if (code === ELSEWHERE && this.#why?.code === code) return this.#history.move(this.#why.notice.values.room)
    const { room, typed, shown, refused } = app.connection
    if (code === KEY_NEEDED && typed === '' && shown !== '') {
      // The stored key is no longer valid; another one may be, or none may be needed.
      refused.add(shown)
      this.#refused = { room, what: shown === libraryKey() ? 'key' : 'link' }
      forgetSecret(room, shown)
      return app.connection.open()
    }
    // A reader who has logged in to a proxy may get the key.
    const hasLogin = code === KEY_NEEDED && typed === '' && await takeLogin(refused)
    if (app.connection.isOpen) return; // Meanwhile the reader has entered another room.
    if (hasLogin) return app.connection.open()
    this.#reconnection.stop()
    clearTimeout(this.#gone)
    const { host, pages } = this.#participants
    const refusal = this.#refused.room === room ? this.#refused.what : ''
    this.#end(ended(code, { room, typed, host, pages, refused: refusal }))
  }

  /** Says why there has never been a connection, and goes on trying. */
  async #sayUnconnected() {
    clearTimeout(this.#gone)
    this.#gone = -1
    const isAnswered = await isAnswering()
    if (app.connection.isWelcome || isAnswered === this.#isAnswered) return
    this.#isAnswered = isAnswered
    this.#end(unconnected(isAnswered), () => this.#reconnection.wake())
  }

  async #end({ letters, acts: all = [], ...said }, again = () => app.connection.open()) {
    // A library without a key has no use for the form.
    const acts = all.length > 1 && !await needsKey() ? all.filter((act) => !act.needsKey) : all
    const why = this.#why?.code === KEY_NEEDED ? sentence(this.#why.notice) : ''
    this.#why = null
    const joining = this.#joining = await app.load('together/join')
    if (letters) joining?.wrong(letters, why)
    else joining?.say({ ...said, acts: acts.map((act) => control(act, again)) })
    if (joining === null) app.notice(said.title ? WORDS.notice(said.title, said.words) : WORDS.silent)
    else app.notice('')
  }

  #say() {
    if (app.connection.isWelcome) return
    const { position = '' } = session.caption ?? {}
    this.#gone ||= -1
    const { connecting, holding, holdingAt, offline, offlineAt } = WORDS
    const isOffline = navigator.onLine === false
    if (this.#reconnection.isNew && !isOffline) return app.notice(connecting)
    const [plain, at] = isOffline ? [offline, offlineAt] : [holding, holdingAt]
    app.notice(position === '' ? plain : at(position))
  }
}
