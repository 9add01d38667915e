/** The stored keys, secrets and tokens, and the reader's name and colour. */

import { ROOT, here } from './root.js'

/** The entry of the settings. */
export const SETTINGS = 'lectern-settings'
/** The entry of the hints that the reader has followed: {name: true}; over: true if none is left. */
export const HINTS = 'lectern-hints'
const LIBRARY = 'lectern-key'
const READER = 'lectern-reader'
const ROOM = /^\/r\/([A-Za-z0-9-]{1,32})(?:\/[\w-]+(?:\/\d+)?)?\/?$/
const CODE = /^\/c\/([A-Za-z]{6})\/?$/
const SECRET = /^#(key=)?([\w-]{1,64})$/
const RESUME = 60_000; // ms for which a page that was left can rejoin as the same member

/** The text stored under a name, in this window or else in this browser; empty if there is none. */
function read(name) {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Stores a text under a name; an empty text removes the entry. Without storage it does nothing. */
export function keep(store, name, text) {
  try {
    if (text === '') window[store].removeItem(name)
    else window[store].setItem(name, text)
  } catch {
    // The text is kept in this page only.
  }
}

/** The object stored as JSON; an empty one if there is none. */
export function kept(name) {
  try {
    return JSON.parse(read(name)) ?? {}
  } catch {
    return {}
  }
}

export const secretName = (room) => `lectern-room-${room}`
/** The secret that identifies the reader's rooms and positions in books; empty before the first welcome. */
export const readerSecret = () => read(READER)
/** Stores the reader's secret for this window, and for later ones if the browser has none. */
export function keepReader(secret) {
  const isFirst = readerSecret() === ''
  keep('sessionStorage', READER, secret)
  if (isFirst) keep('localStorage', READER, secret)
}

/** The cookie of this window, which shows the pass with each request. */
const PASS = `lectern-pass-${Math.random().toString(36).slice(2)}`
export function takePass(pass) {
  const secure = location.protocol === 'https:' ? ';secure' : ''
  document.cookie = `${PASS}=${pass};path=${ROOT};max-age=120;samesite=strict${secure}`
}

/** The entry of the resume token. Frames of one page share its storage and are different members. */
export const resumeName = () => `lectern-resume-${window.name}`
export const libraryKey = () => read(LIBRARY)
export const keepLibraryKey = (key) => keep('localStorage', LIBRARY, key)
export const secretOf = (room) => (room === '' ? '' : read(secretName(room)))

/** The keys that may open a room, best first. */
export const keysOf = (room) => [secretOf(room), libraryKey()].filter(Boolean)

const PERSONA = 'lectern-persona'
export const NAME_BYTES = 64; // of a reader's name
/** {name, colour} that the reader has chosen; an empty object otherwise. */
export const persona = () => kept(PERSONA)
export const keepPersona = (chosen) => keep('localStorage', PERSONA, JSON.stringify(chosen))

/** Moves the secret from the address into storage: {kind, secret}; kind is 'library', 'room', or empty. */
export function takeSecret() {
  const room = ROOM.exec(here())?.[1] ?? ''
  const [, isLibrary, secret = ''] = SECRET.exec(location.hash) ?? []
  if (isLibrary) keepLibraryKey(secret)
  else if (secret && room) keep('sessionStorage', secretName(room), secret)
  if (secret) history.replaceState(history.state, '', location.pathname)
  return { kind: isLibrary ? 'library' : secret && room && 'room', secret }
}

/**
 * The room of the address, the code in it, which no login page cuts off, and the token to rejoin the room as the same
 * member; removes secrets and codes from the address. The plain address continues in a room of the reader's own.
 */
export function arrival() {
  const room = ROOM.exec(here())?.[1] ?? ''
  const typed = (CODE.exec(here())?.[1] ?? '').toUpperCase()
  takeSecret()
  if (typed) history.replaceState(history.state, '', ROOT)
  const left = kept(resumeName())
  keep('sessionStorage', resumeName(), '')
  const isBack = (room === '' || left.room === room) && Date.now() - left.at < RESUME
  return { room, typed, resume: isBack && typed === '' ? left.token : '' }
}
