/** The two boards of the open book, each below the lowest page of its side. */

import { matrixText } from '../matrix.js'

const NAMES = ['right', 'left']
const STAGE_HEIGHT = 768

export class Boards {
  #sides

  constructor(root) {
    this.#sides = NAMES.map((name) => {
      const node = document.createElement('div')
      node.className = `binding ${name}`
      node.hidden = true
      node.append(Object.assign(document.createElement('div'), { className: 'board' }))
      root.append(node)
      return { node, content: null, matrix: new Float32Array(16), opacity: 1 }
    })
  }

  /**
   * Puts the boards below pages.
   * @param pages the lowest page of each side, or null: right, left
   */
  follow(pages) {
    for (const [n, page] of pages.entries()) {
      const side = this.#sides[n]
      const { node, matrix } = side
      const isShown = page !== null && !page.isBound
      if (node.hidden === isShown) node.hidden = !isShown
      if (!isShown) continue
      const { content: { width, height }, written } = page
      if (side.content !== page.content) {
        side.content = page.content
        const top = (STAGE_HEIGHT - height) / 2
        node.style.cssText = `width:${width}px;height:${height}px;top:${top}px`
        matrix.fill(NaN)
        side.opacity = 1
      }
      if (!matrix.every((value, k) => value === written.matrix[k])) {
        matrix.set(written.matrix)
        node.style.transform = matrixText(matrix)
      }
      if (side.opacity !== written.opacity) {
        side.opacity = written.opacity
        node.style.opacity = written.opacity === 1 ? '' : written.opacity.toFixed(5)
      }
    }
  }
}
