/** Draws the stage in motion with bitmaps, and gives them up at rest. */

import { app, session, watch } from '../app.js'
import { basesOf } from '../bases.js'
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
  #bitmaps = new Bitmaps()
  #binding = new BindingPainter()
  #boards = new Boards(document.getElementById('stage'))
  #table = new Table()
  /** The lowest pages: right, left. */
  #bases = basesOf(app.stage)
  /** StageElement -> what its sprite was drawn from */
  #sprites = new Map()
  #timer = 0
  #quality = new Quality()
  /** What parts are drawn with. */
  #parts

  constructor() {
    const quality = this.#quality
    this.#parts = {
      bitmaps: this.#bitmaps,
      get quality() { return quality.now; },
      strips: [],
    }
    style('motion')
    app.stage.attach({
      part: (content, part) => new Part(content, part, this.#parts),
      appeared: (element) => this.#dress(element),
      ready: (element) => this.#redraw(element),
      follow: (isReordered) => this.#follow(isReordered),
    })
    watch(() => this.#see())
  }

  /** Called in each animation frame; the time is in ms. */
  tick(now) {
    if (!session.isSettled) this.#quality.tick(now, app.input.vsync.period)
  }

  #follow(isReordered) {
    if (isReordered) this.#bases = basesOf(app.stage)
    this.#boards.follow(this.#bases)
    this.#binding.follow(this.#bases)
    shadeStrips(this.#parts.strips)
    this.#table.follow(this.#binding.state)
  }

  /** Draws the parts of an element again whose image or colour is there now. */
  #redraw({ content, isBound }) {
    if (isBound) this.#bases = basesOf(app.stage)
    for (const part of app.stage.partsOf(content.id)) part.replace(content)
    this.#prepareSoon()
  }

  #see() {
    clearTimeout(this.#timer)
    if (!session.isSettled) return
    this.#quality.rest()
    this.#bitmaps.fineness = this.#quality.now.fineness
    app.stage.dropParts()
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
    const { stage } = app
    if (!session.isSettled) return
    const page = stage.all.find(({ content: { kind }, written }) => kind === KIND.page && written.visible)
    if (page !== undefined) this.#binding.see(page.content, this.#bitmaps.scale(page.content))
    this.#follow(true)
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
