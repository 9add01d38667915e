/** The members and the state of the room, which this module writes into the context's session. */

import { describe } from '../captions.js'
import { keep, kept, secretName, secretOf } from '../keys.js'
import { ROLE, SCREEN } from '../wire.js'
import { POINTER_KIND, decodeNews, encodePersona } from '../together/wire.js'

const LATER = new Set(['framing', 'people', 'pointer', 'place', 'links', 'sync', 'playback'])
const linksName = (room) => `lectern-links-${room}`

/** Stores a room's secret: a host's in this browser and a guest's in this window. An empty one removes it. */
export function keepSecret(room, secret, isHost) {
  keep('sessionStorage', secretName(room), secret)
  if (isHost) keep('localStorage', secretName(room), secret)
}

/** Removes a room's secret from each storage that holds this one. */
export function forgetSecret(room, secret) {
  for (const store of ['sessionStorage', 'localStorage']) {
    if (secretOf(room) === secret) keep(store, secretName(room), '')
  }
}

export class Participants {
  #context
  #connection
  #pages = new Set()

  constructor(context, connection) {
    this.#context = context
    this.#connection = connection
    // Changes the reader's name and colour, here and for later rooms in this browser.
    context.actions.rename = (persona) => {
      keep('localStorage', 'lectern-persona', JSON.stringify(persona))
      context.actions.send(encodePersona(persona))
    }
    // Goes to the room of a code.
    context.actions.enter = (letters) => connection.enter('', letters.trim().toUpperCase())
  }

  /** Whether there are, or may be, other members. */
  get hasOthers() {
    const { people, room, playback } = this.#context.session
    return people.size > 1 || room?.isShared === true || playback !== null
  }

  /** The number of pages that were open while other members were present. */
  get pages() { return this.#pages.size; }

  /** The name of the host that may end the reading, or of the presenter; empty if unknown. */
  get host() {
    const { me, people, room } = this.#context.session
    const others = [...people.values()].filter(({ id }) => id !== me)
    return (others.find(({ isHost }) => isHost) ?? people.get(room?.presenter))?.name ?? ''
  }

  /** Handles a message; true if it changed the session. */
  handle(message) {
    if (LATER.has(message.type)) {
      this.#news(describe(decodeNews(message)))
      return message.type !== 'pointer'
    }
    const context = this.#context
    switch (message.type) {
      case 'welcome':
        context.session.me = message.memberId
        context.session.links = kept(linksName(message.room)).code ? kept(linksName(message.room)) : null
        context.session.place = context.session.playback = context.session.framing = null
        // The server sends the current pointers again, so the old ones are removed.
        for (const member of context.session.pointers.keys()) {
          context.session.onPointer?.({ member, kind: POINTER_KIND.gone, time: message.serverTime })
        }
        context.session.pointers.clear()
        if (message.key) keepSecret(message.room, message.key, false)
        return true
      case 'role':
        if (message.role !== ROLE.wanderer) context.session.place = null
        this.#keepAsHost(message.rights.isHost, secretOf(this.#connection.room))
        return true
      case 'room':
        if (!message.isShared) context.session.links = null
        return true
      case 'caption':
        if (context.session.people.size < 2 || message.screen !== SCREEN.book) return false
        for (const id of message.spread) this.#pages.add(`${message.book} ${id}`)
        return false
      default: return false
    }
  }

  #news({ type, ...news }) {
    const context = this.#context
    switch (type) {
      case 'people':
        if (news.isWhole) context.session.people.clear()
        for (const person of news.people) context.session.people.set(person.id, person)
        for (const id of news.gone) context.session.people.delete(id)
        this.#connection.persona = context.session.people.get(context.session.me) ?? null
        break
      case 'pointer':
        context.session.pointers.set(news.member, news)
        context.session.onPointer?.(news)
        break
      case 'links':
        // Secrets are sent once; later messages contain only a fresh code.
        for (const [name, value] of Object.entries(news)) if (value === '') delete news[name]
        context.session.links = { ...context.session.links, ...news, at: performance.now() }
        keep('localStorage', linksName(this.#connection.room), JSON.stringify(context.session.links))
        this.#keepAsHost(true, context.session.links.host)
        break
      case 'sync':
        // Each member reports at its own times.
        for (const one of news.members) context.session.sync.set(one.member, one)
        break
      case 'playback':
        context.session.playback = 'length' in news ? news : null
        break
      default: context.session[type] = news
    }
  }

  #keepAsHost(isHost, secret) {
    if (isHost && secret) keepSecret(this.#connection.room, secret, true)
  }
}

/** Keeps the screen on while others are reading along. */
export class ScreenLock {
  #lock = null
  #isAsked = false

  async see(isWanted) {
    if (this.#isAsked || !('wakeLock' in navigator)) return
    const isOn = this.#lock !== null && !this.#lock.released
    if (isWanted === isOn || document.visibilityState === 'hidden') return
    this.#isAsked = true
    try {
      if (isWanted) this.#lock = await navigator.wakeLock.request('screen')
      else await this.#lock.release()
    } catch {
      // The device may reject the request, for example to save its battery.
    }
    this.#isAsked = false
  }
}
