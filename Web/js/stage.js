/** The stage: writes to its elements what changed. Every number comes from the server. */

import { StageElement } from './element.js'
import { matrixText } from './matrix.js'
import { KIND, SIDE } from './wire.js'

const MANY = 40; // elements, from which on some may be too many
const PREPARED_AT_ONCE = 4; // elements made in one idle moment

/** What an element is, whatever number it has. */
const nature = (content) => JSON.stringify({ ...content, id: 0 })
const sameMatrix = (a, b) => a.every((value, k) => value === b[k])

export class Stage {
  /** Element id -> the matrix last written, of the elements in sight. */
  applied = new Map()

  #root
  #contents = new Map()
  #elements = new Map()
  /** Ids introduced since the last frame: these outlive a reset that follows. */
  #fresh = new Set()
  /** Ids that a reset takes away, unless its frame names them. */
  #stale = new Set()
  /** Ids introduced and not yet made: written now if in sight, else made at leisure. */
  #pending = new Set()
  /** Elements whose number means another by now, by their nature: one that is the same takes them over. */
  #spares = new Map()
  #bases = []
  #count = 0
  #isWaiting = false
  #isPreparing = false
  #onReady

  /** The index of the first element of the open spread. */
  place = 0

  /** The camera. */
  matrix = [1]

  /** @param onReady called with the id of an element whose image is decoded, or cannot be */
  constructor(root, onReady) {
    this.#root = root
    this.#onReady = onReady
  }

  /** The pages of the spread that are seen. */
  get spread() {
    return [...this.#elements.values()].filter(({ written, content: { kind, index } }) =>
      written.visible && kind === KIND.page && (index === this.place || index === this.place + 1))
  }

