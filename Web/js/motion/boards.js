/** The two boards of the open book, below the lowest pages: frames of three pieces, as transparent pixels cost time. */

import { slotOf } from '../element.js'
import { matrixText } from '../stage.js'

const PIECES = 3
const STAGE_HEIGHT = 768

export class Boards {
  #sides

  constructor(root) {
    this.#sides = ['right', 'left'].map((name) => {
      const nodes = Array.from({ length: PIECES }, () => {
        const node = document.createElement('div')
        node.className = `binding ${name}`
        node.hidden = true
        root.append(slotOf(node))
        // Without slots, they cost Firefox 1 or 4 ms a frame, by chance.
        node.parentNode.style.zIndex = -1
        return node
      })
      return { nodes, content: null, matrix: new Float32Array(16), opacity: 1 }
    })
  }

  /**
   * Puts the boards below pages.
   * @param pages the lowest page of each side, or null: right, left
   */
  follow(pages) {
    for (const [n, page] of pages.entries()) {
      const side = this.#sides[n]
      const { nodes, matrix } = side
      const isShown = page !== null && !page.isBound
      for (const node of nodes) node.hidden = !isShown
      if (!isShown) continue
      const { content: { width, height }, written } = page
      if (side.content !== page.content) {
        side.content = page.content
        const top = (STAGE_HEIGHT - height) / 2
        for (const node of nodes) node.style.cssText = `width:${width}px;height:${height}px;top:${top}px`
        matrix.fill(NaN)
        side.opacity = 1
      }
      if (!matrix.every((value, k) => value === written.matrix[k])) {
        matrix.set(written.matrix)
        const text = matrixText(matrix)
        for (const { style } of nodes) style.transform = text
      }
      if (side.opacity !== written.opacity) {
        for (const { style } of nodes) style.opacity = side.opacity = written.opacity
      }
    }
  }
}
