/** Prints pages of the open book, each on a sheet of paper of its own. */

import { session } from './app.js'
import { make, present, style } from './dom.js'
import { at } from './root.js'
import { presentPages } from './text/pages.js'

const LONGEST = 5000; // ms to wait for the sharp images
const SIZE = /\/screen(?=\?|$)/

/** The address of an image large enough for paper, and whole: a wide page has a half on each face. */
const sharp = (address) => address.replace(/#.*/, '').replace(SIZE, '/zoom')

export default class Printing {
  #sheets = make('section', { id: 'sheets', 'aria-hidden': 'true' })
  /** The images that are about to be printed; null for those of the visible pages. */
  #images = null

  constructor() {
    style('print')
    document.body.append(this.#sheets)
    // The browser's menu prints at once, with the images that are there.
    addEventListener('beforeprint', () => this.#lay())
    addEventListener('afterprint', () => this.#clear())
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      const isPrint = key.toLowerCase() === 'p' && !altKey && !shiftKey && ctrlKey !== metaKey
      if (!isPrint || this.visible.length === 0) return
      event.preventDefault()
      this.show()
    })
  }

  /** The addresses of the images of the visible pages, in order. */
  get visible() { return session.isBook ? presentPages().map(({ imageURL }) => imageURL) : []; }

  /** Offers a choice of pages to a reader who may see the whole library; a guest prints the pages that are shown. */
  show() { return session.mayOpen ? present('printing/choice', this) : this.#printVisible(); }

  /** Prints images that are loaded. */
  print(images) {
    this.#images = images
    window.print()
  }

  /** Prints when the sharp images are loaded; one that is late has the size of the screen. */
  async #printVisible() {
    const images = this.visible.map((address) =>
      ({ address, image: make('img', { alt: '', src: at(sharp(address)) }) }))
    const loaded = Promise.all(images.map(({ image }) => image.decode().catch(() => {})))
    await Promise.race([loaded, new Promise((resolve) => { setTimeout(resolve, LONGEST) })])
    this.print(images.map(({ address, image }) => (image.naturalWidth > 0 ? image : plain(address))))
  }

  #lay() {
    const images = this.#images ?? this.visible.map(plain)
    this.#sheets.replaceChildren(...images)
    document.body.classList.toggle('prints', images.length > 0)
  }

  #clear() {
    this.#sheets.replaceChildren()
    this.#images = null
  }
}

/** The image that the screen shows, whole. */
const plain = (address) => make('img', { alt: '', src: at(address.replace(/#.*/, '')) })
