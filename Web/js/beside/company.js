/** Who reads here and how the room stands, kept on the desk for all that shows it. */

import { keep, kept, secretName, secretOf } from '../keys.js'
import { ROLE, SCREEN } from '../wire.js'
import { POINTER_KIND, decodeNews, encodePersona } from '../together/wire.js'

const LATER = new Set(['people', 'pointer', 'place', 'links', 'sync', 'playback'])
const linksName = (room) => `lectern-links-${room}`

/** Keeps a room's secret: a host's on this machine, a guest's in this window; empty forgets it. */
export function keepSecret(room, secret, isHost) {
  keep('sessionStorage', secretName(room), secret)
  if (isHost) keep('localStorage', secretName(room), secret)
}

/** Forgets a room's secret wherever it is this one. */
export function unkeep(room, secret) {
  for (const store of ['sessionStorage', 'localStorage']) {
    if (secretOf(room) === secret) keep(store, secretName(room), '')
  }
}

export class Company {
  #desk
  #connection
  #pages = new Set()

  constructor(desk, connection) {
    this.#desk = desk
    this.#connection = connection
    Object.assign(desk, {
      /** Where others point, by member, and who draws it. */
      pointers: new Map(),
      onPointer: null,
      /** Takes another name or colour, here and wherever this browser reads next. */
      rename: (persona) => {
        keep('localStorage', 'lectern-persona', JSON.stringify(persona))
        desk.send(encodePersona(persona))
      },
      /** Goes to the room that six letters open. */
      enter: (letters) => connection.enter('', letters.trim().toUpperCase()),
    })
  }

  /** Whether there is anybody to be seen, or may be. */
  get isCompany() {
    const { people, room, playback } = this.#desk
    return people.size > 1 || room?.isShared === true || playback !== null
  }

  /** Pages that were seen while somebody else was there. */
  get pages() { return this.#pages.size; }

  /** Who closes the book, as far as is known. */
  get host() {
    const { me, people, room } = this.#desk
    const others = [...people.values()].filter(({ id }) => id !== me)
    return (others.find(({ isHost }) => isHost) ?? people.get(room?.presenter))?.name ?? ''
  }

  /** Takes a message; whether it is news for the desk. */
  hear(message) {
    if (LATER.has(message.type)) {
      this.#news(decodeNews(message))
      return message.type !== 'pointer'
    }
    const desk = this.#desk
    switch (message.type) {
      case 'welcome':
        desk.me = message.memberId
        desk.links = kept(linksName(message.room)).code ? kept(linksName(message.room)) : null
        desk.place = desk.playback = null
        // What was pointed at meanwhile is told anew, and what is no more is not.
        for (const member of desk.pointers.keys()) {
          desk.onPointer?.({ member, kind: POINTER_KIND.gone, time: message.serverTime })
        }
        desk.pointers.clear()
        if (message.key) keepSecret(message.room, message.key, false)
        return true
      case 'role':
        if (message.role !== ROLE.wanderer) desk.place = null
        this.#keepAsHost(message.rights.isHost, secretOf(this.#connection.room))
        return true
      case 'room':
        if (!message.isShared) desk.links = null
        return true
      case 'caption':
        // What it is called for those who have left it.
        if (message.screen === SCREEN.book && (desk.place === null || message.book === desk.place.book)) {
          desk.title = message.title
        }
        if (desk.people.size < 2 || message.screen !== SCREEN.book) return false
        for (const page of [0, 1]) this.#pages.add(`${message.book} ${message.page + page}`)
        return false
      default: return false
    }
  }

  #news({ type, ...news }) {
    const desk = this.#desk
    switch (type) {
      case 'people':
        if (news.isWhole) desk.people.clear()
        for (const person of news.people) desk.people.set(person.id, person)
        for (const id of news.gone) desk.people.delete(id)
        this.#connection.persona = desk.people.get(desk.me) ?? null
        break
      case 'pointer':
        desk.pointers.set(news.member, news)
        desk.onPointer?.(news)
        break
      case 'links':
        // Secrets are told once; a later message brings a fresh code alone.
        for (const [name, value] of Object.entries(news)) if (value === '') delete news[name]
        desk.links = { ...desk.links, ...news, at: performance.now() }
        keep('localStorage', linksName(this.#connection.room), JSON.stringify(desk.links))
        this.#keepAsHost(true, desk.links.host)
        break
      case 'sync':
        // Each page reports in its own time.
        for (const one of news.members) desk.sync.set(one.member, one)
        break
      case 'playback':
        desk.playback = 'length' in news ? news : null
        break
      default: desk[type] = news
    }
  }

  #keepAsHost(isHost, secret) {
    if (isHost && secret) keepSecret(this.#connection.room, secret, true)
  }
}

/** Keeps the screen on while somebody reads with others. */
export class Lamp {
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
      // The machine saves its battery: it knows better.
    }
    this.#isAsked = false
  }
}
