/** Links to rooms. */

/** The name of the room in an address, or ''. */
export const roomOf = (path) => /^\/r\/([A-Za-z0-9-]+)/.exec(path)?.[1] ?? ''

/** The link that a secret makes; none without one. */
export const linkTo = (base, room, secret) => (secret ? `${base.replace(/\/$/, '')}/r/${room}#${secret}` : '')

/** An address without what everybody takes for granted. */
export const short = (address) => address.replace(/^https?:\/\//, '').replace(/\/$/, '')
