/** Draws the stage in motion with bitmaps, and gives them up at rest. */

import { style } from '../dom.js'
import { KIND, SIDE } from '../wire.js'
import { Bitmaps } from './bitmaps.js'
import { Part } from './parts.js'
import { CoverSprite, pageSprite } from './sprite.js'

const PAUSE = 30 // ms of rest before bitmaps are drawn

export class Motion {
  #context
  #bitmaps
  /** StageElement -> {sprite, image, scale} */
  #sprites = new WeakMap()
  #timer = 0

  constructor(context) {
    this.#context = context
    this.#bitmaps = new Bitmaps(context)
    style('motion')
    context.view.stage.attach({
      part: (content, part) => new Part(content, part, this.#bitmaps),
      appeared: (element) => this.#dress(element),
    })
    context.actions.watch(() => this.#see())
  }

  get cost() { return this.#bitmaps.cost; }

  #see() {
    clearTimeout(this.#timer)
    if (!this.#context.view.isSettled) return
    this.#context.view.stage.dropParts()
    this.#timer = setTimeout(() => this.#prepare(), PAUSE)
  }

  /** Draws one bitmap after the other until all visible and expected elements have theirs. */
  #prepare() {
    const { stage, isSettled } = this.#context.view
    if (!isSettled) return
    const next = [...stage.all].sort((a, b) => b.written.visible - a.written.visible)
      .find((element) => this.#lacks(element))
    if (next === undefined) return
    this.#dress(next)
    this.#timer = setTimeout(() => this.#prepare(), 0)
  }

  #lacks(element) {
    const { content, isReady } = element
    if (!isReady || content.kind === KIND.collection || (content.kind === KIND.board)) return false
    const made = this.#sprites.get(element)
    return made === undefined || made.image !== element.image || made.scale !== this.#bitmaps.scale(content) ||
      made.content !== content
  }

  #dress(element) {
    if (!this.#lacks(element)) return
    const { content, image } = element
    const scale = this.#bitmaps.scale(content)
    const sprite = element.isBound ? new CoverSprite(content, this.#bitmaps.cover(element))
      : pageSprite(content, this.#copies(content))
    this.#sprites.set(element, { image, scale, content })
    element.wear(sprite)
  }

  /** A node can be in one place only, and strips are cut from the bitmaps that are kept. */
  #copies(content) {
    const { plain, shaded } = this.#bitmaps.of(content)
    return { plain, shaded }
  }
}
