/** The members in the bar: initials, the one who turns the pages, and this member's options to change that. */

import { icon, iconButton, make, name } from '../dom.js'
import { SCREEN } from '../wire.js'
import { WORDS } from '../words/together.js'
import { hand } from './acting.js'
import { encodeRaise } from './wire.js'
import { bookAct, initial, readers, shown, turning } from './status.js'

const PALM = 'M8 13V6.5a1.3 1.3 0 0 1 2.6 0V11V5a1.3 1.3 0 0 1 2.6 0v6V5.8a1.3 1.3 0 0 1 2.6 0V12V8.3' +
  'a1.3 1.3 0 0 1 2.6 0V14c0 3.8-2.3 6.5-5.7 6.5-2.7 0-4-1.2-5.3-3.6L5 13.5c-.7-1.3.9-2.6 2-1.5l1 1.2'
const MOST_ON_PHONE = 3
const MOST_BESIDE_OTHERS = 2; // discs on a phone, where the bar of a shelf also has buttons

/** A member as a disc with an initial, or with a hand if it is raised. */
export function disc({ id, name: words, colour, isRaised, isAway, isHidden }, { room, me }) {
  const holds = id === room.presenter && !room.isPlayback
  const classes = ['disc', holds && 'held', id !== me && (isAway || isHidden) && 'faint']
  return make('b', { class: classes.filter(Boolean).join(' '), 'data-colour': colour },
    isRaised ? icon(PALM) : initial(words))
}

export class People {
  #context
  #root
  #row = make('span', { class: 'row', 'aria-hidden': 'true' })
  #all
  #words = make('span', { class: 'turning' })
  #handover
  #raise
  #narrow = matchMedia('(max-width: 600px)')
  #seen = ''

  /** @param after the part of the bar after which the members are shown; what comes later must not move the rest */
  constructor(context, after) {
    this.#context = context
    this.#all = make('button', {
      type: 'button', id: 'who', onclick: async () => (await context.actions.load('together/guests'))?.show(),
    }, this.#row)
    this.#handover = make('button', { type: 'button', class: 'words', id: 'handover', onclick: () => this.#act() },
      make('span'))
    this.#raise = iconButton(WORDS.people.raise, PALM, () => this.#lift())
    this.#raise.id = 'raise'
    this.#root = make('div', { class: 'people lasting', role: 'group', 'aria-label': WORDS.people.group, hidden: true },
      this.#words, this.#handover, this.#raise, this.#all)
    after.after(this.#root)
    context.actions.watch(() => this.#see())
    this.#narrow.addEventListener('change', () => this.#see())
  }

  #see() {
    const context = this.#context
    const { people, room, role, me } = context.session
    this.#root.hidden = !people || !room || !role || (people.size < 2 && !room.isShared)
    if (this.#root.hidden) return
    const words = turning(context.session)
    this.#draw(words)
    this.#words.textContent = words
    this.#words.classList.toggle('now', room.isHeld)
    const own = bookAct(context.session)
    this.#handover.hidden = own === null
    this.#handover.firstChild.textContent = own?.words ?? ''
    this.#handover.setAttribute('aria-pressed', own?.act === 'withdraw')
    const { isRaised = false } = people.get(me) ?? {}
    this.#raise.hidden = !isRaised && (people.size < 3 || room.presenter === me || room.isPlayback)
    this.#raise.setAttribute('aria-pressed', isRaised)
    const label = isRaised ? WORDS.people.lower : WORDS.people.raise
    if (this.#raise.getAttribute('aria-label') !== label) name(this.#raise, label)
  }

  /** Draws the discs. They are rebuilt only when they differ, so that the button keeps the focus. */
  #draw(words) {
    const { people, room, me } = this.#context.session
    const { caption } = this.#context.view
    const onPhone = caption.screen === SCREEN.book ? MOST_ON_PHONE : MOST_BESIDE_OTHERS
    const most = this.#narrow.matches ? onPhone : undefined
    const holder = room.isPlayback ? 0 : room.presenter
    const { some, more } = shown(people, { presenter: holder, me }, most)
    const seen = JSON.stringify([some, more, holder, room.isRecorded])
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#row.replaceChildren(...some.map((person) => disc(person, this.#context.session)))
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
    const own = bookAct(this.#context.session)
    if (own !== null) hand(this.#context, own.act)
  }

  #lift() {
    const { people, me } = this.#context.session
    this.#context.actions.send(encodeRaise(!people.get(me)?.isRaised))
  }
}
