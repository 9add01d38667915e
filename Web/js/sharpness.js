/** Pages at rest as sharp as they can be: larger images, and text upon the pixels. */

import { decoded } from './element.js'
import { matrixText } from './matrix.js'

const SCREEN_HEIGHT = 1600; // px of the images that pages have
const LARGER = 1.05; // times as large before the larger ones are worth their memory
const SCREEN = /\/screen(?=\?|$)/

/** The entries that a matrix in the plane has. */
const PLANE = [0, 1, 4, 5, 12, 13]
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const isInPlane = (m) => IDENTITY.every((value, k) => PLANE.includes(k) || m[k] === value)

/** The address of the larger image. */
const larger = ({ content }) => content.imageURL.replace(SCREEN, '/zoom')

export class Sharpness {
  #context
  #flat = []
  /** Element -> the larger image, which may be on its way. */
  #images = new Map()

  constructor(context) { this.#context = context; }

  /** At rest: fetches what is needed and drops what is not. */
  see() {
    const { isSettled, stage } = this.#context.view
    this.#lay(isSettled ? stage.spread : [])
    if (!isSettled) return
    const wanted = stage.spread.filter((element) => this.#isShort(element))
    for (const [element, image] of this.#images) {
      if (wanted.includes(element) && image.getAttribute('src') === larger(element)) continue
      image.remove()
      image.removeAttribute('src')
      this.#images.delete(element)
    }
    for (const element of wanted) if (!this.#images.has(element)) this.#fetch(element)
  }

  /**
   * Writes pages that lie flat without a third dimension. What has one, Chromium draws into a layer of
   * its size without the transform, and stretches that.
   */
  #lay(pages) {
    const isFlat = pages.length > 0 && pages.every(({ written }) => isInPlane(written.matrix))
    const flat = isFlat ? pages : []
    for (const { style, written } of this.#flat) style.transform = matrixText(written.matrix)
    for (const { style, written } of flat) {
      style.transform = `matrix(${PLANE.map((k) => written.matrix[k]).join(',')})`
    }
    this.#flat = flat
    document.getElementById('stage').classList.toggle('flat', isFlat)
  }

  #isShort({ root, image, content }) {
    if (!image?.isConnected || !SCREEN.test(content.imageURL)) return false
    return root.getBoundingClientRect().height * devicePixelRatio > SCREEN_HEIGHT * LARGER
  }

  async #fetch(element) {
    const image = new Image()
    image.alt = ''
    this.#images.set(element, image)
    const isDecoded = await decoded(image, larger(element))
    if (isDecoded && this.#images.get(element) === image) element.image.after(image)
  }
}
