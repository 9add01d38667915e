/** What the parts of the page share: the facts of the session, each written by one of them, and their acts. */

import { SETTINGS, kept } from './keys.js'
import { SCREEN } from './wire.js'

export const session = {
  /** The last messages of the server; null before the first one. */
  caption: null, role: null, room: null, framing: null, place: null, links: null, playback: null,
  /** What others have done last, as {code, values}. */
  news: null,
  /** The members and their timing by number, this member's number, and this member once it is among them. */
  people: new Map(), sync: new Map(), me: 0, self: null,
  /** Whether frame and camera are at rest. */
  isSettled: false,
  /** Whether the open book is read from right to left. */
  isReversed: false,
  /** {isOn, shelf}: whether and where books can be uploaded; null until that is known. */
  uploads: null,
  /** What the reader has chosen, and what draws images in a light other than that of the day. */
  settings: kept(SETTINGS), tone: undefined,

  get isBook() { return this.caption?.screen === SCREEN.book },
  /** The id of the open book; empty on another screen. */
  get book() { return this.isBook ? this.caption.book : '' },
  /** Whether this reader may open the whole library. */
  get mayOpen() { return this.role?.rights.mayShare === true },
}

/** Function -> the names of the facts that it watches. */
const watchers = new Map()
let pending = {} // the facts that were written before the first caption

/** Calls a function now and whenever one of these facts is written, by default any; never before the first caption. */
export function watch(see, ...names) {
  watchers.set(see, names)
  if (session.caption !== null) see()
}

/** Writes facts and calls the functions that watch one of them, after the first caption. */
export function update(changes) {
  Object.assign(session, changes)
  Object.assign(pending, changes)
  if (session.caption === null) return
  const written = pending
  pending = {}
  for (const [see, names] of watchers) if (names.length === 0 || names.some((name) => name in written)) see()
}

/** The parts that main.js and loader.js create, and the acts that they offer to each other. */
export const app = {}
