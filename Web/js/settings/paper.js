/** Lets the reader hear and feel the leaves of the open book, if the settings say so. */

import { app, session, watch } from '../app.js'
import { STRIPS } from '../session/wire.js'
import { stripOf } from '../motion/rulings.js'
import { KIND, PART, SIDE } from '../wire.js'
import { Leaves, loudness } from './leaves.js'
import { rustle } from './rustle.js'

const BUZZ = 10 // ms
const APART = 60 // ms between two sounds, at least

/** The places of the outer edges of the visible leaves, for Leaves. */
function placesOf() {
  const places = new Map()
  for (const [key, m] of app.stage.applied) {
    const [id, part = PART.whole] = String(key).split('/').map(Number)
    const { kind, index, side, width } = app.stage.element(id)?.content ?? {}
    if (kind !== KIND.page || (part !== PART.whole && stripOf(part)?.index !== STRIPS - 1)) continue
    const x = side === SIDE.right ? width : -width
    places.set(index >> 1, (x * m[0] + m[12]) / (x * m[3] + m[15]) / width)
  }
  return places
}

class Paper {
  #leaves = new Leaves()
  #fingers = new Set()
  #isWatching = false
  #heard = -Infinity

  constructor() {
    addEventListener('pointerdown', ({ pointerId, target }) => {
      if (target.closest?.('#table')) this.#fingers.add(pointerId)
    })
    for (const type of ['pointerup', 'pointercancel']) {
      addEventListener(type, ({ pointerId }) => this.#fingers.delete(pointerId))
    }
    watch(() => this.#see(), 'isSettled', 'caption')
  }

  #see() {
    const { isBook, isSettled, settings } = session
    const isOn = settings.sound || settings.vibration
    if (this.#isWatching || isSettled || !isOn || !isBook) return
    this.#isWatching = true
    this.#tick(performance.now())
  }

  #tick(now) {
        for (const event of this.#leaves.see(now / 1000, placesOf())) this.#tell(event)
    this.#isWatching = !session.isSettled
    if (this.#isWatching) requestAnimationFrame((next) => this.#tick(next))
    else for (const event of this.#leaves.rest()) this.#tell(event)
  }

  #tell({ kind, speed }) {
    const { settings, role } = session
    const isOwn = this.#fingers.size > 0 && role?.rights.mayTurn
    if (settings.vibration && (kind === 'landed' || isOwn)) navigator.vibrate?.(BUZZ)
    if (!settings.sound || kind !== 'landed' || performance.now() - this.#heard < APART) return
    this.#heard = performance.now()
    rustle(loudness(speed))
  }
}

let paper = null

/** Begins to follow the leaves; the settings decide at each landing what is heard and felt. */
export function watchPaper() { paper ??= new Paper(); }
