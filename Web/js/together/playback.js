/** A recorded reading: its strip of paper, on which it stands still, goes on, and is led to any moment. */

import { CROSS, iconButton, make, name } from '../dom.js'
import { encodePlay } from './wire.js'
import { steers, timeWords } from './words.js'

const PAUSE = 'M9 5.500v13M15 5.500v13'
const PLAY = 'M8 5.500v13l10.500-6.500Z'
const STEP = 250; // ms between two looks at the clock

/** Whether it has come to its end and stands there. */
const isOver = ({ isPlaying, position, length }) => !isPlaying && position >= length

class Playback {
  #desk
  #root
  #title = make('em')
  #go
  #slider
  #time = make('span', { class: 'time' })
  #close
  #timer = 0
  #held = null

  constructor(desk) {
    this.#desk = desk
    this.#go = iconButton('Pause', PAUSE, () => this.#send(desk.playback.isPlaying ? 'pause' : 'play'))
    this.#slider = make('input', {
      type: 'range', min: '0', step: 'any', 'aria-label': 'Moment of the recording',
      oninput: () => this.#hold(), onchange: () => this.#seek(),
    })
    this.#close = iconButton('Put the recording away', CROSS, () => this.#send('close'))
    this.#root = make('section', { id: 'playback', class: 'slip', 'aria-label': 'Recording', hidden: true },
      this.#go, this.#title, this.#slider, this.#time, this.#close)
    document.getElementById('notice').before(this.#root)
    desk.watch(() => this.#see())
  }

  #send(act, seconds = null) { this.#desk.send(encodePlay(act, seconds)); }

  #see() {
    const { playback } = this.#desk
    this.#root.hidden = playback === null
    document.body.classList.toggle('playing', playback !== null)
    clearInterval(this.#timer)
    this.#timer = 0
    if (playback === null) return
    const { isPlaying, title, length } = playback
    const maySteer = steers(this.#desk)
    this.#title.textContent = title
    this.#slider.max = String(length)
    for (const control of [this.#go, this.#slider]) control.disabled = !maySteer
    this.#close.hidden = !maySteer
    const words = isPlaying ? 'Pause' : isOver(this.#desk.playback) ? 'Play again' : 'Play'
    if (this.#go.getAttribute('aria-label') !== words) {
      name(this.#go, words)
      this.#go.querySelector('path').setAttribute('d', isPlaying ? PAUSE : PLAY)
    }
    if (isPlaying) this.#timer = setInterval(() => this.#draw(), STEP)
    this.#draw()
  }

  /** The moment that is shown, in seconds from the beginning. */
  get #moment() {
    const { isPlaying, time, position, length } = this.#desk.playback
    const gone = isPlaying ? this.#desk.serverNow() - time : 0
    return Math.min(length, Math.max(0, position + gone))
  }

  #draw() {
    const { length } = this.#desk.playback
    const moment = this.#held ?? this.#moment
    if (this.#held === null) this.#slider.value = String(moment)
    const share = length > 0 ? moment / length : 0
    this.#slider.style.setProperty('--share', `${(100 * share).toFixed(2)}%`)
    const isEnd = this.#held === null && isOver(this.#desk.playback)
    this.#time.textContent = isEnd ? 'The end' : `${timeWords(moment)} of ${timeWords(length)}`
    this.#slider.setAttribute('aria-valuetext', this.#time.textContent)
  }

  #hold() {
    this.#held = this.#slider.valueAsNumber
    this.#draw()
  }

  #seek() {
    this.#send('seek', this.#slider.valueAsNumber)
    this.#held = null
  }
}

/** The controls of this module, for the desk. */
export const controls = (desk) => new Playback(desk)
