/** The stage: writes changes to its elements. Every number comes from the server. */

import { session } from './app.js'
import { StageElement } from './element.js'
import { KIND, PART, keyOf } from './wire.js'

const MANY = 40; // elements above which the stage removes hidden ones
const CROWD = 160; // elements and parts above which it does so while the stage moves, too
const STEP = 16; // of z-index from one paint order to the next
const PREPARED_AT_ONCE = 4; // elements made in one idle moment

/**
 * The text of a matrix3d. One entry has an exponent: without one, Chromium keeps only seven digits of each
 * entry, which is an error of 1.5e-4 in the perspective terms.
 * @param {ArrayLike<number>} m sixteen numbers in the order of the CSS function
 */
export function matrixText(m) {
  const last = m[15] === 1 ? '1e0' : m[15].toExponential()
  return 'matrix3d(' + m[0] + ',' + m[1] + ',' + m[2] + ',' + m[3] + ',' + m[4] + ',' + m[5] + ',' +
    m[6] + ',' + m[7] + ',' + m[8] + ',' + m[9] + ',' + m[10] + ',' + m[11] + ',' + m[12] + ',' +
    m[13] + ',' + m[14] + ',' + last + ')'
}

const sameMatrix = (a, b) => a.every((value, k) => value === b[k])

export class Stage {
  /** Key of an element's part -> the matrix last written, for the visible parts. */
  applied = new Map()
  /** The camera's matrix, as sixteen numbers; the initial one has a single number. */
  matrix = [1]

  #root
  /** Id -> the content that the server has introduced. */
  #contents = new Map()
  /** Key of an element's part -> its StageElement. */
  #elements = new Map()
  /** Ids introduced since the last frame, and ids without a StageElement. */
  #pending = new Set()
  /**
   * Draws the stage in motion: {part(content, part), appeared(element), ready(element), follow(isReordered)}; null
   * until that is loaded.
   */
  #drawing = null
  #hasNewDrawing = false
  #count = 0
  #isWaiting = false
  /** Whether ids have changed their meaning since the last frame. */
  #isRenamed = false
  #isPreparing = false
  #onReady

  /** @param onReady called with the id of an element whose image is decoded or cannot be decoded */
  constructor(root, onReady) {
    this.#root = root
    this.#onReady = onReady
  }

  /** The visible elements of the open spread. */
  get spread() {
    return (session.caption?.spread ?? []).map((id) => this.element(id)).filter((element) => element?.written.visible)
  }

