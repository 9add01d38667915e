/** Larger images for the pages at rest that are seen larger than their own. */

import { decoded } from './element.js'

const SCREEN_HEIGHT = 1600; // px of the images that pages have
const LARGER = 1.05; // times as large before the larger ones are worth their memory
const SCREEN = /\/screen(?=\?|$)/

export class Sharpness {
  #desk
  /** Element -> the larger image, which may be on its way. */
  #images = new Map()

  constructor(desk) { this.#desk = desk; }

  /** At rest: fetches what is needed and drops what is not. */
  see() {
    const { isSettled, stage } = this.#desk
    if (!isSettled) return
    const wanted = stage.spread.filter((element) => this.#isShort(element))
    for (const [element, image] of this.#images) {
      if (wanted.includes(element)) continue
      image.remove()
      image.removeAttribute('src')
      this.#images.delete(element)
    }
    for (const element of wanted) if (!this.#images.has(element)) this.#fetch(element)
  }

  #isShort({ root, image, content }) {
    if (!image?.isConnected || !SCREEN.test(content.imageURL)) return false
    return root.getBoundingClientRect().height * devicePixelRatio > SCREEN_HEIGHT * LARGER
  }

  async #fetch(element) {
    const image = new Image()
    image.alt = ''
    this.#images.set(element, image)
    const isDecoded = await decoded(image, element.content.imageURL.replace(SCREEN, '/zoom'))
    if (isDecoded && this.#images.get(element) === image) element.image.after(image)
  }
}
