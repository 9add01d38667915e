/** Lets the reader hear and feel the leaves of the open book, if the settings say so. */

import { STRIPS } from '../session/wire.js'
import { stripOf } from '../motion/rulings.js'
import { KIND, PART, SCREEN, SIDE } from '../wire.js'
import { Leaves, loudness } from './leaves.js'
import { rustle } from './rustle.js'

const BUZZ = 10 // ms
const APART = 60 // ms between two sounds, at least

/** The places of the outer edges of the visible leaves, for Leaves. */
function placesOf(stage) {
  const places = new Map()
  for (const [key, m] of stage.applied) {
    const [id, part = PART.whole] = String(key).split('/').map(Number)
    const { kind, index, side, width } = stage.element(id)?.content ?? {}
    if (kind !== KIND.page || (part !== PART.whole && stripOf(part)?.index !== STRIPS - 1)) continue
    const x = side === SIDE.right ? width : -width
    places.set(index >> 1, (x * m[0] + m[12]) / (x * m[3] + m[15]) / width)
  }
  return places
}

class Paper {
  #context
  #leaves = new Leaves()
  #fingers = new Set()
  #isWatching = false
  #heard = -Infinity

  constructor(context) {
    this.#context = context
    addEventListener('pointerdown', ({ pointerId, target }) => {
      if (target.closest?.('#table')) this.#fingers.add(pointerId)
    })
    for (const type of ['pointerup', 'pointercancel']) {
      addEventListener(type, ({ pointerId }) => this.#fingers.delete(pointerId))
    }
    context.actions.watch(() => this.#see())
  }

  #see() {
    const { view: { caption, isSettled }, settings } = this.#context
    const isOn = settings.sound || settings.vibration
    if (this.#isWatching || isSettled || !isOn || caption.screen !== SCREEN.book) return
    this.#isWatching = true
    this.#tick(performance.now())
  }

  #tick(now) {
    const { stage, isSettled } = this.#context.view
    for (const event of this.#leaves.see(now / 1000, placesOf(stage))) this.#tell(event)
    this.#isWatching = !isSettled
    if (this.#isWatching) requestAnimationFrame((next) => this.#tick(next))
    else for (const event of this.#leaves.rest()) this.#tell(event)
  }

  #tell({ kind, speed }) {
    const { settings, session: { role } } = this.#context
    const isOwn = this.#fingers.size > 0 && role?.rights.mayTurn
    if (settings.vibration && (kind === 'landed' || isOwn)) navigator.vibrate?.(BUZZ)
    if (!settings.sound || kind !== 'landed' || performance.now() - this.#heard < APART) return
    this.#heard = performance.now()
    rustle(loudness(speed))
  }
}

let paper = null

/** Begins to follow the leaves; the settings decide at each landing what is heard and felt. */
export function watchPaper(context) { paper ??= new Paper(context); }
