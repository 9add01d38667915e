/** The DOM of one element of the stage: a ledge of spines, a cover or a page. */

import { readiness } from './readiness.js'
import { at } from './root.js'
import { KIND, KIND_NAME, SIDE } from './wire.js'
import { WORDS } from './words/start.js'

const STAGE_WIDTH = 1024
const STAGE_HEIGHT = 768
const FAINTEST = .01; // lowest opacity of a shadow that is drawn
export const SLIVER = .01; // largest difference of aspect that is stretched away
const AGAIN = 4000; // ms between attempts to load an image while the server does not answer
const KIND_CLASS = ['ledge', 'cover', 'page', 'page back']
const SIDE_CLASS = ['centre', 'right', 'left', 'centre mirrored']

function part(parent, className, tag = 'div') {
  const node = document.createElement(tag)
  node.className = className
  parent.append(node)
  return node
}

/**
 * The opacity of the shadow for a strength k from 0 to 1. The gradient has the alphas of a leaf on edge. The
 * light comes from the upper left, so a leaf that lies down loses its shadow faster on the right than on the
 * left.
 */
export function shadeOpacity(side, k) {
  const squared = k * k
  return side === SIDE.left ? squared : squared * squared
}

/** Gives a node the size, position and classes of an element. */
export function place(root, { kind, side, index, width, height, cornerRadius }) {
  root.dataset.kind = KIND_NAME[kind]
  root.dataset.index = index
  root.className = `el ${KIND_CLASS[kind]} ${SIDE_CLASS[side]}`
  const { style } = root
  style.left = `${STAGE_WIDTH / 2 - [width / 2, 0, width, width / 2][side]}px`
  style.top = `${(STAGE_HEIGHT - height) / 2}px`
  style.width = `${width}px`
  style.height = `${height}px`
  style.setProperty('--r', `${cornerRadius}px`)
}

