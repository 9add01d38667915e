/** Where on the table around the list there is space for a book and its caption. All lengths are CSS px. */

const BESIDE = 20; // between the book and the bar or the list
const EDGE = 20; // to the sides of the window
const FOOT = 36; // to its lower edge, for what hangs out of a book
const CAPTION = 104; // height of a caption below the book
const LEAST = { width: 120, height: 84 }; // of a book

/** The greatest book of a shape, width to height, in a box; its height is 0 if it would be too small. */
function highest(width, height, shape) {
  const high = Math.min(height, width / shape)
  return high >= LEAST.height && high * shape >= LEAST.width ? high : 0
}

/**
 * The space in which a book is largest; null if there is none.
 * @param window {width, height, top}: top is the lower edge of the bar
 * @param list {left, middle, right, above, below}: the middle is where the planks begin; above is the top of the first
 *   ledge and below the bottom of the last one, null where the list goes on
 * @param shape the book's width to its height
 * @returns {{form, left, top, width, height, high}|null} the form is 'beside', with the caption to the left of the
 *   book, 'stacked', with the caption below it, or 'aside', the same beyond the end of the ledges; high is the height
 *   of the book
 */
export function spaceFor(window, list, shape) {
  const left = Math.max(EDGE, list.left)
  const right = Math.min(window.width - EDGE, list.right)
  const under = { left, right, top: (list.below ?? Infinity) + BESIDE, bottom: window.height - FOOT }
  const over = { left, right, top: window.top + BESIDE, bottom: (list.above ?? -Infinity) - BESIDE }
  const beyond = { left: list.right + EDGE, right: window.width - EDGE, top: window.top + BESIDE, bottom: under.bottom }
  const wide = (box) => highest(box.right - list.middle, box.bottom - box.top, shape)
  const tall = (box) => highest(box.right - box.left, box.bottom - box.top - CAPTION, shape)
  const all = [under, over].flatMap((box) => [{ form: 'beside', box, high: wide(box) },
    { form: 'stacked', box, high: tall(box) }])
  all.push({ form: 'aside', box: beyond, high: tall(beyond) })
  const best = all.reduce((one, other) => (other.high > one.high ? other : one))
  if (best.high === 0) return null
  const { form, high, box: { left: x, top, right: end, bottom } } = best
  return { form, left: x, top, width: end - x, height: bottom - top, high }
}
