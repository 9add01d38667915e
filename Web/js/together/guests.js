/** The list of all members: what each one is doing, how well it keeps time, and what a host may do. */

import { app, session, watch } from '../app.js'
import { make, present, wordButton } from '../dom.js'
import { Sheet } from '../sheet.js'
import { WORDS } from '../words/together.js'
import { walk } from '../contents.js'
import { hand } from './acting.js'
import { disc } from './people.js'
import { twice } from './sheetparts.js'
import { GRANT, encodeGrant, encodeLowerHand, encodeRaise, encodeShowOut } from './wire.js'
import { acts, bookAct, facts, readers, timing } from './status.js'

export default class Guests {
  #sheet = null
  #list = make('ul', { class: 'entries guests', onkeydown: walk })
  #own = make('div', { class: 'own' })
  /** Member -> its line: {root, seen}. */
  #lines = new Map()
  /** The member whose acts are shown. */
  #open = 0

  constructor() {
    watch(() => this.#see())
  }

  show() {
    this.#sheet = new Sheet(WORDS.guests.title, { fills: true, onClose: () => { this.#sheet = null; } })
    this.#open = 0
    this.#lines.clear()
    this.#list.replaceChildren()
    // The list may become longer, so it is last.
    this.#sheet.body.append(this.#own, this.#list)
    this.#see()
    this.#sheet.open(this.#list.querySelector('button'))
  }

  #see() {
    if (this.#sheet === null) return
    const { people, room } = session
    const { subtitle } = this.#sheet
    const number = WORDS.people.readers(readers(people))
    subtitle.textContent = room.isRecorded ? WORDS.guests.recorded(number) : number
    for (const [id, line] of this.#lines) if (!people.has(id)) this.#leave(line)
    for (const person of people.values()) this.#line(person)
    this.#seeOwn()
  }

  /** The line of a member. It is rebuilt only when it differs, so that it keeps the focus. */
  #line(person) {
    const { me, sync } = session
    const { id } = person
    const isOpen = this.#open === id
    const can = acts(person, session)
    const all = [id === me && WORDS.facts.you, ...facts(person, session)]
    const words = WORDS.facts.all(all.filter(Boolean))
    const seen = JSON.stringify([person, words, can, isOpen, session.room.presenter])
    let line = this.#lines.get(id)
    if (line === undefined) {
      line = { root: make('li'), seen: '', time: make('small') }
      this.#lines.set(id, line)
      this.#list.append(line.root)
    }
    Object.assign(line.time, timing(sync?.get(id)))
    if (line.seen === seen) return
    line.seen = seen
    const had = line.root.contains(document.activeElement)
    const entry = make('button', {
      type: 'button', class: 'entry', onclick: () => this.#press(id),
      'aria-expanded': can.length > 0 && String(isOpen),
    }, disc(person),
    make('span', {}, make('em', { text: person.name }), make('i', { text: words }), line.time))
    if (id === me) entry.append(make('u', { text: WORDS.guests.change }))
    entry.disabled = id !== me && can.length === 0
    line.root.replaceChildren(entry)
    if (isOpen && can.length > 0) line.root.append(this.#acts(person, can))
    if (had) entry.focus()
  }

  /** Keeps the line of a member who has left until the sheet is closed, so that no other one comes under the finger. */
  #leave(line) {
    if (line.seen === '') return
    line.seen = ''
    const entry = line.root.querySelector('.entry')
    const had = line.root.contains(document.activeElement)
    line.root.replaceChildren(entry)
    line.time.textContent = ''
    entry.disabled = true
    entry.removeAttribute('aria-expanded')
    entry.querySelector('.disc').className = 'disc faint'
    entry.querySelector('span i').textContent = WORDS.facts.left
    if (had) this.#list.querySelector('button:enabled')?.focus()
  }

  #press(id) {
    if (id === session.me) return present('together/persona')
    this.#open = this.#open === id ? 0 : id
    this.#see()
  }

  #acts({ id, name }, can) {
    const { send } = app
    const run = {
      offer: () => hand('offer', id),
      lower: () => send(encodeLowerHand(id)),
      lead: () => send(encodeGrant(id, GRANT.present)),
      follow: () => send(encodeGrant(id, GRANT.follow)),
    }
    return make('div', { class: 'row', role: 'group', 'aria-label': name }, ...can.map(({ act, words }) => {
      if (act === 'remove') return twice(words, WORDS.guests.sureToRemove(name), words, () => send(encodeShowOut(id)))
      return wordButton(words, act === 'offer' ? 'line' : 'plain', () => {
        run[act]()
        this.#press(id)
      })
    }))
  }

  /** Shows what this member may do. */
  #seeOwn() {
    const { people, room, me, self } = session
    const { send } = app
    const own = bookAct(session)
    const all = []
    if (own !== null) all.push([own.words, 'line', () => hand(own.act), own.act === 'withdraw'])
    if (session.role.rights.mayLayDown) {
      all.push([WORDS.guests.layDown, 'plain', () => hand('layDown')])
    }
    if (self && people.size > 1 && (room.presenter !== me || self.isRaised)) {
      const words = self.isRaised ? WORDS.people.lower : WORDS.people.raise
      all.push([words, 'plain', () => send(encodeRaise(!self.isRaised))])
    }
    const seen = JSON.stringify(all)
    if (this.#own.dataset.seen === seen) return
    const focus = [...this.#own.children].indexOf(document.activeElement)
    this.#own.dataset.seen = seen
    this.#own.replaceChildren(...all.map(([words, kind, press, isPressed]) => {
      const button = wordButton(words, kind, press)
      if (isPressed !== undefined) button.setAttribute('aria-pressed', isPressed)
      return button
    }))
    if (focus >= 0) (this.#own.children[focus] ?? this.#list.querySelector('button'))?.focus()
  }
}
