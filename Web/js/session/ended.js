/** What is said when the connection has ended for good. */

import { keyForm } from '../api.js'
import { make, wordButton } from '../dom.js'
import { WORDS } from '../words/session.js'

const CODE = {
  noRoom: 4002, full: 4004, keyNeeded: 4005, locked: 4006, removed: 4007, ended: 4009, tries: 4010, replaced: 4011,
  gone: 4012, rooms: 4013,
}

/**
 * What a close code means to the reader and what leads on.
 * @param {{reason, room, typed, host, pages}} about what the server said, the room, the letters typed for
 *   it, its host's name and how many pages were read together
 * @param again makes another attempt
 * @returns {{title, words, acts, letters, takesCode}} takesCode: six letters may help
 */
export function ended(code, { reason, room, typed, host, pages }, again) {
  const { ended: texts } = WORDS
  const link = (text, href) => make('a', { class: 'key', text, href })
  const home = link(texts.home, '/')
  const retry = (text = texts.tryAgain) => wordButton(text, 'key', again)
  switch (code) {
    case CODE.noRoom: return { ...texts.noRoom, acts: [home] }
    case CODE.full: return { ...texts.full, acts: [retry()] }
    case CODE.keyNeeded:
      if (typed !== '') return { letters: typed }
      return room === ''
        ? { ...texts.libraryKey, acts: [keyForm(again)], takesCode: true }
        : { ...texts.invitation, acts: [], takesCode: true }
    case CODE.locked: return { ...texts.locked, acts: [retry()] }
    case CODE.ended:
      return {
        title: host ? texts.byHost(host) : texts.closed,
        words: pages > 0 ? texts.readTogether(pages) : '', acts: [home],
      }
    case CODE.tries: return { ...texts.tries, acts: [retry()] }
    case CODE.replaced: return { ...texts.replaced, acts: [retry(texts.readHere)] }
    case CODE.gone: return { ...texts.gone, acts: [home], takesCode: true }
    case CODE.rooms: return { ...texts.rooms, acts: [retry()] }
    case CODE.removed: return { ...texts.removed, acts: [home] }
    default: return { title: texts.other, words: reason, acts: [link(texts.reload, location.href)] }
  }
}
