/** What opens rooms to this browser, and the reader's name and colour in them. */

const LIBRARY = 'lectern-key'
const READER = 'lectern-reader'
const ROOM = /^\/r\/([A-Za-z0-9-]{1,32})(?:\/[\w-]+(?:\/\d+)?)?\/?$/
const SECRET = /^#(key=)?([\w-]{1,64})$/
const RESUME = 60_000; // ms for which a page that went can be followed by itself

/** What is kept under a name: in this window, else on this machine. */
function read(name) {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a text under a name; empty takes it away. Where nothing may be kept, nothing is. */
export function keep(store, name, text) {
  try {
    if (text === '') window[store].removeItem(name)
    else window[store].setItem(name, text)
  } catch {
    // Held by this page alone.
  }
}

/** What was kept as JSON; empty if there is none. */
export function kept(name) {
  try {
    return JSON.parse(read(name)) ?? {}
  } catch {
    return {}
  }
}

export const secretName = (room) => `lectern-room-${room}`
/** The secret by which rooms and places in books are this reader's; empty before the first welcome. */
export const readerSecret = () => read(READER)
/** A window that came first keeps its secret for itself and for all that come later. */
export function keepReader(secret) {
  const isFirst = readerSecret() === ''
  keep('sessionStorage', READER, secret)
  if (isFirst) keep('localStorage', READER, secret)
}

let pass = ''
export const takePass = (given) => { pass = given }
/** Adds the pass to an address. */
export const withPass = (address) =>
  (pass && address ? `${address}${address.includes('?') ? '&' : '?'}pass=${pass}` : address)

/** Frames of one page share what it keeps, and are still different readers. */
export const resumeName = () => `lectern-resume-${window.name}`
export const libraryKey = () => read(LIBRARY)
export const keepLibraryKey = (key) => keep('localStorage', LIBRARY, key)
export const secretOf = (room) => (room === '' ? '' : read(secretName(room)))

/** What may open a room, best first. */
export const keysOf = (room) => [secretOf(room), libraryKey()].filter(Boolean)

/** {name, colour} as chosen, or nothing. */
export const persona = () => kept('lectern-persona')

/** Keeps the secret of the address, which leaves it: {kind, secret}; kind is 'library', 'room', or empty. */
export function takeSecret() {
  const room = ROOM.exec(location.pathname)?.[1] ?? ''
  const [, isLibrary, secret = ''] = SECRET.exec(location.hash) ?? []
  if (isLibrary) keepLibraryKey(secret)
  else if (secret && room) keep('sessionStorage', secretName(room), secret)
  if (secret) history.replaceState(history.state, '', location.pathname)
  return { kind: isLibrary ? 'library' : secret && room && 'room', secret }
}

/** The room that the address names, and what it takes to be who one was; secrets leave the address. */
export function arrival() {
  const room = ROOM.exec(location.pathname)?.[1] ?? ''
  takeSecret()
  const left = kept(resumeName())
  keep('sessionStorage', resumeName(), '')
  return { room, resume: room !== '' && left.room === room && Date.now() - left.at < RESUME ? left.token : '' }
}
