/**
 * Makes the browser's Back button go back a step, and the address name the room, the book and the page. The
 * reader's steps add entries to the history; turned pages and the actions of other members only change the last
 * entry.
 */

import { app, session, watch } from '../app.js'
import { takeSecret } from '../keys.js'
import { at, here } from '../root.js'
import { isZoomed } from '../text/pages.js'
import { ROLE, SCREEN } from '../wire.js'
import { encodeGo, encodeZoomStep } from './wire.js'
import { WORDS } from '../words/session.js'

/** The depth of a place: the list, a shelf, an open book that stands or lies flat, or a part of a flat one. */
export const DEPTH = { list: 0, shelf: 1, standing: 2, flat: 3, zoomed: 4 }

const ADDRESS = /^\/r\/([A-Za-z0-9-]{1,32})(?:\/([\w-]{1,128})(?:\/(\d{1,9}))?)?\/?$/
/** A printed number that an address can hold: the others of a book, such as "vii", are none to the server. */
const PRINTED = /^[1-9]\d{0,7}$/
const PATIENCE = 6000; // ms to reach an entry of the history or the book of an address
const AGAIN = 1500; // ms before a step is requested again
const OWN = 2000; // ms for the browser to make a step through the history that this page requested
const MINE = 5000; // ms from the reader's input to the rest that counts as its result
const LARGER = 1.5
const MOST = 32; // earlier entries of the history that are remembered

/** The place that a path names: {room, book, number}; if they are missing, book is empty and number null. */
export function placeIn(path) {
  const [, room = '', book = '', number = null] = ADDRESS.exec(path) ?? []
  return { room, book, number }
}

/**
 * The number of a page in an address: the printed one, or after a zero the page's place in the file, from 1, if no
 * such number is printed or an earlier page has the same.
 * @param labels the printed numbers of the book's pages, if they are known
 */
export function numberOf(page, labels) {
  const label = labels[page] ?? ''
  return PRINTED.test(label) && labels.indexOf(label) === page ? label : `0${page + 1}`
}

/** The page that has a number in an address. */
export function pageOf(number, labels) {
  const page = PRINTED.test(number) ? labels.indexOf(number) : -1
  return page < 0 ? Math.max(0, Number(number) - 1) : page
}

/** The path of the place on a screen. */
export function addressOf(room, { screen, book, number }) {
  const parts = screen === SCREEN.book ? [book, number] : screen === SCREEN.shelf ? [book] : []
  return ['/r', room, ...book === '' ? [] : parts].join('/')
}

export const depthOf = ({ screen, isFlat }, isZoomed) =>
  (screen !== SCREEN.book ? screen : isZoomed ? DEPTH.zoomed : isFlat ? DEPTH.flat : DEPTH.standing)

/**
 * The changes that turn the current entry of the history into one for a depth.
 * @param entry {depth, below}: below are the depths of the entries before it, from the first of this visit
 * @returns {{back, entry, pushed}} the number of entries to go back, the new value of the entry there, and the
 *   entries to add after it
 */
export function moves(entry, depth) {
  const { below } = entry
  if (depth > entry.depth) {
    const pushed = []
    for (let last = entry; last.depth < depth; last = pushed.at(-1)) {
      pushed.push({ depth: last.depth + 1, below: [...last.below, last.depth].slice(-MOST) })
    }
    return { back: 0, entry, pushed }
  }
  const found = depth < entry.depth ? below.findIndex((one) => one >= depth) : -1
  if (found < 0) return { back: 0, entry: { depth, below }, pushed: [] }
  return { back: below.length - found, entry: { depth, below: below.slice(0, found) }, pushed: [] }
}

/** The entry in a state of the history; null for a state that this page has not written. */
export function entryIn(state) {
  const { depth, below, book = '', page = null } = state?.lectern ?? {}
  const isDepth = (one) => Number.isInteger(one) && one >= DEPTH.list && one <= DEPTH.zoomed
  if (!isDepth(depth) || !Array.isArray(below) || !below.every(isDepth)) return null
  return { depth, below, book, page }
}

