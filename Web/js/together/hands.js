/** The pointers of the other members, each at its position on the page and at its time. */

import { app, session, watch } from '../app.js'
import { make, style } from '../dom.js'
import { Beckon } from './beckon.js'
import { Light } from './light.js'
import { placeAt } from './spots.js'
import { spreadAt } from '../motion/rulings.js'
import { STRIPS } from '../session/wire.js'
import { PART, SIDE } from '../wire.js'
import { POINTER_KIND } from './wire.js'

/** The visible part of an element at fractions of its size; undefined if there is none. */
function shownAt(stage, id, x, y) {
  const whole = stage.element(id)
  if (whole?.written.visible) return whole
  return stage.partsOf(id).find(({ part, strip, written, content: { side } }) => {
    if (!written.visible || part === PART.shadow) return false
    // Only the edge of a page is shown that other pages cover.
    if (strip === null) return true
    const crossing = (side === SIDE.left ? 1 - x : x) * spreadAt(strip.apex, y - .5)
    return strip.index === Math.min(STRIPS - 1, Math.floor(STRIPS * crossing))
  })
}

const KEPT = 64; // messages about one pointer that wait for their time

/** An invisible node, placed in an element, whose position on the screen the browser computes. */
const anchor = () => make('i', { style: 'position:absolute;inset:auto;width:0;height:0' })

await style('together')

export default class Hands {
  /** Member -> {queue, light, beckon, anchor, place: the one that is shown} */
  #hands = new Map()
  #isRunning = false

  constructor() {
    // After a new welcome, the server sends the pointers again.
    watch(() => { for (const [member, hand] of this.#hands) this.#remove(member, hand) }, 'me')
    watch(() => this.#run())
    addEventListener('resize', () => this.#run())
  }

  /** Handles a message about a pointer. */
  come({ member, ...news }) {
    let hand = this.#hands.get(member)
    if (hand === undefined) {
      if (news.kind === POINTER_KIND.gone) return
      hand = { queue: [], light: new Light(), beckon: new Beckon(), anchor: anchor(), place: null }
      this.#hands.set(member, hand)
    }
    if (hand.queue.length >= KEPT) hand.queue.shift()
    hand.queue.push(news)
    this.#run()
  }

  #run() {
    if (this.#isRunning || this.#hands.size === 0) return
    this.#isRunning = true
    // The page requests its animation frame first, so that the book is drawn before the hands on it.
    queueMicrotask(() => requestAnimationFrame((now) => this.#tick(now)))
  }

  #tick(now) {
    const time = app.clock.serverTime(performance.now()) - app.playout.delay
    let isMoving = !session.isSettled
    for (const [member, hand] of this.#hands) {
      const place = placeAt(hand.queue, time)
      if (hand.queue.length > 1 || place === null) isMoving = true
      if (place !== null && this.#show(member, hand, place, now)) isMoving = true
    }
    this.#isRunning = false
    if (isMoving) this.#run()
  }

  /** Draws a hand; true while it moves. */
  #show(member, hand, place, now) {
    const person = session.people.get(member)
    if (place.kind === POINTER_KIND.gone || person === undefined) {
      this.#remove(member, hand)
      return false
    }
    const holds = session.room.presenter === member
    const hasDot = place.kind === POINTER_KIND.laser
    hand.light.dress(person, { hasDot, hasHand: holds || !hasDot, holds })
    const spot = this.#spot(hand, place)
    // A light asks the others to look; a hand that turns a leaf does not, so it gets no sign.
    const isBeyond = spot !== null && hasDot && hand.beckon.show(person, spot)
    if (!isBeyond) hand.beckon.hide()
    if (spot === null || isBeyond) {
      hand.light.hide()
      return false
    }
    return hand.light.move(spot.left, spot.top, now, hasDot)
  }

  #remove(member, hand) {
    hand.light.fade()
    hand.beckon.hide()
    hand.anchor.remove()
    this.#hands.delete(member)
  }

  /** The position of a place on the screen; null while its element is not visible. */
  #spot({ anchor: mark }, { element, x, y }) {
    const { stage } = app
    const on = element === null ? document.getElementById('stage') : shownAt(stage, element, x, y)?.root
    if (!on || on.style.visibility === 'hidden') return null
    const { style } = mark
    style.left = element === null ? `calc(50% + ${x}px)` : `${100 * x}%`
    style.top = element === null ? `calc(50% + ${y}px)` : `${100 * y}%`
    if (mark.parentNode !== on) on.append(mark)
    return mark.getBoundingClientRect()
  }
}
