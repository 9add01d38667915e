/** The strip at the foot, and the ribbon of a presenter who is on another page. */

import { session, watch } from '../app.js'
import { CROSS, icon, iconButton, make, printed } from '../dom.js'
import { ROLE } from '../wire.js'
import { WORDS } from '../words/together.js'
import { hand } from './acting.js'
import { strip } from './status.js'

const AWHILE = 6000; // ms for which a change is announced
const ARROW = 'M5 12h13M13 7l5 5-5 5'
const LEAST_ROOM = 44; // CSS px beside the book that a ribbon needs
const WITH_NAME = 116;

export class Strip {
  #words = make('span', { class: 'said' })
  #acts = make('span', { class: 'acts' })
  #away = iconButton(WORDS.strip.putAway, CROSS, () => this.#put())
  #root = make('section', { id: 'strip', class: 'slip', hidden: true, 'aria-label': WORDS.strip.label },
    this.#words, this.#acts, this.#away)
  #ribbon = make('button', { type: 'button', id: 'peek', hidden: true, onclick: () => hand('catchUp') },
    make('span', {}, make('b')))
  /** The content of the strip as text; the strip is rebuilt only when it differs. */
  #shown = ''
  /** The kind of strip that the reader has closed. */
  #putAway = ''
  #presenter = 0
  #told = null
  /** Whether the page was hidden when it was told. */
  #unseen = false
  #timer = 0

  constructor() {
    document.getElementById('notice').before(this.#ribbon, this.#root)
    watch(() => this.#see())
    watch(() => session.news && this.#tell(session.news), 'news')
    addEventListener('resize', () => this.#hang())
  }

  #see() {
    const { role, room } = session
    if (!room || !role) return
    if (this.#presenter !== room.presenter && !this.#unseen) this.#told = null
    this.#presenter = room.presenter
    this.#print()
    this.#hang()
  }

  /** Announces what others have done; a hidden page does so until it is seen. */
  #tell({ code, values }) {
    if (!Object.hasOwn(WORDS.news, code)) return
    clearInterval(this.#timer)
    this.#unseen = document.hidden
    this.#told = { kind: 'told', words: WORDS.news[code](values.name), acts: [], isPutAway: true }
    this.#print()
    this.#timer = setInterval(() => {
      if (document.hidden) return
      clearInterval(this.#timer)
      this.#told = null
      this.#unseen = false
      this.#print()
    }, AWHILE)
  }

  #print() {
    const lasting = strip(session)
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
        onclick: () => hand(act, now.member),
      })
      if (points) button.append(icon(ARROW))
      return button
    }))
    this.#away.hidden = !now.isPutAway
    if (had) [...this.#acts.children].find(({ textContent }) => textContent === had)?.focus()
  }

  #put() {
    if (this.#told !== null) this.#told = null
    else this.#putAway = strip(session)?.kind ?? ''
    this.#print()
    document.getElementById('table').focus({ preventScroll: true })
  }

  /** Shows the presenter's ribbon at the fore-edge, on the side of the presenter's page. */
  #hang() {
    const ribbon = this.#ribbon
    const { side, box } = this.#measured()
    const presenter = session.people.get(session.room?.presenter)
    ribbon.hidden = box === null || !presenter || presenter.id === session.me
    if (ribbon.hidden) return
    const room = side === 'left' ? box.left : innerWidth - box.right
    ribbon.hidden = room < LEAST_ROOM
    ribbon.className = `${side}${room < WITH_NAME ? ' slim' : ''}`
    const { label, position } = session.place
    ribbon.firstChild.firstChild.textContent = WORDS.strip.ribbon(presenter.name, label)
    ribbon.setAttribute('aria-label', WORDS.strip.goTo(presenter.name, position))
    const { style } = ribbon
    style.top = `${box.top + .2 * box.height}px`
    style.left = side === 'right' ? `${box.right}px` : ''
    style.right = side === 'left' ? `${innerWidth - box.left}px` : ''
    style.maxWidth = `${room - 8}px`
  }

  #measured() {
    const { role, place, caption } = session
    const isApart = role?.role === ROLE.wanderer && !role.rights.catchesUp && caption.book !== '' &&
      place?.book === caption.book && place.page !== caption.page
    const boards = isApart ? document.querySelectorAll('.binding>canvas') : []
    const boxes = [...boards].map((board) => board.getBoundingClientRect()).filter(({ width }) => width > 0)
    if (boxes.length === 0) return { side: 'right', box: null }
    const left = Math.min(...boxes.map((box) => box.left))
    const right = Math.max(...boxes.map((box) => box.right))
    const top = Math.min(...boxes.map((box) => box.top))
    const height = Math.max(...boxes.map((box) => box.bottom)) - top
    const side = (place.page > caption.page) === session.isReversed ? 'left' : 'right'
    return { side, box: { left, right, top, height } }
  }
}
