/** The members and the state of the room, which this module writes into the session. */

import { app, session, update, watch } from '../app.js'
import { describe } from '../captions.js'
import { keep, kept, secretName, secretOf } from '../keys.js'
import { decodeNews } from '../together/wire.js'

const LATER = new Set(['framing', 'people', 'pointer', 'place', 'links', 'sync', 'playback'])
const linksName = (room) => `lectern-links-${room}`

/** Stores a room's secret: a host's in this browser and a guest's in this window. An empty one removes it. */
function keepSecret(room, secret, isHost) {
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
  #pages = new Set()

  constructor() {
    watch(() => this.#count(), 'caption', 'people')
  }

  /** Whether there are, or may be, other members. */
  get hasOthers() {
    const { people, room, playback } = session
    return people.size > 1 || room?.isShared === true || playback !== null
  }

  /** The number of pages that were open while other members were present. */
  get pages() { return this.#pages.size; }

  /** The name of the host that may end the session, or of the presenter; empty if unknown. */
  get host() {
    const { me, people, room } = session
    const others = [...people.values()].filter(({ id }) => id !== me)
    return (others.find(({ isHost }) => isHost) ?? people.get(room?.presenter))?.name ?? ''
  }

  #count() {
    if (session.people.size < 2 || !session.isBook) return
    for (const id of session.caption.spread) this.#pages.add(`${session.caption.book} ${id}`)
  }

  /** Handles a message. */
  handle(message) {
    const { type, room, key, rights } = message
    if (LATER.has(type)) this.#news(describe(decodeNews(message)))
    if (type === 'role') this.#keepAsHost(rights.isHost, secretOf(app.connection.room))
    if (type !== 'welcome') return
    const links = kept(linksName(room))
    update({ links: links.code ? links : null })
    if (key) keepSecret(room, key, false)
  }

  #news({ type, ...news }) {
    switch (type) {
      case 'people': {
        const people = new Map(news.isWhole ? [] : session.people)
        for (const person of news.people) people.set(person.id, person)
        for (const id of news.gone) people.delete(id)
        update({ people, self: people.get(session.me) ?? null })
        break
      }
      case 'pointer':
        if (news.member === session.me) break
        app.load('together/hands').then((hands) => hands?.come(news))
        break
      case 'links': {
        // Secrets are sent once; later messages contain only a fresh code.
        const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== ''))
        const links = { ...session.links, ...given, at: performance.now() }
        keep('localStorage', linksName(app.connection.room), JSON.stringify(links))
        this.#keepAsHost(true, links.host)
        update({ links })
        break
      }
      case 'sync':
        // Each member reports at its own times.
        update({ sync: new Map([...session.sync, ...news.members.map((one) => [one.member, one])]) })
        break
      case 'playback':
        update({ playback: 'length' in news ? news : null })
        break
      default: update({ [type]: news })
    }
  }

  #keepAsHost(isHost, secret) {
    if (isHost && secret) keepSecret(app.connection.room, secret, true)
  }
}
