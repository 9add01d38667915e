/** The reader's last action about who has the book, so that its effect is not announced to the same reader. */

import { app, session } from '../app.js'
import { encodeBring, encodeHandover, encodeWander } from './wire.js'

/** The last act, or ''. */
let last = ''

export function hand(act, member = null) {
  if (member === null) last = act
  if (act === 'catchUp') app.send(encodeWander(false))
  else if (act === 'bring') app.send(encodeBring(session.caption.book))
  else if (act === 'alone') app.send(encodeBring(''))
  else app.send(encodeHandover(act, member))
}

/** Whether the last act was this one; if so, it is forgotten. */
export function did(act) {
  if (last !== act) return false
  last = ''
  return true
}
