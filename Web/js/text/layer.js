/** The text of a page at rest: transparent words over the printed ones, to be found, selected, copied and read out. */

import { make } from '../dom.js'
import { linesOf, piecesOf, placeLine } from './lines.js'

const SAMPLE = 64; // px, the size of the letters that are measured

let ruler = null
/** Text -> its width for letters of 1 px. */
const widths = new Map()
const REMEMBERED = 5000

function measure(text) {
  if (ruler === null) {
    ruler = document.createElement('canvas').getContext('2d')
    ruler.font = `${SAMPLE}px serif`
    ruler.fontKerning = 'none'
  }
  if (widths.size > REMEMBERED) widths.clear()
  if (!widths.has(text)) widths.set(text, ruler.measureText(text).width / SAMPLE)
  return widths.get(text)
}

/** Layer -> its lines: {root, pieces, nodes}. */
const layers = new WeakMap()
let sizes = null

/** Places the lines of a layer, whose size is now known. */
function fit(layer) {
  const { offsetWidth: width, offsetHeight: height } = layer
  let bottom = 0
  for (const { root, pieces, nodes } of layers.get(layer)) {
    const line = placeLine(pieces, { width, height, measure })
    if (line === null) continue
    const { style } = root
    style.marginTop = `${line.top - bottom}px`
    style.height = style.lineHeight = `${line.height}px`
    style.fontSize = `${line.size}px`
    style.direction = line.isReversed ? 'rtl' : 'ltr'
    style.paddingInlineStart = `${line.indent}px`
    bottom = line.top + line.height
    nodes.forEach((node, n) => {
      const { spacing, moved: [right, down] } = line.words[n]
      node.style.letterSpacing = `${spacing}px`
      node.style.position = right === 0 && down === 0 ? '' : 'relative'
      node.style.left = `${right}px`
      node.style.top = `${down}px`
    })
  }
}

/** Creates the layer of a page's text, which fills its parent; its words are placed when its size is known. */
export function textLayer({ text, words }, language) {
  const lines = linesOf(piecesOf(text, words)).map((pieces) => {
    const nodes = []
    const root = make('div', {}, ...pieces.map((piece) => {
      if (piece.box === null) return piece.text
      nodes.push(make('span', { text: piece.text }))
      return nodes.at(-1)
    }))
    return { root, pieces, nodes }
  })
  const layer = make('div', { class: 'text', lang: language || null, dir: 'auto' }, ...lines.map(({ root }) => root))
  layers.set(layer, lines)
  sizes ??= new ResizeObserver((entries) => { for (const { target } of entries) if (target.isConnected) fit(target); })
  sizes.observe(layer)
  return layer
}
