/** The overlays of pages at rest: links, search results, and text. */

import { app, session } from './app.js'
import { make, style, wordButton } from './dom.js'
import { SLIVER } from './element.js'
import { Sheet } from './sheet.js'
import { encodeJump } from './session/wire.js'
import { textLayer } from './text/layer.js'
import { factsOf, forgetTexts, isSecondHalf, pageOf, pageText } from './text/pages.js'
import { WORDS } from './words/book.js'

const OUTSIDE = new Set(['http:', 'https:', 'mailto:'])

/**
 * The box of an image on its page, in fractions of the page: centred, and as large as fits. An image whose
 * aspect is nearly that of the page fills it.
 * @returns {number[]} left, top, width, height
 */
export function imageBox(pageWidth, pageHeight, imageWidth, imageHeight) {
  const ratio = (imageWidth / imageHeight) / (pageWidth / pageHeight)
  if (!(ratio > 0) || Math.abs(ratio - 1) <= SLIVER) return [0, 0, 1, 1]
  const [width, height] = ratio > 1 ? [1, 1 / ratio] : [ratio, 1]
  return [(1 - width) / 2, (1 - height) / 2, width, height]
}

const percent = (value) => `${(100 * value).toFixed(3)}%`

/** The style of a box of fractions [left, top, right, bottom]. */
const placed = ([left, top, right, bottom]) =>
  `left:${percent(left)};top:${percent(top)};width:${percent(right - left)};height:${percent(bottom - top)}`

/** The address of a link that may be opened; null for any other. */
export function outside(uri) {
  try {
    const address = new URL(uri)
    return OUTSIDE.has(address.protocol) ? address : null
  } catch {
    return null
  }
}

export class Overlays {
  /** Element -> its overlay. */
  #over = new Map()
  #marks = null
  /** The page whose marks are the ones that the reader looks for. */
  #marked = null

  /**
   * @param marks page -> boxes
   * @param page the page whose marks stand out
   */
  mark(marks, page) {
    this.#marks = marks
    this.#marked = page
    for (const over of this.#over.values()) over.remove()
    this.#over.clear()
    this.see()
  }

  /** Called at rest: lays links, marks and text over the visible pages. */
  see() {
    const { isBook, isSettled, caption } = session
    if (!isBook) {
      this.#marks = null
      forgetTexts()
    }
    if (!isSettled) return
    const shown = isBook ? app.stage.spread : []
    // The overlay of a wide page lies over both of its halves.
    const contents = shown.map(({ content }) => content)
    const spread = shown.filter(({ content }) => !isSecondHalf(content, contents))
    for (const [element, over] of this.#over) {
      if (spread.includes(element)) continue
      over.remove()
      this.#over.delete(element)
    }
    // An element with new content has lost its overlay.
    for (const element of spread) if (!this.#over.get(element)?.isConnected) this.#lay(element, caption.book)
  }

  async #lay(element, book) {
    const over = make('div', { class: 'over' })
    this.#over.set(element, over)
    const { content, image, root } = element
    const page = pageOf(content)
    const boxes = (page && this.#marks?.get(Number(page))) ?? []
    const mark = page !== null && Number(page) === this.#marked ? 'mark here' : 'mark'
    over.append(...boxes.map((box) => make('i', { class: mark, style: placed(box) })))
    root.append(over)
    const fit = () => {
      const faces = content.imageURL.includes('#') ? 2 : 1
      const [x, top, width, height] =
        imageBox(faces * content.width, content.height, image?.naturalWidth, image?.naturalHeight)
      const left = faces * x - Number(content.imageURL.endsWith('#right'))
      over.style.cssText = placed([left, top, left + faces * width, top + height])
    }
    if (image !== null && !image.complete) image.addEventListener('load', fit, { once: true })
    fit()
    if (book === '' || page === null) return
    const [text, { language }] = await Promise.all([pageText(book, page), factsOf(book), style('text')])
    if (text === null || this.#over.get(element) !== over) return
    const links = text.links.map((link) => this.#link(link)).filter((link) => link !== null)
    over.append(...text.text === '' ? [] : [textLayer(text, language)], ...links)
  }

  #link({ box, page, label, uri }) {
    const isInside = Number.isInteger(page)
    const address = isInside ? null : outside(uri)
    if (!isInside && address === null) return null
    return make('button', {
      type: 'button', class: 'hot', role: 'link', style: placed(box),
      'aria-label': isInside ? WORDS.linkToPage(label) : WORDS.linkTo(address.host || address.pathname),
      onclick: () => (isInside ? app.send(encodeJump(page)) : this.#leave(address)),
    })
  }

  /** Opens an external address after the reader has agreed. */
  #leave(address) {
    const where = address.host || address.pathname
    const sheet = new Sheet(WORDS.leaving(where))
    const open = make('a', {
      class: 'key', href: address.href, target: '_blank', rel: 'noopener noreferrer', text: WORDS.open,
      onclick: () => sheet.close(),
    })
    const stay = wordButton(WORDS.stay, 'plain', () => sheet.close())
    sheet.body.append(make('p', { class: 'address', text: address.href }),
      make('div', { class: 'row acts' }, open, stay))
    sheet.open(stay)
  }
}
