/** Which of the elements that are not in sight are more than is worth their memory. */

import { KIND } from './wire.js'

const MOST = { pages: 28, others: 64 }; // kept, decoded, while they are not seen

/**
 * The pages farthest from the spread, and the covers not seen for longest.
 * @param {Map} elements id -> StageElement
 * @param {number} place the index of the first element of the open spread
 * @returns {number[]} ids
 */
export function surplus(elements, place) {
  const hidden = { pages: [], others: [] }
  for (const [id, { written, seen, content: { kind, index } }] of elements) {
    if (written.visible) continue
    if (kind === KIND.page) hidden.pages.push([id, Math.abs(index - place)])
    else hidden.others.push([id, -seen])
  }
  return Object.entries(hidden).flatMap(([name, all]) =>
    all.sort(([, a], [, b]) => a - b).slice(MOST[name]).map(([id]) => id))
}
