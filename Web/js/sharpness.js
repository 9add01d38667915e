/** Makes pages at rest as sharp as possible: with larger images, and with pixels that match those of the screen. */

import { app, session } from './app.js'
import { decoded, seen } from './element.js'
import { at } from './root.js'
import { matrixText } from './stage.js'

const SCREEN_HEIGHT = 1600; // px, the height of the images that pages have at first
const LARGER = 1.05; // magnification above which larger images are worth their memory
const SCREEN = /\/screen(?=\?|$)/

/** The entries of a matrix3d that a two-dimensional matrix uses. */
const PLANE = [0, 1, 4, 5, 12, 13]
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
const isInPlane = (m) => IDENTITY.every((value, k) => PLANE.includes(k) || m[k] === value)

/** The address of an element's larger image. */
const larger = ({ content }) => seen(content.imageURL.replace(SCREEN, '/zoom'))

export class Sharpness {
  #flat = []
  /** Element -> the larger image, which may still be loading. */
  #images = new Map()

  /** Called at rest: loads the larger images that are needed and drops the others. */
  see() {
    const { isSettled } = session
    const { stage } = app
    this.#lay(isSettled ? stage.spread : [])
    if (!isSettled) return
    const wanted = stage.spread.filter((element) => this.#isShort(element))
    for (const [element, image] of this.#images) {
      if (wanted.includes(element) && image.getAttribute('src') === at(larger(element))) continue
      image.remove()
      image.removeAttribute('src')
      this.#images.delete(element)
    }
    for (const element of wanted) if (!this.#images.has(element)) this.#fetch(element)
  }

  /**
   * Writes the matrices of flat pages without a third dimension. Chromium draws an element that has one into a
   * layer of its own size, without the transform, and stretches that layer.
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
