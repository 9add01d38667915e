/** Where this browser's reader stopped: the book, the pages that were open, and how they are called. */

import { app, session } from '../app.js'
import { keep, kept, persona, readerSecret } from '../keys.js'
import { pageOf, presentPages } from '../text/pages.js'
import { ROLE, SIDE } from '../wire.js'

const STORED = 'lectern-place'
const HALVES = ['', 'left', 'right']

/** The bookmark of this page, which counts while the browser stores nothing or an older one. */
let held = { time: 0 }

/** Who reads: another reader of this browser, or the same under another name, is somebody else. */
export const readerNow = () => ({ reader: readerSecret(), name: persona().name ?? '' })

/** What a face of the open spread shows: {page, half}; null for blank paper or a board. */
function faceOf(element) {
  const page = element && pageOf(element.content)
  if (page === null || page === undefined) return null
  return { page: Number(page), half: element.content.imageURL.split('#')[1] ?? '' }
}

/** The bookmark of the open book; null while it is at its beginning, where there is nothing to continue. */
export function openBookmark() {
  const { caption, framing } = session
  const { spread } = app.stage
  if (caption.index === 0 || spread.length === 0) return null
  const pages = presentPages()
  const on = (side) => spread.find(({ content }) => content.side === side)
  const { width, height } = spread[0].content
  return {
    book: caption.book,
    page: pages.length > 0 ? Number(pageOf(pages[0])) : caption.page,
    numbers: pages.length > 0 ? (framing?.pages > 0 ? framing : caption).range.labels.join('–') : '',
    isMany: pages.length > 1,
    shape: 2 * width / height,
    faces: [faceOf(on(SIDE.left)), faceOf(on(SIDE.right))],
    share: caption.count > 1 ? caption.index / (caption.count - 1) : 0,
    count: caption.count,
  }
}

/** Whether a book that is open here is this reader's own to continue: not that of a host, and no recording. */
const isOwn = ({ role, room, playback }) => role?.rights.mayShare === true && !room?.isPlayback && !playback &&
  (role.rights.mayTurn || role.role === ROLE.wanderer)

/** Stores the bookmark of the open book at rest. A book that is back at its beginning has none. */
export function storeBookmark() {
  const { book } = session
  if (book === '' || !isOwn(session)) return
  const bookmark = openBookmark()
  if (bookmark === null) {
    if (storedBookmark()?.book === book) forgetBookmark()
    return
  }
  held = { ...bookmark, ...readerNow(), time: Date.now() }
  keep('localStorage', STORED, JSON.stringify(held))
}

/** Forgets the bookmark, for example of a book that is not in the library any more. */
export function forgetBookmark() {
  held = { time: Date.now() }
  keep('localStorage', STORED, '')
}

/** The bookmark that this reader has stored; null for none. */
export const storedBookmark = () => {
  const stored = kept(STORED)
  return bookmarkIn(stored.time > held.time ? stored : held, readerNow())
}

const isCount = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31
const isFace = (face) => face === null || (isCount(face?.page) && HALVES.includes(face.half))

/** A stored bookmark if it is valid and that of a reader; otherwise null. */
export function bookmarkIn(stored, { reader, name }) {
  const { book, page, numbers, shape, faces, share, count } = stored ?? {}
  const isValid = reader !== '' && stored?.reader === reader && stored.name === name &&
    typeof book === 'string' && book !== '' && isCount(page) && typeof numbers === 'string' && numbers.length < 64 &&
    Number.isFinite(shape) && shape > .2 && shape < 20 &&
    Array.isArray(faces) && faces.length === 2 && faces.every(isFace) &&
    Number.isFinite(share) && share >= 0 && share <= 1 && isCount(count)
  if (!isValid) return null
  return { book, page, numbers, isMany: stored.isMany === true, shape, faces, share, count }
}
