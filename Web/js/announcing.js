/** Announces to assistive technology where the reader is, once the stage rests. */

import { app, session, watch } from './app.js'
import { by } from './chrome.js'

/** The announced book; empty on other screens. */
let announced = ''

function announce() {
  if (!session.isSettled) return
  const { announcement, detail } = session.caption
  const isSame = session.isBook && session.book === announced
  announced = session.book
  const words = isSame ? app.place?.() ?? detail : announcement
  if (by('live').textContent !== words) by('live').textContent = words
}

export const beginAnnouncing = () => watch(announce, 'caption', 'isSettled')
