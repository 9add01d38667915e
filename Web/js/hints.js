/**
 * Hints on the table for a new reader: one at a time, where nothing else is, each once. A hint that has been followed,
 * with or without having been seen, is not shown again.
 */

import { session, watch } from './app.js'
import { make } from './dom.js'
import { HINTS as STORED, keep, kept } from './keys.js'
import { ROLE, SCREEN } from './wire.js'
import { WORDS } from './words/help.js'

const REST = 1600; // ms without input after which a hint appears
const SHOWN = 12_000; // ms for which it stays
const NOTICED = 3000; // ms after which it counts as seen
const QUIET = 5000; // ms between two hints
const MANY = 5; // books on a shelf that a wall helps to look over
const STEP = 3; // CSS px
const BESIDE = 12; // CSS px that a hint keeps from what is beside it
const BELOW = 5; // the same from what is above or below it, besides the leading of its type
const SHADOW = 16; // CSS px below a closed book
const EDGE = 10; // CSS px that it keeps from the window's edges
const SPANS = [.5, .72, .28, .9, .1]; // places of its middle across the window, best first
const PLANK = [.28, .88]; // where the plank of a ledge begins, in fractions of its box

const isIn = (screen, ...captions) => captions.every((caption) => caption.screen === screen)
const inOneBook = (now, before) => isIn(SCREEN.book, now, before) && now.book === before.book

/**
 * The hints in their order. isFor: whether a reader at rest may need it; isDone: whether the reader has done what it
 * says between two captions.
 */
const HINTS = [
  {
    name: 'list', isFor: (now) => isIn(SCREEN.collections, now) && now.count > 0,
    isDone: (now, before) => isIn(SCREEN.collections, before) && !isIn(SCREEN.collections, now),
  },
  {
    name: 'shelf', isFor: (now) => isIn(SCREEN.shelf, now) && now.count > 0 && !now.cannotOpen,
    isDone: (now, before) => isIn(SCREEN.shelf, before) && isIn(SCREEN.book, now),
  },
  {
    name: 'wall', isFor: (now) => isIn(SCREEN.shelf, now) && now.count > MANY && !now.isWall,
    isDone: (now, before) => isIn(SCREEN.shelf, now, before) && now.isWall && !before.isWall,
  },
  {
    name: 'turn', isFor: (now) => isIn(SCREEN.book, now) && now.count > 1,
    isDone: (now, before) => inOneBook(now, before) && now.page !== before.page,
  },
  {
    name: 'flat', isFor: (now) => isIn(SCREEN.book, now) && !now.isFlat,
    isDone: (now, before) => inOneBook(now, before) && now.isFlat && !before.isFlat,
  },
]

/** The name of the hint that is due; null for none. */
export const dueHint = (caption, done) =>
  HINTS.find(({ name, isFor }) => done[name] !== true && isFor(caption))?.name ?? null

/** The names of the hints that a reader has followed between two captions; before is null for the first one. */
export const doneHints = (now, before) =>
  (before === null ? [] : HINTS.filter(({ isDone }) => isDone(now, before)).map(({ name }) => name))

/** Whether a box keeps its distance from all those that are taken. */
export const isClear = ({ left, top, width, height }, taken) => taken.every((box) =>
  box.right + BESIDE <= left || box.left - BESIDE >= left + width ||
  box.bottom + BELOW <= top || box.top - BELOW >= top + height)

/**
 * The place of the left top corner of a box that meets none of those taken: in the middle of the window if
 * there is one, and as low as there is; null if there is none.
 */
export function freePlace({ width, height }, window, taken) {
  for (const share of SPANS) {
    const left = share * window.width - width / 2
    if (left < EDGE || left + width > window.width - EDGE) continue
    for (let top = window.height - EDGE - height; top >= EDGE; top -= STEP) {
      if (isClear({ left, top, width, height }, taken)) return [left, top]
    }
  }
  return null
}

const isSeen = (node) => node.checkVisibility({ visibilityProperty: true })

