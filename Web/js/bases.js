/** The lowest visible pages of the stage, below which the boards of the open book are drawn. */

import { PART, SIDE } from './wire.js'

/** The lowest page of each side: right, left; null for none, and for both until the boards have a colour. */
export function basesOf(stage) {
  if (stage.isCoverDue) return [null, null]
  const lowest = [null, null, null, null]
  for (const element of stage.elements) {
    const { written, part, content: { side } } = element
    if (!written.visible || part === PART.shadow || part >= PART.strip) continue
    // A board that has turned over lies on the other side.
    if (element.root.classList.contains('outside')) continue
    if (lowest[side] === null || written.z < lowest[side].written.z) lowest[side] = element
  }
  return [lowest[SIDE.right], lowest[SIDE.left]]
}
