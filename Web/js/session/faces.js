/**
 * What assistive technology is told about the stage, and where the keyboard focus is: the shelves and books
 * that can be chosen, and of an open book the two pages that are read. All else is inert.
 */

import { style } from '../dom.js'
import { KIND, SCREEN, SIDE } from '../wire.js'

const KEYS = new Set(['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End',
  'Enter', 'Escape'])
/** What can be chosen on the two screens without an open book. */
const CHOSEN = { [SCREEN.collections]: KIND.collection, [SCREEN.shelf]: KIND.cover }

/**
 * The elements in their order of reading.
 * @param elements of the stage: {written: {visible}, content: {kind, index}, root}
 */
export const inOrder = (elements) => [...elements].sort((a, b) =>
  a.content.kind - b.content.kind || a.content.index - b.content.index)

/** Puts nodes into an order, moving only those that are out of it: one that moves loses the keyboard. */
export function arrange(root, nodes) {
  const held = nodes.findIndex((node) => node.contains(document.activeElement))
  // Before the one that has the keyboard they are put from the nearest to the farthest, behind it likewise.
  for (let n = held - 1; n >= 0; n -= 1) if (nodes[n].nextSibling !== nodes[n + 1]) nodes[n + 1].before(nodes[n])
  for (let n = Math.max(0, held) + 1; n < nodes.length; n += 1) {
    if (nodes[n - 1].nextSibling !== nodes[n]) nodes[n - 1].after(nodes[n])
  }
}

/** Whether something can have the keyboard where it is. */
const isSeen = (node) => node !== null && node !== document.body && node.isConnected &&
  node.checkVisibility?.({ visibilityProperty: true }) !== false && node.closest('[inert]') === null

export class Faces {
  #context
  #input
  #table = document.getElementById('table')
  #stage = document.getElementById('stage')
  /** Whether the last thing that was done here was done by a key. */
  #isByKey = false
  /** Whether anything has had the keyboard. */
  #isUsed = false
  #current = null

  constructor(context, input) {
    this.#context = context
    this.#input = input
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
    // The element with the focus may be gone: with a sheet or a strip that was closed.
    for (const type of ['close', 'click', 'keyup', 'focusout']) {
      document.addEventListener(type, () => requestAnimationFrame(() => this.#rescue()), true)
    }
    document.addEventListener('focusin', () => { this.#isUsed = true; })
    const forced = matchMedia('(forced-colors: active)')
    const colour = () => { if (forced.matches) style('forced'); }
    forced.addEventListener('change', colour)
    colour()
    context.actions.watch(() => this.#see())
  }

  #see() {
    const { caption, isSettled, stage } = this.#context.view
    if (caption === null || !isSettled) return
    const kind = CHOSEN[caption.screen]
    const all = inOrder(stage.all)
    const exposed = new Set(kind === undefined
      ? stage.spread : all.filter(({ written, content }) => written.visible && content.kind === kind))
    this.#current = null
    for (const element of all) {
      const { root, content } = element
      const isChosen = kind !== undefined && exposed.has(element) && content.index === caption.index
      if (isChosen) this.#current = element
      root.inert = !exposed.has(element)
      if (content.side !== SIDE.centre) continue
      root.setAttribute('role', 'button')
      root.setAttribute('tabindex', isChosen ? '0' : '-1')
      root.setAttribute('aria-label', [content.title, content.subtitle].filter(Boolean).join('. '))
      if (isChosen) root.setAttribute('aria-current', 'true')
      else root.removeAttribute('aria-current')
    }
    arrange(this.#stage, all.map(({ root }) => root))
    this.#focus()
  }

  /** The keyboard goes with what it chose. */
  #focus() {
    const active = document.activeElement
    if (document.querySelector('dialog[open]') !== null) return
    const isHere = active === this.#table || !isSeen(active)
    if (this.#stage.contains(active) ? active.closest('.el') !== this.#current?.root && !active.closest('.hot')
      : this.#isByKey && isHere) this.#home()
    else this.#rescue()
  }

  #home() { (this.#current?.root ?? this.#table).focus({ preventScroll: true }); }

  /** Nothing has the keyboard any more: what is in the middle gets it. */
  #rescue() {
    if (!this.#isUsed || !this.#context.view.isSettled || isSeen(document.activeElement)) return
    if (document.hasFocus() && document.querySelector('dialog[open]') === null) this.#home()
  }

  /** Chosen without a finger, as by what reads the page aloud: tapped where it is. */
  #choose(event) {
    const root = event.target.closest('.el')
    if (event.target.closest('.hot') || root === null || CHOSEN[this.#context.view.caption.screen] === undefined) return
    const { left, top, width, height } = root.getBoundingClientRect()
    this.#input.tap(left + width / 2, top + height / 2)
  }
}
