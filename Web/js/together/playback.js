/** The strip that plays a recording: pause, play, and a slider to any moment. */

import { app, session, watch } from '../app.js'
import { CROSS, iconButton, make, name } from '../dom.js'
import { WORDS } from '../words/together.js'
import { encodePlay } from './wire.js'
import { timeWords } from './status.js'

const PAUSE = 'M9 5.500v13M15 5.500v13'
const PLAY = 'M8 5.500v13l10.500-6.500Z'
const STEP = 250; // ms between two updates of the time

/** Whether a playback has reached its end. */
const isOver = ({ isPlaying, position, length }) => !isPlaying && position >= length

export default class Playback {
  #title = make('em')
  #go = iconButton(WORDS.playback.pause, PAUSE, () => this.#send(session.playback.isPlaying ? 'pause' : 'play'))
  #slider = make('input', {
    type: 'range', min: '0', step: 'any', 'aria-label': WORDS.playback.moment,
    oninput: () => this.#hold(), onchange: () => this.#seek(),
  })
  #time = make('span', { class: 'time' })
  #close = iconButton(WORDS.playback.putAway, CROSS, () => this.#send('close'))
  #root = make('section', { id: 'playback', class: 'slip', 'aria-label': WORDS.playback.recording, hidden: true },
    this.#go, this.#title, this.#slider, this.#time, this.#close)
  #timer = 0
  #held = null

  constructor() {
    document.getElementById('notice').before(this.#root)
    watch(() => this.#see())
  }

  #send(act, seconds = null) { app.send(encodePlay(act, seconds)); }

  #see() {
    const { playback } = session
    this.#root.hidden = playback === null
    document.body.classList.toggle('playing', playback !== null)
    clearInterval(this.#timer)
    this.#timer = 0
    if (playback === null) return
    const { isPlaying, title, length } = playback
    const maySteer = session.role.rights.mayPlay
    this.#title.textContent = title
    this.#slider.max = String(length)
    for (const control of [this.#go, this.#slider]) control.disabled = !maySteer
    this.#close.hidden = !maySteer
    const { pause, play, again } = WORDS.playback
    const words = isPlaying ? pause : isOver(playback) ? again : play
    name(this.#go, words, '', isPlaying ? PAUSE : PLAY)
    if (isPlaying) this.#timer = setInterval(() => this.#draw(), STEP)
    this.#draw()
  }

  /** The current moment, in seconds from the beginning. */
  get #moment() {
    const { isPlaying, time, position, length } = session.playback
    const gone = isPlaying ? app.clock.serverTime(performance.now()) - time : 0
    return Math.min(length, Math.max(0, position + gone))
  }

  #draw() {
    const { length } = session.playback
    const moment = this.#held ?? this.#moment
    if (this.#held === null) this.#slider.value = String(moment)
    const share = length > 0 ? moment / length : 0
    this.#slider.style.setProperty('--share', `${(100 * share).toFixed(2)}%`)
    const isEnd = this.#held === null && isOver(session.playback)
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
