/** The sheet that shares the reading by link and code, with the host's settings of the room on its back. */

import { ask, credentials } from '../api.js'
import { app, session, watch } from '../app.js'
import { make, style, wordButton } from '../dom.js'
import { ROOT, at, here } from '../root.js'
import { Sheet } from '../sheet.js'
import { ROLE } from '../wire.js'
import { WORDS as TEXTS } from '../words/together.js'
import { linkTo, linkWith, roomOf, short } from './links.js'
import { copy, switchLine, twice } from './sheetparts.js'
import { rememberPolicy, rememberedPolicy, turnsQuestion } from './turns.js'
import { POLICY, encodeEndReading, encodeRecord, encodeRenewLinks, encodeSettings, encodeShare } from './wire.js'

const BEFORE = 5; // seconds before a code expires at which a new one is requested
const LONGEST = 86400; // seconds, the longest wait of the timer
const PATIENCE = 1000; // ms until the sheet opens without an answer
const WORDS = TEXTS.share

await style('together')

export default class Share {
  #sheet = null
  #address = { base: location.origin + ROOT, reach: 'network' }
  #links = null
  #link = ''
  #drawn = ''
  #timer = 0
  /** Called when the links are known. */
  #onLinks = () => {}
  #picture = make('div', { class: 'qr' })
  #code = make('p', { class: 'code' })
  #where = make('p', { class: 'aside' })
  #field = make('input', { class: 'link', readonly: true, 'aria-label': WORDS.link })
  #copy = wordButton(WORDS.copyLink, 'key', () => { if (this.#link) copy(this.#link, this.#copy); })
  #reach = make('p', { class: 'reach', hidden: true },
    ...WORDS.thisMachine.map((part) => (part.name ? make('span', { text: part.name }) : part)))
  #anyone = switchLine(WORDS.anyone, () =>
    this.#set({ policy: this.#anyone.isOn ? POLICY.hostLeads : POLICY.anyoneTurns }))
  #passed = switchLine(WORDS.passed, () =>
    this.#set({ policy: this.#passed.isOn ? POLICY.hostLeads : POLICY.passTheBook }))
  #turns = turnsQuestion((policy) => this.#set({ policy }))
  /** Whether the sheet asks who turns, in place of the two switches about that. */
  #asks = false
  #lock = switchLine(WORDS.locked, () => this.#set({ isLocked: !this.#lock.isOn }))
  #wander = switchLine(WORDS.wander, () => this.#set({ mayWander: !this.#wander.isOn }))
  #shelf = switchLine(WORDS.shelf, () => this.#set({ sharesShelf: !this.#shelf.isOn }))
  #record = switchLine(WORDS.record, () => app.send(encodeRecord(!this.#record.isOn)))
  #lead = wordButton(WORDS.lead, 'plain', () =>
    copy(this.#linkOf('present'), this.#lead))
  #short = wordButton(WORDS.short, 'plain', () =>
    copy(linkWith(this.#address.base, this.#links?.code), this.#short))
  #said = make('p', { class: 'saying', role: 'status' })
  #plate
  #room

  constructor() {
    this.#passed.root.classList.add('quiet')
    this.#field.addEventListener('copy', (event) => {
      event.preventDefault()
      event.clipboardData.setData('text/plain', this.#link)
    })
    this.#field.addEventListener('focus', () => this.#field.select())
    this.#plate = make('div', {}, this.#picture, this.#code, this.#where,
      make('div', { class: 'row give' }, this.#field, this.#copy), this.#reach,
      this.#turns.root, this.#anyone.root, this.#passed.root, wordButton(WORDS.more, 'plain', () => this.#turn(true)))
    this.#room = make('div', { class: 'room', hidden: true },
      this.#lock.root, this.#wander.root, this.#shelf.root, this.#record.root,
      make('div', { class: 'affairs' }, this.#lead, this.#short,
        twice(WORDS.renew, WORDS.sureToRenew, WORDS.renew, () => this.#renew()),
        twice(WORDS.end, WORDS.sureToEnd, WORDS.endIt, () => this.#end()),
        wordButton(WORDS.back, 'plain', () => this.#turn(false))), this.#said)
    watch(() => this.#see())
  }

  async show() {
    this.#sheet = new Sheet(WORDS.title, {
      subtitle: this.#invitation, fills: true, onClose: () => this.#closed(),
    })
    this.#sheet.root.classList.add('share')
    this.#sheet.body.append(this.#plate, this.#room)
    const sheet = this.#sheet
    const { room } = session
    const isNew = !room?.isShared
    const chosen = rememberedPolicy()
    this.#asks = isNew && chosen === null
    app.send(encodeShare())
    if (isNew && chosen !== null && chosen !== room?.policy) this.#set({ policy: chosen })
    // Address and links decide what the sheet shows, so they come first: nothing in it moves under a finger.
    const linked = new Promise((resolve) => { this.#onLinks = resolve; })
    const signal = AbortSignal.timeout(PATIENCE)
    signal.addEventListener('abort', this.#onLinks)
    this.#see()
    try {
      const address = await ask('/api/address', { signal })
      // The server may not know of the HTTPS that a proxy gives it.
      if (location.protocol !== 'https:' || address.base.startsWith('https:')) this.#address = address
    } catch {
      // The address of this page is used instead.
    }
    await linked
    if (sheet !== this.#sheet) return
    this.#see()
    this.#turn(false)
    await sheet.open(this.#copy)
  }

  /** The destination of the link: this page, or the shared book that this host has left. */
  get #invitation() {
    const { role, place } = session
    const isThere = session.isBook && session.book === place?.book
    if (role?.role !== ROLE.wanderer || !place || isThere) {
      return WORDS.here
    }
    return place.title ? WORDS.book(place.title) : WORDS.sharedBook
  }

  #closed() {
    clearTimeout(this.#timer)
    this.#sheet = null
    if (this.#asks) rememberPolicy(session.room?.policy)
    this.#asks = false
  }

  /** Turns the sheet over; its back holds the settings of the room. */
  #turn(isBack) {
    this.#plate.hidden = isBack
    this.#room.hidden = !isBack
    this.#said.textContent = ''
    // What is shown is decided here, since it would push away what is below it.
    this.#picture.classList.toggle('none', this.#links !== null && this.#link === '')
    this.#turns.root.hidden = !this.#asks
    this.#anyone.root.hidden = this.#passed.root.hidden = this.#asks
    this.#reach.hidden = this.#address.reach !== 'machine'
    this.#lead.hidden = this.#linkOf('present') === ''
    this.#short.hidden = !this.#links?.code
    const { heading, subtitle } = this.#sheet
    heading.textContent = isBack ? WORDS.room : WORDS.title
    subtitle.hidden = isBack
    if (this.#sheet.isOpen) (isBack ? this.#lock.root : this.#copy).focus()
  }

  #set(change) {
    app.send(encodeSettings({ ...session.room, ...change }))
  }

  #renew() {
    app.send(encodeRenewLinks())
    this.#said.textContent = WORDS.renewed
  }

  #end() {
    app.send(encodeEndReading())
    this.#sheet.close()
  }

  #linkOf(grant) { return linkTo(this.#address.base, roomOf(here()), session.links?.[grant]); }

  #see() {
    const { links, room } = session
    if (this.#sheet === null || !room) return
    if (links && links !== this.#links) this.#renewCode(links.codeSeconds)
    this.#links = links
    if (links) this.#onLinks()
    const { policy } = room
    this.#turns.policy = policy
    this.#anyone.isOn = policy === POLICY.anyoneTurns
    this.#passed.isOn = policy === POLICY.passTheBook
    this.#passed.root.disabled = policy === POLICY.anyoneTurns
    this.#lock.isOn = room.isLocked
    this.#wander.isOn = room.mayWander
    this.#shelf.isOn = room.sharesShelf
    this.#record.isOn = room.isRecorded
    this.#print()
  }

  #print() {
    const { base } = this.#address
    const { code = '' } = this.#links ?? {}
    this.#code.replaceChildren(...[...code].map((letter) => make('b', { text: letter })))
    this.#code.setAttribute('aria-label', WORDS.code([...code]))
    this.#code.setAttribute('role', 'img')
    const minutes = Math.max(1, Math.round((this.#links?.codeSeconds ?? 0) / 60))
    this.#where.textContent = WORDS.where(short(base), minutes)
    this.#link = this.#linkOf('follow')
    const isKnown = this.#link !== ''
    const shown = isKnown ? short(this.#link) : (this.#links && WORDS.otherWindow) || ''
    if (this.#field.value !== shown) this.#field.value = shown
    this.#field.scrollLeft = 0
    if (isKnown && this.#drawn !== this.#link) this.#draw(this.#link)
  }

  async #draw(link) {
    this.#drawn = link
    try {
      const answer = await fetch(at('/api/qr'), {
        method: 'POST', body: link, headers: { ...credentials(), 'Content-Type': 'text/plain' },
      })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      const picture = make('img', { alt: WORDS.picture })
      picture.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`
      if (this.#drawn === link) this.#picture.replaceChildren(picture)
    } catch (error) {
      console.warn(error)
      this.#drawn = ''
      this.#picture.replaceChildren()
    }
  }

  /** Requests a new code before this one expires, while the sheet is open. */
  #renewCode(seconds) {
    clearTimeout(this.#timer)
    if (!(seconds > 0)) return
    const wait = Math.min(LONGEST, Math.max(BEFORE, seconds - BEFORE))
    this.#timer = setTimeout(() => app.send(encodeShare()), 1000 * wait)
  }
}
