/** The strip at the foot, and the ribbon of a presenter who is on another page. */

import { CROSS, icon, iconButton, make, printed } from '../dom.js'
import { ROLE } from '../wire.js'
import { WORDS } from '../words/together.js'
import { did, hand } from './acting.js'
import { news, strip } from './status.js'

const AWHILE = 6000; // ms for which a change is announced
const ARROW = 'M5 12h13M13 7l5 5-5 5'
const LEAST_ROOM = 44; // CSS px beside the book that a ribbon needs
const WITH_NAME = 116;

export class Strip {
  #context
  #root
  #words = make('span', { class: 'said' })
  #acts = make('span', { class: 'acts' })
  #away
  #ribbon
  /** The content of the strip as text; the strip is rebuilt only when it differs. */
  #shown = ''
  /** The kind of strip that the reader has closed. */
  #putAway = ''
  #before = null
  #told = null
  #timer = 0

  constructor(context) {
    this.#context = context
    this.#away = iconButton(WORDS.strip.putAway, CROSS, () => this.#put())
    this.#root = make('section', { id: 'strip', class: 'slip', hidden: true, 'aria-label': WORDS.strip.label },
      this.#words, this.#acts, this.#away)
    this.#ribbon = make('button', { type: 'button', id: 'peek', hidden: true, onclick: () => hand(context, 'catchUp') },
      make('span', {}, make('b')))
    document.getElementById('notice').before(this.#ribbon, this.#root)
    context.actions.watch(() => this.#see())
    addEventListener('resize', () => this.#hang())
  }

  #see() {
    const { me, role, room, people } = this.#context.session
    if (!people || !room || !role) return
    const copies = new Map([...people].map(([id, person]) => [id, { ...person }]))
    const { name } = copies.get(room.presenter) ?? {}
    const holder = name === undefined ? this.#before?.holder : { id: room.presenter, name }
    const now = { me, role, room, people: copies, holder }
    const told = news(this.#before, now, did)
    if (this.#before?.room.presenter !== room.presenter) this.#told = null
    this.#before = now
    if (told !== null) this.#tell(told)
    this.#print()
    this.#hang()
  }

  #tell(words) {
    clearTimeout(this.#timer)
    this.#told = { kind: 'told', words, acts: [], isPutAway: true }
    this.#timer = setTimeout(() => {
      this.#told = null
      this.#print()
    }, AWHILE)
  }

  /** The strip for the current state of the room, or null. */
  get #lasting() {
    const { session, view } = this.#context
    return strip({ ...session, caption: view.caption })
  }

  #print() {
    const lasting = this.#lasting
    if (this.#putAway !== '' && this.#putAway !== lasting?.kind) this.#putAway = ''
    const now = this.#told ?? (lasting?.kind === this.#putAway ? null : lasting)
    const shown = now === null ? '' : JSON.stringify(now)
    if (shown === this.#shown) return
    const isNew = now !== null && this.#root.hidden
    this.#shown = shown
    const had = this.#root.contains(document.activeElement) && document.activeElement.textContent
    this.#root.hidden = now === null
    this.#root.classList.toggle('comes', isNew)
    document.body.classList.toggle('stripped', now !== null)
    if (now === null) return
    this.#words.replaceChildren(...printed(now.words))
    document.getElementById('live').textContent = this.#words.textContent
    this.#acts.replaceChildren(...now.acts.map(({ act, words, points }, n) => {
      const button = make('button', {
        type: 'button', class: n === 0 ? 'key' : 'plain', text: words,
        onclick: () => hand(this.#context, act, now.member),
      })
      if (points) button.append(icon(ARROW))
      return button
    }))
    this.#away.hidden = !now.isPutAway
    if (had) [...this.#acts.children].find(({ textContent }) => textContent === had)?.focus()
  }

  #put() {
    if (this.#told !== null) this.#told = null
    else this.#putAway = this.#lasting?.kind ?? ''
    this.#print()
    document.getElementById('table').focus({ preventScroll: true })
  }

  /** Shows the presenter's ribbon at the fore-edge, on the side of the presenter's page. */
  #hang() {
    const { context, ribbon, side, box } = this.#measured()
    const presenter = context.session.people?.get(context.session.room?.presenter)
    ribbon.hidden = box === null || !presenter || presenter.id === context.session.me
    if (ribbon.hidden) return
    const room = side === 'left' ? box.left : innerWidth - box.right
    ribbon.hidden = room < LEAST_ROOM
    ribbon.className = `${side}${room < WITH_NAME ? ' slim' : ''}`
    const { label, position } = context.session.place
    ribbon.firstChild.firstChild.textContent = WORDS.strip.ribbon(presenter.name, label)
    ribbon.setAttribute('aria-label', WORDS.strip.goTo(presenter.name, position))
    const { style } = ribbon
    style.top = `${box.top + .2 * box.height}px`
    style.left = side === 'right' ? `${box.right}px` : ''
    style.right = side === 'left' ? `${innerWidth - box.left}px` : ''
    style.maxWidth = `${room - 8}px`
  }

  #measured() {
    const context = this.#context
    const { role, place } = context.session
    const { caption } = context.view
    const away = { context, ribbon: this.#ribbon, side: 'right', box: null }
    const isApart = role?.role === ROLE.wanderer && !role.rights.catchesUp && caption.book !== '' &&
      place?.book === caption.book && place.page !== caption.page
    const boards = isApart ? document.querySelectorAll('.binding>canvas') : []
    const boxes = [...boards].map((board) => board.getBoundingClientRect()).filter(({ width }) => width > 0)
    if (boxes.length === 0) return away
    const left = Math.min(...boxes.map((box) => box.left))
    const right = Math.max(...boxes.map((box) => box.right))
    const top = Math.min(...boxes.map((box) => box.top))
    const height = Math.max(...boxes.map((box) => box.bottom)) - top
    const isReversed = document.body.classList.contains('reversed')
    const side = (place.page > caption.page) === isReversed ? 'left' : 'right'
    return { ...away, side, box: { left, right, top, height } }
  }
}