export class BrowserHistory {
  #room = ''
  /** The current entry of the history; null until the first rest. */
  #entry = null
  /** The printed numbers of the pages of a book: {book, all}. */
  #labels = { book: '', all: [] }
  /** {book, number, isSent, until}: the place that the address requests. */
  #wanted = null
  /** {depth, book, page, until, asked, again}: the entry that the reader has gone to, and the last step there. */
  #goal = null
  /** {entry}: the new value of the entry to which this page has sent the browser. */
  #own = null
  /** The time of the reader's last input: a change that comes to rest soon after it is the reader's step. */
  #acted = -Infinity
  #isFramed = window.parent !== window

  constructor() {
    const { book, number } = placeIn(here())
    this.#wants(book, number)
    addEventListener('popstate', ({ state }) => this.#popped(state))
    addEventListener('hashchange', () => this.#pasted())
    const acted = () => {
      this.#acted = performance.now()
      // Any other input abandons the entry that the reader has gone to.
      this.#goal = null
    }
    for (const type of ['pointerdown', 'pointerup', 'click', 'keydown', 'wheel']) {
      addEventListener(type, acted, { capture: true, passive: true })
    }
    watch(() => this.see())
  }

  #wants(book, number) { this.#wanted = book === '' ? null : { book, number, isSent: false, until: Infinity }; }

  /** Called when the server has welcomed this page. */
  welcomed(room) {
    if (this.#room !== '' && this.#room !== room) this.#entry = this.#wanted = this.#goal = null
    this.#room = room
    if (this.#wanted === null) return
    this.#wanted.until = performance.now() + PATIENCE
    if (this.#wanted.number !== null) this.#learn(this.#wanted.book)
  }

  /** Asks for the printed numbers of a book, without which its pages are counted. */
  async #learn(book) {
    if (this.#labels.book === book) return
    this.#labels = { book, all: null }
    const { pagesOf } = await import('../contents.js')
    const { labels } = await pagesOf(book).catch(() => ({ labels: [] }))
    if (this.#labels.book !== book) return
    this.#labels.all = labels
    this.see()
  }

  /** Enters another room of this reader, because another window is in this one: the same place, without a step. */
  move(room) {
    const { book, number } = placeIn(here())
    const screen = number === null ? SCREEN.shelf : SCREEN.book
    history.replaceState(null, '', at(addressOf(room, { screen, book, number })))
    this.#wants(book, number)
    this.#room = ''
    this.#entry = this.#goal = null
    app.connection.enter(room)
  }

  get #depth() {
    const depth = depthOf(session.caption, isZoomed())
    // A window that shows one page shows it flat.
    return this.#isPage && depth > DEPTH.standing ? depth - 1 : depth
  }

  /** Whether the window shows one page. */
  get #isPage() { return session.framing?.pages > 0; }

  /** Whether this reader's input moves the book. */
  get #acts() {
    const { role } = session
    return role !== null && (role.rights.mayTurn || role.role === ROLE.wanderer)
  }

  /** Compares the history with the current place, at rest. */
  see() {
    const { caption, isSettled, role } = session
    if (caption === null || !isSettled || role === null || this.#own !== null || this.#room === '') return
    if (this.#wanted !== null && !this.#arrive()) return
    if (this.#goal !== null && !this.#follow()) return
    if (this.#entry === null) {
      this.#entry = entryIn(history.state) ?? { depth: this.#depth, below: [] }
    }
    this.#step()
  }

  /** Goes to the place of the address; true if it has been reached or cannot be reached. */
  #arrive() {
    const { book, number, isSent, until } = this.#wanted
    const { caption } = session
    // The numbers of its pages take a moment.
    const isKnown = this.#labels.book === book && this.#labels.all !== null
    if (number !== null && !isKnown && performance.now() < until) return false
    const page = number === null ? null : pageOf(number, isKnown ? this.#labels.all : [])
    const { me, people, role, room } = session
    // The list of members arrives after the first picture.
    if (!people.has(me)) return false
    const isThere = caption.book === book && (page === null || caption.screen === SCREEN.book) &&
      (isSent || page === null || page === caption.page)
    // An address moves no other member, unless this member presents.
    const isAlone = [...people.values()].every(({ id, isAway }) => id === me || isAway)
    const may = role.rights.mayTurn && (isAlone || room?.presenter === me)
    if (isThere || !may || performance.now() > until) {
      this.#wanted = null
      return true
    }
    if (!isSent) {
      this.#wanted.isSent = true
      app.send(encodeGo({ book, opens: page !== null, page }))
      setTimeout(() => this.see(), PATIENCE + 1)
    }
    return false
  }

  /** Continues towards the entry that the reader has gone to; true once it is reached or cannot be reached. */
  #follow() {
    const { depth, book, page, until } = this.#goal
    const here = this.#depth
    if (here === depth || !this.#acts || performance.now() > until) {
      this.#goal = null
      return true
    }
    // The step that was requested at this depth may not have begun.
    if (here === this.#goal.asked && performance.now() < this.#goal.again) return false
    Object.assign(this.#goal, { asked: here, again: performance.now() + AGAIN })
    if (here > depth) app.press('Escape')
    else if (here >= (this.#isPage ? DEPTH.standing : DEPTH.flat)) {
      app.send(encodeZoomStep(LARGER, innerWidth / 2, innerHeight / 2))
    } else if (here === DEPTH.standing) app.press('f')
    else app.send(encodeGo({ book, opens: depth >= DEPTH.standing, page }))
    return false
  }

  /** Makes the history name the current place. */
  #step() {
    const depth = this.#depth
    const isMine = this.#acts && !this.#isFramed && performance.now() - this.#acted < MINE
    if (!isMine) return this.#write({ depth, below: this.#entry.below })
    const { back, entry, pushed } = moves(this.#entry, depth)
    if (back > 0) return this.#go(-back, entry)
    if (pushed.length === 0) this.#write(entry)
    for (const one of pushed) this.#write(one, true)
  }

  /** Sends the browser through its history, and gives the entry there a new value. */
  #go(count, entry) {
    const own = this.#own = { entry }
    history.go(count)
    setTimeout(() => { if (this.#own === own) this.#returned(); }, OWN)
  }

  /** Called when the browser has made the step that this page requested, or has not made it in time. */
  #returned() {
    const { entry } = this.#own
    this.#own = null
    this.#write(entry)
    this.see()
  }

  #write(entry, isNew = false) {
    const { book, screen, page } = session.caption
    const state = { ...entry, book, page: screen === SCREEN.book ? page : null }
    const shown = Math.min(SCREEN.book, entry.depth)
    const labels = this.#labels.book === book ? this.#labels.all ?? [] : []
    if (shown === SCREEN.book) this.#learn(book)
    const address = addressOf(this.#room, { screen: shown, book, number: numberOf(page, labels) })
    const isSame = JSON.stringify(entryIn(history.state)) === JSON.stringify(state)
    this.#entry = entry
    if (!isNew && isSame && here() === address) return
    try {
      history[isNew ? 'pushState' : 'replaceState']({ lectern: state }, '', at(address))
    } catch (error) {
      // Some browsers limit the rate of changes.
      console.warn(error)
    }
  }

  #popped(state) {
    if (this.#own !== null) return this.#returned()
    // A new fragment of the address is handled by the hashchange event.
    if (location.hash !== '') return
    const { room } = placeIn(here())
    if (room !== '' && room !== this.#room) {
      this.#entry = null
      return app.connection.enter(room)
    }
    const entry = entryIn(state) ?? { depth: session.caption ? this.#depth : DEPTH.list, below: [] }
    const sheet = document.querySelector('dialog[open]')
    if (sheet !== null && this.#entry !== null && entry.below.length < this.#entry.below.length) {
      // Back closes the sheet first.
      sheet.close()
      return this.#go(this.#entry.below.length - entry.below.length, this.#entry)
    }
    this.#entry = entry
    this.#goal = { ...entry, until: performance.now() + PATIENCE }
    setTimeout(() => this.see(), PATIENCE + 1)
    this.see()
  }

  /** Uses the secret of a pasted link that otherwise equals this page's address. */
  #pasted() {
    const { kind, secret } = takeSecret()
    this.#entry = null
    this.see()
    if (!kind) return
    const { isWelcome, room, shown } = app.connection
    const isHost = session.role?.rights.isHost === true
    if (!isWelcome || (!isHost && shown !== secret)) app.connection.enter(room || placeIn(here()).room)
    else if (kind === 'library') app.notice(WORDS.keyKept, 5000)
  }
}
