/** Which hidden elements are removed to save their memory. */

import { KIND } from './wire.js'

const MOST = { pages: 28, others: 64 }; // hidden elements that are kept, their images decoded

/**
 * The hidden elements that have not been seen for the longest time, beyond the number kept.
 * @param {Map} elements key -> StageElement
 * @returns {number[]} keys
 */
export function evicted(elements) {
  const hidden = { pages: [], others: [] }
  for (const [key, { written, seen, content: { kind } }] of elements) {
    if (!written.visible) hidden[kind === KIND.page ? 'pages' : 'others'].push({ key, seen })
  }
  return Object.entries(hidden).flatMap(([name, all]) =>
    all.sort((a, b) => b.seen - a.seen).slice(MOST[name]).map(({ key }) => key))
}
