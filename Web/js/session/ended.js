/** The page's explanation when there is no connection: it has ended for good, or it has never come about. */

import { keyForm } from '../api.js'
import { make, wordButton } from '../dom.js'
import { at } from '../root.js'
import { WORDS } from '../words/session.js'

const CODE = {
  version: 4001, noRoom: 4002, full: 4004, keyNeeded: 4005, locked: 4006, removed: 4007, ended: 4009, tries: 4010,
  replaced: 4011, gone: 4012, rooms: 4013,
}

/**
 * Explains a close code and offers remedies.
 * @param {{room, typed, host, pages, refused}} about the room, the code that was typed, the host's name, how many pages
 *   were read together, and what this page has shown in vain: 'link', 'key' or nothing
 * @returns {{title, words, acts, letters, takesCode}} acts: the remedies, each {text, href} a link, {text}
 *   another attempt, or {needsKey} a form for the key, for a library that has one; letters: the code, if it was
 *   wrong; takesCode: whether a code may help; isCodeFirst: whether it is the likeliest remedy
 */
export function ended(code, { room, typed, host, pages, refused = '' }) {
  const { ended: texts } = WORDS
  const home = { text: texts.home, href: at('/') }
  const retry = { text: texts.tryAgain }
  switch (code) {
    case CODE.noRoom: return { ...texts.noRoom, acts: [home], takesCode: true }
    case CODE.full: return { ...texts.full, acts: [retry] }
    case CODE.keyNeeded:
      if (typed !== '') return { letters: typed }
      if (room !== '' && refused === '') {
        return { ...texts.invitation, acts: [{ needsKey: true }, home], takesCode: true, isCodeFirst: true }
      }
      return {
        ...refused === 'key' ? texts.wrongKey
          : room === '' ? texts.libraryKey : texts.over,
        acts: room === '' ? [{ needsKey: true }] : [{ needsKey: true }, home], takesCode: true,
      }
    case CODE.locked: return { ...texts.locked, acts: [retry] }
    case CODE.ended:
      return {
        title: host ? texts.byHost(host) : texts.closed,
        words: pages > 0 ? texts.readTogether(pages) : '', acts: [home],
      }
    case CODE.tries: return { ...texts.tries, acts: [retry] }
    case CODE.replaced: return { ...texts.replaced, acts: [{ text: texts.readHere }] }
    case CODE.gone: return { ...texts.gone, acts: [home], takesCode: true }
    case CODE.rooms: return { ...texts.rooms, acts: [retry] }
    case CODE.removed: return { ...texts.removed, acts: [home] }
    // The empty address is that of this page.
    default:
      return {
        title: texts.other, words: code === CODE.version ? texts.wrongVersion : '',
        acts: [{ text: texts.reload, href: '' }],
      }
  }
}

/** Explains why no attempt at a connection has succeeded: the server answers or it does not. */
export const unconnected = (isAnswered) =>
  ({ ...isAnswered ? WORDS.noSocket : WORDS.noServer, acts: [{ text: WORDS.ended.tryAgain }] })

/** The control for a remedy; again makes another attempt. */
export function control({ text, href, needsKey }, again) {
  if (needsKey) return keyForm(again)
  return href === undefined ? wordButton(text, 'key', again) : make('a', { class: 'key', text, href })
}
