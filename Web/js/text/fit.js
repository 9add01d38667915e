/** What fills the window: the whole book, a page, its words, or half of it. Each book keeps what was chosen for it. */

import { once } from '../api.js'
import { app, session, watch } from '../app.js'
import { pagesOf, walk } from '../contents.js'
import { entry, make } from '../dom.js'
import { keep, kept } from '../keys.js'
import { Sheet } from '../sheet.js'
import { pack } from '../wire.js'
import { WORDS } from '../words/text.js'
import { pageText, presentFaces, presentNumbers } from './pages.js'

const FITS = 'lectern-fits'
const MOST_KEPT = 100; // books
const TYPE = 0x21
/** What can fill the window; the index is the byte of the wire. */
export const SPANS = ['whole', 'spread', 'page', 'words', 'half']
const WHOLE = [0, 0, 1, 1]
const SAMPLES = 8; // pages whose words are measured, besides those in the window
const WORDS_MIN = 20; // of a page that counts
const SAID = 5000; // ms

export const encodeFit = ({ span, left, top, right, bottom }) => pack('bbffff', TYPE, span, left, top, right, bottom)

/** Returns what is stored, {book: span}, without what is not a span. */
export const validFits = (stored) => Object.fromEntries(
  Object.entries(stored ?? {}).filter(([, span]) => SPANS.indexOf(span) > 0).slice(-MOST_KEPT))

/** The pages to measure: those in the window, and others spread evenly over the book. */
export function samplesOf(present, count) {
  const others = Array.from({ length: Math.min(SAMPLES, count) },
    (_, n) => Math.floor((n + .5) * count / Math.min(SAMPLES, count)))
  return [...new Set([...present, ...others])]
}

/**
 * The box that holds the words of pages, [left, top, right, bottom] as fractions of a page; null without words.
 * @param pages the words of each page, as [left, top, right, bottom, word]
 */
export function boxOf(pages) {
  const outermost = (words, side) => words.reduce((most, word) =>
    (side < 2 ? Math.min(most, word[side]) : Math.max(most, word[side])), side < 2 ? 1 : 0)
  const boxes = pages.filter((words) => words.length >= WORDS_MIN)
    .map((words) => [0, 1, 2, 3].map((side) => outermost(words, side)))
  if (boxes.length === 0) return null
  // One page whose words go to the edge, such as a cover, does not decide for all.
  const outer = Math.floor(boxes.length / SAMPLES)
  const ends = [0, 1, 2, 3].map((side) => {
    const sorted = boxes.map((box) => box[side]).sort((a, b) => (side < 2 ? a - b : b - a))
    return Math.min(1, Math.max(0, sorted[outer]))
  })
  return ends[0] < ends[2] && ends[1] < ends[3] ? ends : null
}

/** Whether a page that is as wide as a window is shown whole between its bars; half of it would be shown no larger. */
export const isWhole = (page, window) => page.width > 0 && window.width * page.height / page.width <= window.height + 1

export default class Fits {
  #fits = validFits(kept(FITS))
  /** Book -> the promise of the box of its words. */
  #boxes = new Map()
  /** What the server was sent last: "book span"; null before. */
  #sent = null

  constructor() {
    watch(() => this.#see())
  }

  /** Opens the sheet of choices. */
  show() {
    const { book } = session.caption
    const sheet = new Sheet(WORDS.fit.title)
    const isTall = innerHeight > innerWidth
    const chosen = this.#fits[book] ?? SPANS[0]
    const isOffered = (span) => span === chosen || !(
      (isTall && span === 'spread') || (span === 'half' && isWhole(this.#page, this.#window)))
    const choose = (span) => {
      sheet.close()
      this.#choose(book, span)
    }
    const entries = SPANS.filter(isOffered).map((span) =>
      entry(() => choose(span), { 'aria-current': span === chosen && 'true' },
        make('span', { text: isTall && span === 'whole' ? WORDS.fit.wholePage : WORDS.fit[span] })))
    const list = make('ul', { class: 'entries', onkeydown: walk }, ...entries)
    sheet.body.append(list)
    sheet.open(list.querySelector('[aria-current]') ?? list.querySelector('button'))
  }

  /** The width and height of the page in the window; a wide page is on two faces. */
  get #page() {
    const [{ content } = { content: { width: 0, height: 0, imageURL: '' } }] = presentFaces()
    return { width: content.width * (content.imageURL.includes('#') ? 2 : 1), height: content.height }
  }

  /** The room between the bars. */
  get #window() {
    const bars = ['top', 'bookbar'].map((id) => document.getElementById(id)?.offsetHeight ?? 0)
    return { width: innerWidth, height: innerHeight - bars[0] - bars[1] }
  }

  #choose(book, span) {
    const { [book]: _, ...others } = this.#fits
    this.#fits = validFits({ ...others, [book]: span })
    keep('localStorage', FITS, Object.keys(this.#fits).length === 0 ? '' : JSON.stringify(this.#fits))
    if (span !== SPANS[0] && !session.caption.isFlat) app.press('f')
    this.#tell(book, span, true)
  }

  #see() {
    const { book, framing } = session
    if (!framing || book === '') {
      delete document.body.dataset.fit
      return this.#sent = null
    }
    const span = this.#fits[book] ?? SPANS[0]
    const isNews = this.#sent === null ? span !== SPANS[0] : !this.#sent.startsWith(`${book} `)
    if (isNews) this.#tell(book, span)
  }

  async #tell(book, span, isAsked = false) {
    const sent = this.#sent = `${book} ${span}`
    const box = span === 'words' ? await once(this.#boxes, book, () => this.#measure(book)) : null
    if (this.#sent !== sent) return
    if (span === 'words' && box === null && isAsked) app.notice(WORDS.fit.noWords, SAID)
    if (span === SPANS[0]) delete document.body.dataset.fit
    else document.body.dataset.fit = span
    const [left, top, right, bottom] = box ?? WHOLE
    app.send(encodeFit({ span: SPANS.indexOf(span), left, top, right, bottom }))
  }

  /** Measures the box of the words of a book; null if it has none. */
  async #measure(book) {
    const { labels } = await pagesOf(book).catch(() => ({ labels: [] }))
    const present = presentNumbers()
    const texts = await Promise.all(samplesOf(present, labels.length).map((page) => pageText(book, page)))
    const box = boxOf(texts.map((text) => text?.words ?? []))
    if (box === null) this.#boxes.delete(book)
    return box
  }
}
