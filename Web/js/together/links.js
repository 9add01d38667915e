/** Links to rooms. */

/** The name of the room in a path, or ''. */
export const roomOf = (path) => /^\/r\/([A-Za-z0-9-]+)/.exec(path)?.[1] ?? ''

/** The link to a room with a secret; empty without a secret. */
export const linkTo = (base, room, secret) => (secret ? `${base.replace(/\/$/, '')}/r/${room}#${secret}` : '')

/** An address without its scheme and its final slash. */
export const short = (address) => address.replace(/^https?:\/\//, '').replace(/\/$/, '')