/** The boxes of all that a hint must not cover. */
function takenBoxes() {
  // The label of the list is for assistive technology.
  const parts = '.bar:not([data-screen=collections] #label)>*, .wall, .spine, #continue, #stage .el, .binding'
  return [...document.querySelectorAll(parts)].filter(isSeen).map((node) => {
    const { left, top, right, bottom, width, height } = node.getBoundingClientRect()
    if (node.matches('.ledge')) return { left: left + PLANK[0] * width, top: top + PLANK[1] * height, right, bottom }
    return { left, top, right, bottom: bottom + (node.matches('.cover') ? SHADOW : 0) }
  })
}

export default class Hints {
  #done = kept(STORED)
  /** The caption before; null at first. */
  #before = null
  #node = make('p', { class: 'advice', 'aria-hidden': 'true', hidden: true })
  /** The hint that is shown, {name, since}; null for none. */
  #shown = null
  #timer = 0
  #quiet = 0

  constructor() {
    document.body.append(this.#node)
    watch(() => this.#see())
    addEventListener('resize', () => this.#hide())
    for (const type of ['pointerdown', 'keydown', 'wheel']) {
      addEventListener(type, () => { if (this.#shown === null) this.#await(); }, { passive: true, capture: true })
    }
  }

  #see() {
    const { caption, isSettled } = session
    if (this.#leads) for (const name of doneHints(caption, this.#before)) this.#finish(name)
    this.#before = caption
    if (this.#shown !== null && (dueHint(caption, this.#done) !== this.#shown.name || this.#isCovering)) this.#hide()
    if (this.#shown === null) this.#await()
  }

  /** Whether what rests on the table now is where the hint is. */
  get #isCovering() {
    // A pixel less, for its place is rounded.
    const { left, top, width, height } = this.#node.getBoundingClientRect()
    const box = { left: left + 1, top: top + 1, width: width - 2, height: height - 2 }
    return session.isSettled && !isClear(box, takenBoxes())
  }

  /** Shows the hint that is due once the reader has rested. */
  #await() {
    clearTimeout(this.#timer)
    const { caption } = session
    if (dueHint(caption, this.#done) === null) return
    this.#timer = setTimeout(() => this.#show(), Math.max(REST, this.#quiet - performance.now()))
  }

  /** Whether the reader moves the books, and does not only follow somebody. */
  get #leads() { return session.role?.role === ROLE.presenter; }

  /** Whether something else has the reader's attention. */
  get #isBusy() {
    return !session.isSettled || !this.#leads || document.hidden ||
      /shows-|pointing|selecting/.test(document.body.className) || document.body.dataset.zoomed === 'true' ||
      document.querySelector('.slip:not([hidden]), :popover-open') !== null
  }

  #show() {
    const name = dueHint(session.caption, this.#done)
    if (name === null || this.#isBusy) return
    const node = this.#node
    node.textContent = (matchMedia('(hover:hover)').matches ? WORDS.mouse : WORDS.touch)[name]
    node.hidden = false
    const taken = takenBoxes()
    const place = this.#placed(false, taken) ?? this.#placed(true, taken)
    node.hidden = place === null
    if (place === null) return
    node.style.translate = place.map((length) => `${Math.round(length)}px`).join(' ')
    this.#shown = { name, since: performance.now() }
    this.#timer = setTimeout(() => this.#hide(), SHOWN)
  }

  /** A place for the words in one line, or in a column beside a book that leaves no room above or below it. */
  #placed(isColumn, taken) {
    this.#node.classList.toggle('column', isColumn)
    return freePlace(this.#node.getBoundingClientRect(), { width: innerWidth, height: innerHeight }, taken)
  }

  #hide() {
    clearTimeout(this.#timer)
    this.#node.hidden = true
    if (this.#shown === null) return
    const { name, since } = this.#shown
    this.#shown = null
    this.#quiet = performance.now() + QUIET
    if (performance.now() - since > NOTICED) this.#finish(name)
    this.#await()
  }

  #finish(name) {
    if (this.#done[name] === true) return
    this.#done[name] = true
    this.#done.over = HINTS.every((hint) => this.#done[hint.name] === true)
    keep('localStorage', STORED, JSON.stringify(this.#done))
    if (this.#shown?.name === name) this.#hide()
  }
}
