/** The reader's last action about who has the book, so that its effect is not announced to the same reader. */

import { encodeBring, encodeHandover, encodeWander } from './wire.js'

/** The last act, or ''. */
let last = ''

export function hand(context, offered, member = null) {
  const act = offered === 'takeBack' ? 'take' : offered
  if (member === null) last = act
  if (act === 'catchUp') context.actions.send(encodeWander(false))
  else if (act === 'bring') context.actions.send(encodeBring(context.view.caption.book))
  else if (act === 'alone') context.actions.send(encodeBring(''))
  else context.actions.send(encodeHandover(act, member))
}

/** Whether the last act was this one; if so, it is forgotten. */
export function did(act) {
  if (last !== act) return false
  last = ''
  return true
}
