/** Draws the table with its lamp and grain once, alone and with the shadow of the open book at rest. */

import { canvasOf, colour, grainTile } from './paint.js'

const LAMP = { x: .26, y: .08, width: 1.2, height: 1.3 }
const STOPS = [[0, '--lit'], [.38, '--table'], [.74, '--low'], [1, '--edge']]
const DEPTH = 3 // of 255, the strongest grains
const NEAR = 10 // CSS px by which the edge of a board may move before its shadow has to follow
const HALF = 400 // stage points, about the width of a page

/** The tile of noise against bands in the gradient. */
let grain = null

function paintTable(width, height) {
  const canvas = canvasOf(width, height)
  const context = canvas.getContext('2d', { alpha: false })
  context.save()
  context.translate(LAMP.x * width, LAMP.y * height)
  context.scale(LAMP.width * width, LAMP.height * height)
  const lamp = context.createRadialGradient(0, 0, 0, 0, 0, 1)
  for (const [place, name] of STOPS) lamp.addColorStop(place, colour(name))
  context.fillStyle = lamp
  context.fillRect(-1, -1, 3, 3)
  context.restore()
  return canvas
}

function strew(canvas) {
  const context = canvas.getContext('2d')
  context.fillStyle = context.createPattern(grain ??= grainTile(DEPTH), 'repeat')
  context.fillRect(0, 0, canvas.width, canvas.height)
  canvas.className = 'ground'
  return canvas
}

/** Whether two states of the shadows look the same; BindingPainter.state says what a state is. */
function isSame(one, other, half) {
  if (one === null || one.camera.length !== other.camera.length) return false
  if (!one.camera.every((value, k) => value === other.camera[k])) return false
  return one.places.every((place, n) => {
    const now = other.places[n]
    if (place === null || now === null) return place === now
    const far = Math.abs(place[0] - now[0]) * half + Math.abs(place[2] - now[2])
    return far * one.camera[0] < NEAR && Math.abs(place[1] - now[1]) * half < 1 && place[3] === now[3] && now[4] === 1
  })
}

export class Table {
  #root = document.getElementById('table')
  #plain = null
  #shadowed = null
  /** The state of the shadows in the second bitmap, and what was drawn in it. */
  #state = null
  #key = ''
  #lamp = ''

  /**
   * Draws the bitmaps at rest, if they are not up to date.
   * @param casts the visible shadows of the boards, as nodes with bitmaps
   * @param state where they are
   */
  see(casts, state) {
    const [width, height] = [innerWidth, innerHeight]
    const lamp = [width, height, colour('--lit')].join()
    const key = JSON.stringify([lamp, [...state.camera], state.places, state.drawn])
    if (key === this.#key) return
    this.#key = key
    if (lamp !== this.#lamp) {
      this.#lamp = lamp
      const plain = strew(paintTable(width, height))
      this.#plain?.remove()
      this.#root.prepend(plain)
      this.#plain = plain
      this.#root.classList.add('painted')
    }
    this.#shadowed?.remove()
    this.#shadowed = this.#state = null
    if (casts.length > 0) {
      const table = paintTable(width, height)
      const pieces = casts.flatMap(({ children }) => [...children])
      const boxes = pieces.map((piece) => piece.getBoundingClientRect())
      for (const [n, piece] of pieces.entries()) {
        const { left, top, width: wide, height: high } = boxes[n]
        table.getContext('2d').drawImage(piece, left, top, wide, high)
      }
      this.#shadowed = strew(table)
      this.#state = state
      this.#plain.after(this.#shadowed)
    }
    this.follow(state)
  }

  /** Shows the bitmap with the shadows as long as the boards are where they were, and otherwise their own shadows. */
  follow(state) {
    if (this.#plain === null) return
    const isShown = isSame(this.#state, state, HALF)
    if (this.#root.classList.contains('shadowed') === isShown) return
    this.#root.classList.toggle('shadowed', isShown)
  }
}
