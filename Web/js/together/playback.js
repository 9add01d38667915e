/** The strip that plays a recording: pause, play, and a slider to any moment. */

import { CROSS, iconButton, make, name } from '../dom.js'
import { WORDS } from '../words/together.js'
import { encodePlay } from './wire.js'
import { timeWords } from './status.js'

const PAUSE = 'M9 5.500v13M15 5.500v13'
const PLAY = 'M8 5.500v13l10.500-6.500Z'
const STEP = 250; // ms between two updates of the time

/** Whether a playback has reached its end. */
const isOver = ({ isPlaying, position, length }) => !isPlaying && position >= length

class Playback {
  #context
  #root
  #title = make('em')
  #go
  #slider
  #time = make('span', { class: 'time' })
  #close
  #timer = 0
  #held = null

  constructor(context) {
    this.#context = context
    const toggle = () => this.#send(context.session.playback.isPlaying ? 'pause' : 'play')
    this.#go = iconButton(WORDS.playback.pause, PAUSE, toggle)
    this.#slider = make('input', {
      type: 'range', min: '0', step: 'any', 'aria-label': WORDS.playback.moment,
      oninput: () => this.#hold(), onchange: () => this.#seek(),
    })
    this.#close = iconButton(WORDS.playback.putAway, CROSS, () => this.#send('close'))
    this.#root = make('section', {
      id: 'playback', class: 'slip', 'aria-label': WORDS.playback.recording, hidden: true,
    },
      this.#go, this.#title, this.#slider, this.#time, this.#close)
    document.getElementById('notice').before(this.#root)
    context.actions.watch(() => this.#see())
  }

  #send(act, seconds = null) { this.#context.actions.send(encodePlay(act, seconds)); }

  #see() {
    const { playback } = this.#context.session
    this.#root.hidden = playback === null
    document.body.classList.toggle('playing', playback !== null)
    clearInterval(this.#timer)
    this.#timer = 0
    if (playback === null) return
    const { isPlaying, title, length } = playback
    const maySteer = this.#context.session.role.rights.mayPlay
    this.#title.textContent = title
    this.#slider.max = String(length)
    for (const control of [this.#go, this.#slider]) control.disabled = !maySteer
    this.#close.hidden = !maySteer
    const { pause, play, again } = WORDS.playback
    const words = isPlaying ? pause : isOver(this.#context.session.playback) ? again : play
    if (this.#go.getAttribute('aria-label') !== words) {
      name(this.#go, words)
      this.#go.querySelector('path').setAttribute('d', isPlaying ? PAUSE : PLAY)
    }
    if (isPlaying) this.#timer = setInterval(() => this.#draw(), STEP)
    this.#draw()
  }

  /** The current moment, in seconds from the beginning. */
  get #moment() {
    const { isPlaying, time, position, length } = this.#context.session.playback
    const gone = isPlaying ? this.#context.time.serverNow() - time : 0
    return Math.min(length, Math.max(0, position + gone))
  }

  #draw() {
    const { length } = this.#context.session.playback
    const moment = this.#held ?? this.#moment
    if (this.#held === null) this.#slider.value = String(moment)
    const share = length > 0 ? moment / length : 0
    this.#slider.style.setProperty('--share', `${(100 * share).toFixed(2)}%`)
    const isEnd = this.#held === null && isOver(this.#context.session.playback)
    this.#time.textContent = isEnd ? WORDS.playback.end : WORDS.playback.place(timeWords(moment), timeWords(length))
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

/** Creates the controls of this module. */
export const controls = (context) => new Playback(context)
