/** The fore-edge of the open book as a ruler: where its ticks are and what page lies where. */

const CLOSEST = 5; // CSS px between two ticks
const BUNDLES = [1, 2, 5, 10, 20, 50, 100, 200, 500]; // leaves that share a tick

const THINNEST = 4; // stage points of a pamphlet
const THICKEST = 20; // stage points of a book of MANY pages
const MANY = 500;

/** How thick the leaves lie to the left and to the right of an open page, in stage points. */
export function thickness(page, pages, isReversed = false) {
  const whole = THINNEST + (THICKEST - THINNEST) * Math.min(1, pages / MANY)
  const read = whole * placeOf(page, pages, 1)
  return isReversed ? [whole - read, read] : [read, whole - read]
}

/** The first page of the spread that shows a page: 0 is the cover, and opens with the first two. */
export const spreadOf = (page) => Math.max(1, page - (page + 1) % 2)

/** Where a page lies on a ruler of a width. */
export const placeOf = (page, pages, width, isReversed = false) => {
  const share = pages > 1 ? Math.max(0, Math.min(1, page / (pages - 1))) : 0
  return width * (isReversed ? 1 - share : share)
}

/** The first page of the spread at a place of a ruler. */
export function pageAt(x, pages, width, isReversed = false) {
  const share = Math.max(0, Math.min(1, width > 0 ? x / width : 0))
  const page = Math.round((isReversed ? 1 - share : share) * (pages - 1))
  return Math.min(spreadOf(page), spreadOf(Math.max(0, pages - 1)))
}

/**
 * One tick a leaf, or a bundle where the leaves would lie too close; those at which a chapter begins
 * are tall, as are the first and the last.
 * @param {number[]} chapters the pages at which chapters begin
 * @returns {{page: number, x: number, isTall: boolean}[]}
 */
export function ticks(pages, width, chapters = [], isReversed = false) {
  const leaves = Math.max(1, Math.ceil(pages / 2))
  const bundle = BUNDLES.find((count) => width * count / leaves >= CLOSEST) ?? leaves
  const count = Math.ceil(leaves / bundle)
  const tall = new Set([0, count, ...chapters.map((page) => Math.round(page / 2 / bundle))])
  return Array.from({ length: count + 1 }, (_, index) => {
    const page = Math.min(index * bundle * 2, Math.max(0, pages - 1))
    return { page, x: placeOf(page, pages, width, isReversed), isTall: tall.has(index) }
  })
}
