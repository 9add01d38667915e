/** The pages in the window, and what the server tells of their text. */

import { ask, bookAt, listOf, once, textOf } from '../api.js'
import { app, session } from '../app.js'
import { SIDE } from '../wire.js'

const MOST_READ = 200_000; // characters of a page
const ZOOMED = 1.01
const REMEMBERED = 24; // pages whose text is kept
/** The side of the page that a window with one page shows, by the number in its framing. */
const ONLY = [null, SIDE.left, SIDE.right]

/** Whether the window shows a part of what it would show of the open book at first. */
export const isZoomed = () => session.isBook && app.stage.matrix[0] > session.framing?.scale * ZOOMED

/** The index of the page that an element shows, from its image's address; null if it shows none. */
export const pageOf = ({ imageURL }) => /\/p\/(\d+)\//.exec(imageURL)?.[1] ?? null

/** Whether an element shows the second half of a wide page whose first half is among others. */
export const isSecondHalf = (content, others) => content.imageURL.includes('#') &&
  others.some((other) => other.index < content.index && pageOf(other) === pageOf(content))

/** The open faces in the window, one or two; a wide page is on two faces, and its words are on one of them. */
export function presentFaces() {
  const side = ONLY[session.framing?.pages ?? 0]
  return app.stage.spread.filter(({ content }) =>
    side === null || content.side === side || content.imageURL.includes('#'))
}

/** The pages in the window in reading order, as the contents of their elements; the inside of a cover has none. */
export function presentPages() {
  return presentFaces().map(({ content }) => content).filter((content) => pageOf(content) !== null)
    .sort((a, b) => a.index - b.index)
    .filter((content, n, all) => !isSecondHalf(content, all))
}

/** The numbers of the pages in the window, in reading order. */
export const presentNumbers = () => presentPages().map((content) => Number(pageOf(content)))

export const isBox = (box) => Array.isArray(box) && box.length === 4 && box.every(Number.isFinite)
const isWord = (word) => Array.isArray(word) && isBox(word.slice(0, 4)) && typeof word[4] === 'string'

/** Address -> the promise of a page's text. */
const texts = new Map()
/** Book -> the promise of its facts. */
const facts = new Map()

/**
 * The text of a page: {label, text, words, links}, where a word is [left, top, right, bottom, word]; null if it
 * cannot be loaded.
 */
export function pageText(book, page) {
  const address = `${bookAt(book)}/pages/${page}/text`
  const loaded = once(texts, address, () => ask(address).then((answer) => {
    const text = textOf(answer?.text, MOST_READ)
    // A page without words may not have been indexed yet.
    if (text === '') texts.delete(address)
    return {
      label: textOf(answer?.label), text, words: listOf(answer?.words).filter(isWord),
      links: listOf(answer?.links).filter(({ box }) => isBox(box)),
    }
  })).catch(() => null)
  for (const oldest of texts.keys()) {
    if (texts.size <= REMEMBERED) break
    texts.delete(oldest)
  }
  return loaded
}

/** The facts about a book: {language, isReversed}. */
export const factsOf = (book) => once(facts, book, () => ask(bookAt(book)).then((answer) => ({
  language: textOf(answer?.language), isReversed: answer?.direction === 'rtl',
}))).catch(() => ({ language: '', isReversed: false }))

/** Whether the library has read all words of a book; true if it does not say. */
export async function isIndexed(book) {
  const query = new URLSearchParams({ book, q: 'a', limit: 1 })
  return (await ask(`/api/search?${query}`).catch(() => null))?.words !== 'some'
}

/** Forgets everything, since a closed book may be changed before it is opened again. */
export function forgetTexts() {
  texts.clear()
  facts.clear()
}