/** The address of a page's image that is wanted before those that nobody sees yet. */
export const seen = (address) => address.replace(/#|$/, '&now=1$&')

/** Loads and decodes an image; false if that fails. */
export async function decoded(image, address) {
  image.decoding = 'async'
  image.draggable = false
  image.src = at(address)
  try {
    await image.decode()
    return true
  } catch {
    return image.complete && image.naturalWidth > 0
  }
}

/** The node around an element that has its paint order; lectern.css says what it is for. */
export function slotOf(root) {
  const slot = document.createElement('div')
  slot.className = 'slot'
  slot.append(root)
  return slot
}

export class StageElement {
  /** The content that the server has introduced. */
  content
  root = document.createElement('div')
  slot = slotOf(this.root)
  /** The values that were last written. */
  written = { matrix: new Float32Array(16).fill(NaN), opacity: 1, shade: 0, z: null, visible: false }
  /** The count of the frame in which it was last visible. */
  seen = 0
  /** Whether the image is decoded, or is not available. */
  isReady = false
  face
  /** The image that is shown or being loaded; null for blank paper. */
  image = null
  /** The whole element, of its parts, and what is added to its transform. */
  part = 0
  lean = ''

  #shade
  #body
  /** What is shown instead in motion: {root, shade(opacity), lift(opacity)}. */
  #sprite = null
  #onReady
  #onBoard

  /**
   * @param onReady called with the element when its image is decoded or cannot be decoded
   * @param onBoard called with the element and the colour of its boards
   */
  constructor(content, onReady, onBoard) {
    this.#onReady = onReady
    this.#onBoard = onBoard
    this.style = this.root.style
    this.style.visibility = 'hidden'
    // session/faces.js activates the elements that can be chosen or read.
    this.root.inert = true
    this.#build(content)
  }

  /** Shows other content in the same place; an image with the same address is not loaded again. */
  replace(content) {
    const before = this.content
    if (Object.keys(content).some((name) => content[name] !== before[name])) this.#build(content)
    else if (this.isReady) this.#onReady(this)
  }

  /** Whether the image is shown. */
  get isPrinted() { return this.face.classList.contains('printed'); }

  /** Whether the image is on its way. */
  get isDue() { return this.face.classList.contains('due') && !this.isPrinted; }

  /** Whether the image has another shape than the element. */
  get isOdd() { return this.face.classList.contains('odd'); }

  /** Whether it is the front cover of a book. */
  get isBound() {
    const { kind, index } = this.content
    return kind === KIND.cover || (kind === KIND.page && index === 0)
  }

  #build(content) {
    const { root } = this
    const { side, imageURL } = content
    const printed = this.content?.imageURL === imageURL && this.isPrinted ? this.image : null
    this.content = content
    root.replaceChildren()
    place(root, content)
    const { isBound } = this
    if (isBound) root.classList.add('bound')
    this.#shade = this.#body = this.#sprite = null
    if (isBound) {
      this.#body = part(root, 'body')
      for (const name of ['cast', 'back', 'block']) part(this.#body, name)
    }
    this.face = part(root, 'face')
    this.#words()
    if (side % SIDE.centreRightBound > 0) {
      if (!isBound) part(root, 'gutter')
      this.#shade = part(root, 'shade').style
      this.#shade.opacity = '0'
    }
    this.shade(this.written.shade)
    this.isReady = false
    this.image = printed
    if (printed !== null) this.#print(printed)
    else if (imageURL !== '') this.#load()
    else this.#settle()
  }

  /** Writes the strength of the shadow. */
  shade(k) {
    if (this.#shade === null) return
    const { side } = this.content
    const opacity = shadeOpacity(side, k)
    // An invisible shadow would still cost drawing time.
    this.#shade.opacity = opacity < FAINTEST ? '0' : opacity.toFixed(4)
    this.#sprite?.shade(opacity)
    if (this.#body === null) return
    // The board and the block lie under a closed cover and fade as it opens.
    const lift = Math.max(0, 1 - 3 * k)
    this.#body.style.opacity = lift.toFixed(3)
    this.#sprite?.lift(lift)
  }

  /** Shows a sprite in motion, instead of what is shown at rest; null for none. */
  wear(sprite) {
    this.#sprite?.root.remove()
    this.#sprite = sprite
    this.root.classList.toggle('worn', sprite !== null)
    if (sprite === null) return
    this.root.append(sprite.root)
    this.shade(this.written.shade)
  }

  /** Removes it from the stage, and stops loading its image. */
  remove() {
    this.slot.remove()
    this.image?.removeAttribute('src')
    this.image = null
  }

  #settle() {
    if (this.isReady) return
    this.isReady = true
    // The stage holds the element only after its constructor returns.
    queueMicrotask(() => this.#onReady(this))
  }

  #words() {
    const { kind, imageURL, title, subtitle } = this.content
    if (kind === KIND.collection || (this.isBound && imageURL === '')) {
      const isList = kind === KIND.collection
      const words = isList ? part(this.root, 'wall') : part(this.face, 'bare')
      for (const [text, tag] of [[title, isList ? 'h2' : 'p'], [subtitle, 'p']]) {
        const line = part(words, '', tag)
        line.textContent = text
        line.dir = 'auto'
      }
    } else if (imageURL !== '' && kind === KIND.page) {
      this.face.classList.add('due')
      part(this.face, 'drying', 'p').textContent = WORDS.onItsWay(title)
    }
  }

  /** Shows paper until the image is decoded, since an image that decodes during a turn would be blank. */
  async #load() {
    const { kind, imageURL, isAhead } = this.content
    const address = isAhead || kind === KIND.collection ? imageURL : seen(imageURL)
    const image = this.image = new Image()
    // If the module cannot be loaded, the boards keep their colour.
    const boards = this.isBound ? readiness.until(import('./boards.js').catch(() => null)) : null
    for (let isFirst = true; !await decoded(image, address); isFirst = false) {
      if (this.image !== image) return
      this.#settle()
      await this.#retry(isFirst)
      if (this.image !== image) return
    }
    // A cover and its boards are shown together.
    const colour = (await boards)?.boardColour(image) ?? null
    if (this.image !== image) return
    this.#print(image)
    if (colour === null) return
    this.style.setProperty('--board', colour)
    this.#onBoard(this, colour)
  }

  /** Shows a decoded image. */
  async #print(image) {
    const { face, content: { kind, title, imageURL, width, height } } = this
    image.alt = kind === KIND.collection ? '' : title
    // A wide page has a half on each face: its address ends in #left or #right.
    const shape = image.naturalWidth / image.naturalHeight * height / width / (imageURL.includes('#') ? 2 : 1)
    face.classList.toggle('odd', Math.abs(shape - 1) > SLIVER)
    face.append(image)
    face.classList.add('printed')
    this.isReady = false
    this.#settle()
    if (kind === KIND.collection) {
      const spines = import('./spines.js').then(({ drawn }) => drawn(imageURL)).catch(() => null)
      const svg = await readiness.until(spines)
      if (svg) face.append(svg)
      image.hidden = Boolean(svg)
    }
  }

  /** Shows why the image is missing, and resolves when it should be loaded again. */
  async #retry(isFirst) {
    try {
      await (await import('./imageRetry.js')).imageRetry(this.face, this.content, isFirst)
    } catch {
      await new Promise((resume) => { setTimeout(resume, AGAIN); })
    }
  }
}
