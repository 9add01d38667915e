/** Prints the visible pages of the open book, each on a sheet of paper of its own. */

import { make, style } from './dom.js'
import { presentPages } from './text/pages.js'
import { SCREEN } from './wire.js'

const LONGEST = 5000; // ms to wait for the sharp images
const SCREEN_SIZE = /\/screen(?=\?|$)/

/** The address of an image large enough for paper, and whole: a wide page has a half on each face. */
const sharp = (address) => address.replace(SCREEN_SIZE, '/zoom').replace(/#.*/, '')

class Printing {
  #context
  #sheets = make('section', { id: 'sheets', 'aria-hidden': 'true' })
  /** The sharp images that are loaded, by their addresses. */
  #loaded = new Map()

  constructor(context) {
    this.#context = context
    style('print')
    document.body.append(this.#sheets)
    // The browser's menu prints at once, with the images that are there.
    addEventListener('beforeprint', () => this.#lay())
    addEventListener('afterprint', () => this.#clear())
    document.addEventListener('keydown', (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'p' || altKey || shiftKey || ctrlKey === metaKey || this.#addresses.length === 0) return
      event.preventDefault()
      this.#print()
    })
  }

  /** The addresses of the images of the visible pages, in order. */
  get #addresses() {
    const isBook = this.#context.view.caption.screen === SCREEN.book
    return isBook ? presentPages(this.#context).map(({ imageURL }) => imageURL) : []
  }

  /** Prints when the sharp images are loaded. */
  async #print() {
    const images = this.#addresses.map((address) => {
      const image = make('img', { alt: '', src: sharp(address) })
      return image.decode().then(() => this.#loaded.set(address, image), () => {})
    })
    await Promise.race([Promise.all(images), new Promise((resolve) => { setTimeout(resolve, LONGEST) })])
    window.print()
  }

  #lay() {
    const images = this.#addresses.map((address) =>
      this.#loaded.get(address) ?? make('img', { alt: '', src: address.replace(/#.*/, '') }))
    this.#sheets.replaceChildren(...images)
    document.body.classList.toggle('prints', images.length > 0)
  }

  #clear() {
    this.#sheets.replaceChildren()
    this.#loaded.clear()
  }
}

/** Creates the part of this module. */
export const controls = (context) => new Printing(context)
