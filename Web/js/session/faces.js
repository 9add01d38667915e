/**
 * The stage for assistive technology and the keyboard. The elements that can be chosen or read are active: shelves,
 * books, and the open pages of a book that are in the window. All others are inert.
 */

import { app, session, watch } from '../app.js'
import { style } from '../dom.js'
import { presentFaces } from '../text/pages.js'
import { KIND, SCREEN, SIDE } from '../wire.js'

const KEYS = new Set(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End',
  'Enter', 'Escape'])
/** The kind of element that can be chosen on each screen without an open book. */
const CHOSEN = { [SCREEN.collections]: KIND.collection, [SCREEN.shelf]: KIND.cover }

/**
 * The elements in reading order.
 * @param elements the stage's: {written: {visible}, content: {kind, index}, root}
 */
export const inOrder = (elements) => [...elements].sort((a, b) =>
  a.content.kind - b.content.kind || a.content.index - b.content.index)

/** Puts nodes into an order. It moves only those that are out of order, since a moved node loses the focus. */
export function arrange(root, nodes) {
  const held = nodes.findIndex((node) => node.contains(document.activeElement))
  // On both sides of the focused node, the nearest nodes are placed first.
  for (let n = held - 1; n >= 0; n -= 1) if (nodes[n].nextSibling !== nodes[n + 1]) nodes[n + 1].before(nodes[n])
  for (let n = Math.max(0, held) + 1; n < nodes.length; n += 1) {
    if (nodes[n - 1].nextSibling !== nodes[n]) nodes[n - 1].after(nodes[n])
  }
}

/** Whether a node can have the focus where it is. */
const isSeen = (node) => node !== null && node !== document.body && node.isConnected &&
  node.checkVisibility?.({ visibilityProperty: true }) !== false && node.closest('[inert]') === null

export class Faces {
  #table = document.getElementById('table')
  #stage = document.getElementById('stage')
  /** Whether the last input came from the keyboard. */
  #isByKey = false
  /** Whether anything has had the focus. */
  #isUsed = false
  #current = null

  constructor() {
    this.#stage.addEventListener('click', (event) => this.#choose(event))
    this.#stage.addEventListener('keydown', (event) => {
      const isOther = event.key === 'Enter' && event.target.closest('.el') !== this.#current?.root
      if (event.target.closest('.hot') || (event.key !== ' ' && !isOther)) return
      event.preventDefault()
      event.stopPropagation()
      event.target.click()
    })
    document.addEventListener('keydown', ({ key, target }) => {
      if (KEYS.has(key)) this.#isByKey = target === document.body || this.#table.contains(target)
    }, true)
    document.addEventListener('pointerdown', () => { this.#isByKey = false; }, true)
    // The focused element may have disappeared with a sheet or a strip that was closed.
    for (const type of ['close', 'click', 'keyup', 'focusout']) {
      document.addEventListener(type, () => requestAnimationFrame(() => this.#rescue()), true)
    }
    document.addEventListener('focusin', () => { this.#isUsed = true; })
    const forced = matchMedia('(forced-colors: active)')
    const colour = () => { if (forced.matches) style('forced'); }
    forced.addEventListener('change', colour)
    colour()
    watch(() => this.#see())
  }

  #see() {
    const { caption, isSettled } = session
    if (!isSettled) return
    const kind = CHOSEN[caption.screen]
    const all = inOrder(app.stage.all)
    const exposed = new Set(kind === undefined
      ? presentFaces() : all.filter(({ written, content }) => written.visible && content.kind === kind))
    this.#current = null
    for (const element of all) {
      const { root, content } = element
      const isChosen = kind !== undefined && exposed.has(element) && content.index === caption.index
      if (isChosen) this.#current = element
      root.inert = !exposed.has(element)
      if (content.side % SIDE.centreRightBound > 0) continue
      root.setAttribute('role', 'button')
      root.setAttribute('tabindex', isChosen ? '0' : '-1')
      root.setAttribute('aria-label', [content.title, content.subtitle].filter(Boolean).join('. '))
      if (isChosen) root.setAttribute('aria-current', 'true')
      else root.removeAttribute('aria-current')
    }
    arrange(this.#stage, all.map(({ slot }) => slot))
    this.#focus()
  }

  /** Moves the focus to the element that a key has chosen. */
  #focus() {
    const active = document.activeElement
    if (document.querySelector('dialog[open]') !== null) return
    const isHere = active === this.#table || !isSeen(active)
    if (this.#stage.contains(active) ? active.closest('.el') !== this.#current?.root && !active.closest('.hot')
      : this.#isByKey && isHere) this.#home()
    else this.#rescue()
  }

  #home() { (this.#current?.root ?? this.#table).focus({ preventScroll: true }); }

  /** Moves the focus to the middle element if no visible element has it. */
  #rescue() {
    if (!this.#isUsed || !session.isSettled || isSeen(document.activeElement)) return
    if (document.hasFocus() && document.querySelector('dialog[open]') === null) this.#home()
  }

  /** Taps at an element that was chosen without a pointer, for example by a screen reader. */
  #choose(event) {
    const root = event.target.closest('.el')
    if (event.target.closest('.hot') || root === null || CHOSEN[session.caption.screen] === undefined) return
    const { left, top, width, height } = root.getBoundingClientRect()
    app.input.tap(left + width / 2, top + height / 2)
  }
}
