/**
 * The fore-edge of the open book as a ruler: the positions of its ticks and stops. A stop is a place where the
 * book can be open.
 */

const CLOSEST = 5; // CSS px between two ticks
const BUNDLES = [1, 2, 5, 10, 20, 50, 100, 200, 500]; // stops that share a tick

const THINNEST = 4; // stage points of a pamphlet
const THICKEST = 20; // stage points of a book of MANY stops
const MANY = 250;

/** The thickness of the leaves to the left and to the right of an open stop, in stage points. */
export function thickness(stop, count, isReversed = false) {
  const whole = THINNEST + (THICKEST - THINNEST) * Math.min(1, count / MANY)
  const read = whole * placeOf(stop, count, 1)
  return isReversed ? [whole - read, read] : [read, whole - read]
}

/** The position of a stop on a ruler of a width. */
export const placeOf = (stop, count, width, isReversed = false) => {
  const share = count > 1 ? Math.max(0, Math.min(1, stop / (count - 1))) : 0
  return width * (isReversed ? 1 - share : share)
}

/** The stop at a position on a ruler. */
export function stopAt(x, count, width, isReversed = false) {
  const share = Math.max(0, Math.min(1, width > 0 ? x / width : 0))
  return Math.round((isReversed ? 1 - share : share) * Math.max(0, count - 1))
}

/**
 * A tick for each stop, or for each bundle of stops where single ones would be too close. The first tick, the
 * last one and those at which a chapter begins are tall.
 * @param {number[]} chapters the stops at which chapters begin
 * @returns {{stop: number, x: number, isTall: boolean}[]}
 */
export function ticks(count, width, chapters = [], isReversed = false) {
  const last = Math.max(0, count - 1)
  const bundle = BUNDLES.find((size) => width * size / Math.max(1, last) >= CLOSEST) ?? Math.max(1, last)
  const steps = Math.ceil(last / bundle)
  const tall = new Set([0, steps, ...chapters.map((stop) => Math.round(stop / bundle))])
  return Array.from({ length: steps + 1 }, (_, index) => {
    const stop = Math.min(index * bundle, last)
    return { stop, x: placeOf(stop, count, width, isReversed), isTall: tall.has(index) }
  })
}
