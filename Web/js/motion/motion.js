/** Draws the stage in motion with bitmaps, and gives them up at rest. */

import { style } from '../dom.js'
import { KIND } from '../wire.js'
import { BindingPainter } from './binding.js'
import { Bitmaps } from './bitmaps.js'
import { Boards } from './boards.js'
import { Part } from './parts.js'
import { Quality } from './quality.js'
import { CoverSprite, pageSprite } from './sprite.js'
import { shadeStrips } from './strips.js'
import { Table } from './table.js'

const PAUSE = 30 // ms of rest before bitmaps are drawn
const MOST = 12 // elements that keep bitmaps at rest, if no more are visible

export class Motion {
  #context
  #bitmaps
  #binding
  #boards = new Boards(document.getElementById('stage'))
  #table = new Table()
  /** StageElement -> what its sprite was drawn from */
  #sprites = new Map()
  #timer = 0
  #quality = new Quality()
  /** What parts are drawn with. */
  #parts

  constructor(context) {
    this.#context = context
    this.#bitmaps = new Bitmaps(context)
    this.#binding = new BindingPainter(context)
    const quality = this.#quality
    this.#parts = {
      bitmaps: this.#bitmaps,
      get quality() { return quality.now; },
      strips: [],
    }
    style('motion')
    context.view.stage.attach({
      part: (content, part) => new Part(content, part, this.#parts),
      appeared: (element) => this.#dress(element),
      ready: (element) => this.#redraw(element),
      follow: (bases) => this.#follow(bases),
    })
    context.actions.watch(() => this.#see())
  }

  /** Called in each animation frame; the times are in ms. */
  tick(now, period) {
    if (!this.#context.view.isSettled) this.#quality.tick(now, period)
  }

  #follow(bases) {
    this.#boards.follow(bases)
    this.#binding.follow(bases)
    shadeStrips(this.#parts.strips)
    this.#table.follow(this.#binding.state)
  }

  /** Draws the parts of an element again whose image or colour is there now. */
  #redraw({ content }) {
    for (const part of this.#context.view.stage.partsOf(content.id)) part.replace(content)
    this.#prepareSoon()
  }

  #see() {
    clearTimeout(this.#timer)
    if (!this.#context.view.isSettled) return
    this.#quality.rest()
    this.#bitmaps.fineness = this.#quality.now.fineness
    this.#context.view.stage.dropParts()
    this.#prepareSoon()
  }

  #prepareSoon() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#prepare(), PAUSE)
  }

  /** The elements that keep bitmaps at rest: the visible ones, and those seen or expected last. */
  #kept(elements) {
    const all = elements.filter(({ content: { kind } }) => kind === KIND.cover || kind === KIND.page)
      .sort((a, b) => b.written.visible - a.written.visible || b.seen - a.seen)
    const kept = all.filter(({ written }, n) => written.visible || n < MOST)
    for (const element of this.#sprites.keys()) {
      if (kept.includes(element)) continue
      this.#sprites.delete(element)
      element.wear(null)
    }
    return kept
  }

  /** Draws one bitmap after the other until all visible and expected elements have theirs. */
  #prepare() {
    const { stage, isSettled } = this.#context.view
    if (!isSettled) return
    const page = [...stage.all].find(({ content: { kind }, written }) => kind === KIND.page && written.visible)
    if (page !== undefined) this.#binding.see(page.content, this.#bitmaps.scale(page.content))
    this.#follow(stage.bases)
    const next = this.#kept(stage.all).find((element) => this.#lacks(element))
    if (next === undefined) return this.#table.see(this.#binding.casts, this.#binding.state)
    this.#dress(next)
    this.#timer = setTimeout(() => this.#prepare(), 0)
  }

  #lacks(element) {
    const { content, isReady } = element
    if (!isReady || (content.kind !== KIND.cover && content.kind !== KIND.page)) return false
    const made = this.#sprites.get(element)
    return made === undefined || Object.entries(this.#look(element)).some(([name, value]) => made[name] !== value)
  }

  /** What the sprite of an element is drawn from. */
  #look({ content, style }) {
    return { ...this.#bitmaps.look(content), content, board: style.getPropertyValue('--board') }
  }

  #dress(element) {
    if (!this.#lacks(element)) return
    const { content } = element
    const sprite = element.isBound ? new CoverSprite(content, this.#bitmaps.cover(element))
      : pageSprite(content, this.#bitmaps.page(content))
    this.#sprites.set(element, this.#look(element))
    element.wear(sprite)
  }
}
