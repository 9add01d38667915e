/** Links to rooms, and their codes. */

/** The name of the room in a path, or ''. */
export const roomOf = (path) => /^\/r\/([A-Za-z0-9-]+)/.exec(path)?.[1] ?? ''

/** The link to a room with a secret; empty without a secret. */
export const linkTo = (base, room, secret) => (secret ? `${base.replace(/\/$/, '')}/r/${room}#${secret}` : '')

/**
 * The link with a room's code, which lasts as long as the code. The code is in the path, which login pages keep; they
 * lose what follows #.
 */
export const linkWith = (base, code) => (code ? `${base.replace(/\/$/, '')}/c/${code}` : '')

/** An address without its scheme and its final slash. */
export const short = (address) => address.replace(/^https?:\/\//, '').replace(/\/$/, '')

/** The letters of a code; I and O are not used. */
export const LETTERS = 6
const NONE = /[^ABCDEFGHJKLMNPQRSTUVWXYZ]/g

/** The letters of a typed or pasted text, at most as many as a code has. */
export const codeIn = (text) => text.toUpperCase().replace(NONE, '').slice(0, LETTERS)