  /** All elements and parts that exist. */
  get elements() { return this.#elements.values(); }

  /** All whole elements that exist. */
  get all() { return [...this.elements].filter(({ part }) => part === PART.whole); }

  /** Whether everything that a FrameState shows is on the stage, and its images are decoded or not available. */
  isDrawn({ items }) {
    for (const [key, { visible }] of items) {
      if (visible && !(this.applied.has(key) && this.#elements.get(key)?.isReady)) return false
    }
    return true
  }

  /** The element of an id, if it exists. */
  element(id) { return this.#elements.get(keyOf(id)); }

  /**
   * Starts a connection. The stage stays as it is until the connection's first frame.
   * @param keepsIds whether ids mean the same as in the previous connection
   */
  connect(keepsIds) {
    if (!keepsIds) {
      this.#contents.clear()
      this.#isRenamed = true
    }
    this.#pending.clear()
    this.#isWaiting = true
  }

  /** Stores introduced elements; an id that is introduced again has new content. */
  introduce(contents) {
    for (const content of contents) {
      this.#contents.set(content.id, content)
      this.#pending.add(content.id)
    }
  }

  /** Called when a frame of this connection has arrived. */
  frameArrived() { this.#isWaiting = false; }

  /** Forgets elements; a visible one stays until a frame hides it. */
  retire(ids) {
    for (const id of ids) {
      this.#contents.delete(id)
      this.#pending.delete(id)
    }
  }

  /** Places the stage in the window; the captions of shelves move with it. */
  camera(matrix) {
    this.matrix = matrix
    this.#drawing?.follow(false)
    this.#root.style.transform = matrixText(matrix)
    if (session.isBook) return
    const page = document.documentElement.style
    page.setProperty('--zoom', String(matrix[0]))
    page.setProperty('--rise', `${matrix[13]}px`)
  }

  /** Lets another module draw the stage in motion, and the parts of elements. */
  attach(drawing) {
    this.#drawing = drawing
    this.#hasNewDrawing = true
  }

  /** The parts of an element other than the whole. */
  partsOf(id) {
    return [...this.elements].filter(({ part, content }) => part !== PART.whole && content.id === id)
  }

  /** Makes an element that is hidden, or of which only a part is shown. */
  prepare(id) {
    const content = this.#contents.get(id)
    if (content !== undefined && this.element(id) === undefined) this.#make(content)
  }

  /** Removes the parts of elements that are hidden. */
  dropParts() {
    for (const [key, { part, written }] of this.#elements) {
      if (part !== PART.whole && !written.visible) this.#remove(key)
    }
    if (this.#elements.size > MANY) this.#trim()
  }

  /** Writes the changes in a FrameState. */
  apply(state) {
    if (this.#isWaiting) return
    this.#count += 1
    let isReordered = this.#update()
    const write = (item) => { if (this.#write(item)) isReordered = true; }
    state.flush(write)
    if (this.#hasNewDrawing) {
      this.#hasNewDrawing = false
      for (const item of state.items.values()) if (item.part !== PART.whole && item.visible) write(item)
    }
    if (this.#pending.size > 0) {
      const fresh = [...state.items.values()].filter(({ id, visible }) => visible && this.#pending.has(id))
      for (const item of fresh) write(item)
      this.#prepareSoon()
    }
    this.#drawing?.follow(isReordered)
    if (this.#elements.size > CROWD) this.dropParts()
  }

  /** Removes forgotten elements and applies new content in place; true if anything changed. */
  #update() {
    const shown = new Set()
    for (const [key, element] of this.#elements) {
      const { id } = element.content
      const content = this.#contents.get(id)
      if (content === undefined ? element.written.visible && !this.#isRenamed : !this.#pending.has(id)) continue
      if (content === undefined) this.#remove(key)
      else element.replace(content)
      shown.add(id)
    }
    for (const id of shown) this.#pending.delete(id)
    this.#isRenamed = false
    return shown.size > 0
  }

  #write({ id, part, m: matrix, opacity, shade, z, visible }) {
    const key = keyOf(id, part)
    let element = this.#elements.get(key)
    if (element === undefined) {
      const content = this.#contents.get(id)
      // Hidden elements are made in an idle moment.
      if (content === undefined || !visible) return false
      element = part === PART.whole ? this.#make(content, key) : this.#makePart(content, key, part)
      if (element === null) return false
    }
    const { written, style } = element
    let isReordered = false
    if (visible && !written.visible && part === PART.whole) this.#drawing?.appeared(element)
    element.seen = this.#count
    if (visible) {
      if (!sameMatrix(written.matrix, matrix)) {
        written.matrix.set(matrix)
        style.transform = matrixText(matrix) + element.lean
      }
      this.applied.set(key, written.matrix)
      if (written.opacity !== opacity) {
        style.opacity = opacity === 1 ? '' : opacity.toFixed(5)
        written.opacity = opacity
      }
      if (written.shade !== shade) {
        element.shade(shade)
        written.shade = shade
      }
      if (written.z !== z) {
        // The strips of a leaf share their paint order; the outer ones are in front.
        element.slot.style.zIndex = String(STEP * z + (part >= PART.strip ? part % STEP : 0))
        written.z = z
        // The back board is above all pages when it shows its outside.
        if (element.content.kind === KIND.board) element.root.classList.toggle('outside', z > 0)
        isReordered = true
      }
    } else {
      this.applied.delete(key)
    }
    if (written.visible !== visible) {
      style.visibility = visible ? 'visible' : 'hidden'
      written.visible = visible
      isReordered = true
    }
    return isReordered
  }

  #make(content, key = keyOf(content.id)) {
    this.#pending.delete(content.id)
    const element = new StageElement(content, (made) => {
      if (this.#elements.get(key) !== made) return
      this.#drawing?.ready(made)
      this.#onReady(made.content.id)
    }, (made, colour) => {
      // The boards of the open book are those of its cover.
      if (made.content.kind === KIND.page) this.#root.style.setProperty('--board', colour)
      this.#drawing?.ready(made)
    })
    this.#root.append(element.slot)
    element.seen = this.#count
    this.#elements.set(key, element)
    return element
  }

  #makePart(content, key, part) {
    if (this.#drawing === null) return null
    this.prepare(content.id)
    const element = this.#drawing.part(content, part)
    this.#root.append(element.slot)
    this.#elements.set(key, element)
    return element
  }

  /** Makes hidden elements in idle moments, so that their images are decoded before they are shown. */
  #prepareSoon() {
    if (this.#isPreparing) return
    this.#isPreparing = true
    const idle = globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 50))
    idle(() => {
      this.#isPreparing = false
      if (this.#isWaiting) return
      // An existing element takes its new content with the next frame.
      const ids = [...this.#pending].filter((id) => this.element(id) === undefined).slice(0, PREPARED_AT_ONCE)
      for (const id of ids) this.prepare(id)
      if (ids.length === PREPARED_AT_ONCE) this.#prepareSoon()
      if (this.#elements.size > MANY) this.#trim()
    }, { timeout: 100 })
  }

  #remove(key) {
    this.#elements.get(key)?.remove()
    this.#elements.delete(key)
    this.applied.delete(key)
  }

  /** Whether the open book's cover is on its way, and with it the colour of the boards. */
  get isCoverDue() {
    for (const { kind, index, id } of this.#contents.values()) {
      if (kind !== KIND.page || index !== 0) continue
      const element = this.element(id)
      return element ? !element.isReady : this.#pending.has(id)
    }
    return false
  }

  /** Removes hidden elements that are not worth their memory. */
  async #trim() {
    const made = await import('./eviction.js').catch(() => null)
    for (const key of made?.evicted(this.#elements) ?? []) this.#remove(key)
  }
}
