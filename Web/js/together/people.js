/** The members in the bar: initials, the one who turns the pages, and this member's options to change that. */

import { app, session, watch } from '../app.js'
import { icon, iconButton, make, name, present } from '../dom.js'
import { WORDS } from '../words/together.js'
import { hand } from './acting.js'
import { encodeRaise } from './wire.js'
import { bookAct, initial, readers, shown, turning } from './status.js'

const PALM = 'M8 13V6.5a1.3 1.3 0 0 1 2.6 0V11V5a1.3 1.3 0 0 1 2.6 0v6V5.8a1.3 1.3 0 0 1 2.6 0V12V8.3' +
  'a1.3 1.3 0 0 1 2.6 0V14c0 3.8-2.3 6.5-5.7 6.5-2.7 0-4-1.2-5.3-3.6L5 13.5c-.7-1.3.9-2.6 2-1.5l1 1.2'
const MOST_ON_PHONE = 3
const MOST_BESIDE_OTHERS = 2; // discs on a phone, where the bar of a shelf also has buttons

/** A member as a disc with an initial, or with a hand if it is raised. */
export function disc({ id, name: words, colour, isRaised, isAway, isHidden }) {
  const { room, me } = session
  const holds = id === room.presenter && !room.isPlayback
  const classes = ['disc', holds && 'held', id !== me && (isAway || isHidden) && 'faint']
  return make('b', { class: classes.filter(Boolean).join(' '), 'data-colour': colour },
    isRaised ? icon(PALM) : initial(words))
}

export class People {
  #row = make('span', { class: 'row', 'aria-hidden': 'true' })
  #all = make('button', { type: 'button', id: 'who', onclick: () => present('together/guests') }, this.#row)
  #words = make('span', { class: 'turning' })
  #handover = make('button', { type: 'button', class: 'words', id: 'handover', onclick: () => this.#act() },
    make('span'))
  #raise = iconButton(WORDS.people.raise, PALM, () => this.#lift())
  #root = make('div', { class: 'people lasting', role: 'group', 'aria-label': WORDS.people.group, hidden: true },
    this.#words, this.#handover, this.#raise, this.#all)
  #narrow = matchMedia('(max-width: 600px)')
  #seen = ''

  /** @param after the part of the bar after which the members are shown; what comes later must not move the rest */
  constructor(after) {
    this.#raise.id = 'raise'
    after.after(this.#root)
    watch(() => this.#see())
    this.#narrow.addEventListener('change', () => this.#see())
  }

  #see() {
    const { people, room, role, me } = session
    this.#root.hidden = !people || !room || !role || (people.size < 2 && !room.isShared)
    if (this.#root.hidden) return
    const words = turning(session)
    this.#draw(words)
    this.#words.textContent = words
    this.#words.classList.toggle('now', room.isHeld)
    const own = bookAct(session)
    this.#handover.hidden = own === null
    this.#handover.firstChild.textContent = own?.words ?? ''
    this.#handover.setAttribute('aria-pressed', own?.act === 'withdraw')
    const { isRaised = false } = people.get(me) ?? {}
    this.#raise.hidden = !isRaised && (people.size < 3 || room.presenter === me || room.isPlayback)
    this.#raise.setAttribute('aria-pressed', isRaised)
    const label = isRaised ? WORDS.people.lower : WORDS.people.raise
    name(this.#raise, label)
  }

  /** Draws the discs. They are rebuilt only when they differ, so that the button keeps the focus. */
  #draw(words) {
    const { people, room, me } = session
    const onPhone = session.isBook ? MOST_ON_PHONE : MOST_BESIDE_OTHERS
    const most = this.#narrow.matches ? onPhone : undefined
    const holder = room.isPlayback ? 0 : room.presenter
    const { some, more } = shown(people, { presenter: holder, me }, most)
    const seen = JSON.stringify([some, more, holder, room.isRecorded])
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#row.replaceChildren(...some.map((person) => disc(person)))
      if (more > 0) this.#row.append(make('b', { class: 'more', text: WORDS.people.more(more) }))
      if (room.isRecorded) this.#row.append(make('i', { class: 'recorded', title: WORDS.people.recorded }))
    }
    const raised = [...people.values()].filter(({ isRaised }) => isRaised).map((person) => person.name)
    const said = [
      WORDS.people.readers(readers(people)), words, room.presenter === me && people.size > 1 && WORDS.people.youHold,
      raised.length > 0 && WORDS.people.raised(raised), room.isRecorded && WORDS.people.recorded,
    ]
    this.#all.setAttribute('aria-label', WORDS.people.all(said.filter(Boolean)))
  }

  #act() {
    const own = bookAct(session)
    if (own !== null) hand(own.act)
  }

  #lift() {
    const { people, me } = session
    app.send(encodeRaise(!people.get(me)?.isRaised))
  }
}
