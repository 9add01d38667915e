/** What a member does about who has the book. */

import { app, session } from '../app.js'
import { encodeBring, encodeHandover, encodeWander } from './wire.js'

export function hand(offered, member = null) {
  const act = offered === 'takeBack' ? 'take' : offered
  if (act === 'catchUp') app.send(encodeWander(false))
  else if (act === 'bring') app.send(encodeBring(session.caption.book))
  else if (act === 'alone') app.send(encodeBring(''))
  else app.send(encodeHandover(act, member))
}