  /** All that have been made. */
  get all() { return this.#elements.values(); }

  /** The element of an id, if it has been made. */
  element(id) { return this.#elements.get(id); }

  /** Forgets the names of the last connection; the picture stays until the next snapshot. */
  reset() {
    this.#contents.clear()
    this.#fresh.clear()
    this.#stale.clear()
    this.#isWaiting = true
  }

  /** Takes the elements introduced, making those that are new or different. */
  introduce(contents) {
    for (const content of contents) {
      const { id } = content
      this.#contents.set(id, content)
      this.#fresh.add(id)
      this.#stale.delete(id)
      const element = this.#elements.get(id)
      if (element !== undefined && nature(element.content) === nature(content)) {
        if (element.isReady) this.#onReady(id)
        continue
      }
      this.#spare(id)
      this.#pending.add(id)
    }
  }

  /** A frame has arrived; a resetting one takes away the names introduced before. */
  frameArrived(isReset) {
    if (isReset) {
      for (const id of this.#contents.keys()) if (!this.#fresh.has(id)) this.#stale.add(id)
    }
    this.#fresh.clear()
    this.#isWaiting = false
  }

  /** Places the stage in this window; the captions of shelves go with it. */
  camera(matrix, isBook) {
    this.matrix = matrix
    this.#root.style.transform = matrixText(matrix)
    if (isBook) return
    const page = document.documentElement.style
    page.setProperty('--zoom', String(matrix[0]))
    page.setProperty('--rise', `${matrix[13]}px`)
  }

  /** Writes what changed in a FrameState. */
  apply(state) {
    if (this.#isWaiting) return
    this.#count += 1
    let isReordered = false
    const write = (item) => { if (this.#write(item)) isReordered = true; }
    for (const id of this.#stale) if (!state.items.get(id)?.visible) this.#contents.delete(id)
    for (const id of this.#elements.keys()) if (!this.#contents.has(id)) this.#spare(id)
    state.flush(write)
    for (const id of this.#pending) write(state.items.get(id) ?? { id, visible: false })
    this.#stale.clear()
    if (this.#spares.size > 0) isReordered = true
    for (const element of this.#spares.values()) element.remove()
    this.#spares.clear()
    if (this.#pending.size > 0) this.#prepareSoon()
    state.forgotten.length = 0
    if (isReordered) this.#findBases()
    if (this.#elements.size > MANY) this.#trim()
  }

  #write({ id, m: matrix, opacity, shade, z, visible }) {
    const content = this.#contents.get(id)
    // Of the connection before, or named before it is introduced and written then.
    if (content === undefined) return false
    let element = this.#elements.get(id)
    if (element === undefined) {
      // What is not in sight is made at leisure, unless it is there under another number.
      if (!visible && !(this.#spares.size > 0 && this.#spares.has(nature(content)))) return false
      element = this.#make(content)
    }
    const { written, style } = element
    let isReordered = false
    element.seen = this.#count
    if (visible) {
      if (!sameMatrix(written.matrix, matrix)) {
        style.transform = matrixText(matrix)
        written.matrix.set(matrix)
      }
      this.applied.set(id, written.matrix)
      if (written.opacity !== opacity) {
        style.opacity = opacity === 1 ? '' : opacity.toFixed(5)
        written.opacity = opacity
      }
      if (written.shade !== shade) {
        element.shade(shade)
        written.shade = shade
      }
      if (written.z !== z) {
        style.zIndex = String(z)
        written.z = z
        isReordered = true
      }
    } else {
      this.applied.delete(id)
    }
    if (written.visible !== visible) {
      style.visibility = visible ? 'visible' : 'hidden'
      written.visible = visible
      isReordered = true
    }
    return isReordered
  }

  /** The element of a content: one that was there under another number, else a new one. */
  #make(content) {
    const { id } = content
    this.#pending.delete(id)
    let element = this.#spares.get(nature(content))
    this.#spares.delete(nature(content))
    if (element === undefined) {
      element = new StageElement(content, (made) => {
        if (this.#elements.get(made.content.id) === made) this.#onReady(made.content.id)
      }, (colour) => {
        // The boards of the open book are those of its cover.
        if (content.kind === KIND.page) this.#root.style.setProperty('--board', colour)
      })
      this.#root.append(element.root)
    } else {
      element.content = content
      if (element.isReady) this.#onReady(id)
    }
    element.seen = this.#count
    this.#elements.set(id, element)
    return element
  }

  /** Takes the number from an element, which stays as it is until the next frame. */
  #spare(id) {
    const element = this.#elements.get(id)
    if (element === undefined) return
    this.#elements.delete(id)
    this.applied.delete(id)
    const key = nature(element.content)
    this.#spares.get(key)?.remove()
    this.#spares.set(key, element)
  }

  /** Makes what is not in sight yet, so that its image is decoded before it turns. */
  #prepareSoon() {
    if (this.#isPreparing) return
    this.#isPreparing = true
    const idle = globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 50))
    idle(() => {
      this.#isPreparing = false
      if (this.#isWaiting || this.#spares.size > 0) return
      let left = PREPARED_AT_ONCE
      for (const id of this.#pending) {
        this.#pending.delete(id)
        const content = this.#contents.get(id)
        if (content === undefined || this.#elements.has(id)) continue
        this.#make(content)
        if (--left === 0) break
      }
      if (this.#pending.size > 0) this.#prepareSoon()
      if (this.#elements.size > MANY) this.#trim()
    }, { timeout: 100 })
  }

  #remove(id) {
    this.#elements.get(id)?.remove()
    this.#elements.delete(id)
    this.applied.delete(id)
  }

  /** The lowest page of each side lies on the board and casts the shadow of the book. */
  #findBases() {
    const lowest = [null, null, null]
    for (const element of this.#elements.values()) {
      const { side } = element.content
      if (side === SIDE.centre || !element.written.visible) continue
      if (lowest[side] === null || element.written.z < lowest[side].written.z) lowest[side] = element
    }
    const bases = [lowest[SIDE.right], lowest[SIDE.left]].filter((element) => element !== null)
    for (const element of this.#bases) {
      if (!bases.includes(element)) element.root.classList.remove('base')
    }
    for (const element of bases) element.root.classList.add('base')
    this.#bases = bases
  }

  /** Removes what is hidden and more than is worth its memory. */
  async #trim() {
    const made = await import('./surplus.js').catch(() => null)
    for (const id of made?.surplus(this.#elements, this.place) ?? []) this.#remove(id)
  }
}
