/** The texts about members and the actions of this member, as plain data. */

import { ROLE, SCREEN } from '../wire.js'
import { WORDS } from '../words/together.js'

export const MOST_SHOWN = 5; // members in the bar

/** The initial of a name. */
export function initial(name) {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (first?.segment ?? WORDS.people.noInitial).toLocaleUpperCase()
}

/** A time as minutes and seconds, with hours if there are any. */
export function timeWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (number) => String(number).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

const IN_STEP = .1; // seconds, below which two screens seem to move together

/** How well a member keeps time, as the text of an element, with figures as its title; empty before it is known. */
export function timing(sync) {
  const { inStep, behind, inTime } = WORDS.facts
  const ms = (seconds) => Math.max(1, Math.round(1000 * seconds))
  return {
    textContent: sync ? sync.error < IN_STEP ? inStep : behind : '',
    title: sync ? inTime(ms(sync.error), ms(sync.roundTrip)) : '',
  }
}

/** The members in the bar, which always include the presenter and this member, and the number of the others. */
export function shown(people, { presenter, me }, most = MOST_SHOWN) {
  // A reader is shown once, and a further window only if the others need to know of it.
  const all = [...people.values()].filter(({ id, isAgain }) => !isAgain || id === presenter || id === me)
  if (all.length <= most) return { some: all, more: 0 }
  const first = all.filter(({ id }) => id === presenter || id === me)
  const chosen = [...new Set([...first, ...all])].slice(0, Math.max(most, first.length))
  const some = all.filter((person) => chosen.includes(person))
  return { some, more: all.length - some.length }
}

/** The number of readers: a person is one, whatever the number of windows. */
export const readers = (people) => [...people.values()].filter(({ isAgain }) => !isAgain).length

/** A text for the other members about who turns the pages. */
export const turning = ({ role, room, people, me }) => (room.presenter === me || role.role === ROLE.wanderer ? ''
  : WORDS.turning[room.turner]?.(people.get(room.presenter)?.name ?? '') ?? '')

/** This member's action for the book in the bar: {act, words}, or null. */
export const bookAct = ({ role: { bookAct: act } }) => (act === 'none' ? null : { act, words: WORDS.bookActs[act] })

/** The state of a member as a list of texts. */
export function facts(person, { room, me }) {
  const { id, role, isHost, isAway, isHidden, isRaised, asks, isOffered, isChoosing, isAgain, lags } = person
  const words = WORDS.facts
  return [
    id === room.presenter && !room.isPlayback && words.holds,
    isAgain && words.again,
    isHost && words.host,
    !isHost && role === ROLE.copresenter && words.mayLead,
    isChoosing ? words.choosing : role === ROLE.wanderer && words.elsewhere,
    isRaised && words.raised,
    asks && words.asks,
    isOffered && words.offered,
    id !== me && (isAway ? words.away : isHidden && words.hidden),
    lags && !isAway && words.slow,
  ].filter(Boolean)
}

/** This member's actions for another one, as a list of {act, words}: what both the member and this one allow. */
export const acts = (person, { role, me }) => (person.id === me ? [] : Object.keys(role.acts)
  .filter((act) => role.acts[act] && person.acts[act]).map((act) => ({ act, words: WORDS.guests[act] })))

/**
 * The strip at the foot, or null: its text, in which {name} is a name, and its buttons, of which the first is the
 * main one.
 * @param known the session and the caption
 */
export function strip({ me, role: { prompt }, room, people, place, caption }) {
  const words = WORDS.strip
  const presenter = people.get(room.presenter)
  const other = people.get(prompt.member)
  switch (prompt.kind) {
    case 'offered': return {
      kind: 'offered', words: presenter ? words.handsYou(presenter.name) : words.hostHandsYou,
      acts: [{ act: 'accept', words: words.takeIt }, { act: 'decline', words: WORDS.notNow }],
    }
    case 'asked': return other ? {
      kind: `asked ${other.id}`, member: other.id, words: words.asks(other.name),
      acts: [{ act: 'offer', words: words.handOver }, { act: 'refuse', words: WORDS.notNow }],
    } : null
    case 'choosing': return other ? {
      kind: `chooses ${other.id}`, acts: [], isPutAway: true,
      words: caption.title ? words.choosingWhileYouStay(other.name, caption.title) : words.choosing(other.name),
    } : null
    case 'outside':
      if (place && (caption.screen !== SCREEN.book || caption.book !== place.book)) {
        return outside({ me, presenter, people, place, caption })
      }
      if (caption.page === place?.page) return null
    // A host in the shared book has only wandered.
    case 'wandered': return {
      kind: 'wandered', words: wandered({ me, presenter, place, caption }),
      acts: [{ act: 'catchUp', words: WORDS.bookActs.catchUp, points: true }], isPutAway: true,
    }
    default: return null
  }
}

/** The strip of a host who has left the shared book and may bring the others along. */
function outside({ me, presenter, people, place, caption }) {
  const words = WORDS.strip
  const book = place.title || WORDS.sharedBook
  const isAlone = people.size < 2
  const back = { act: 'catchUp', words: isAlone ? words.backToIt : words.backToOthers }
  if (caption.screen !== SCREEN.book) {
    const said = isAlone ? words.linkOpens(book) : words.choose(book)
    return { kind: 'choosing', words: said, acts: [back], isPutAway: true }
  }
  const bring = { act: 'bring', words: isAlone ? words.shareInstead : words.bring }
  if (people.get(me)?.isChoosing) {
    return {
      kind: `bring ${caption.book}`,
      words: isAlone ? words.linkStillOpens(book) : words.stay(book),
      acts: [bring, { act: 'alone', words: isAlone ? WORDS.notNow : words.readAlone }],
    }
  }
  if (isAlone) return null
  const isOther = presenter && presenter.id !== me
  return {
    kind: 'alone', isPutAway: true, acts: [{ ...back, points: true }, bring],
    words: isOther ? words.alone(presenter.name, place.position, book) : words.aloneFromOthers(place.position, book),
  }
}

function wandered({ me, presenter, place, caption }) {
  const words = WORDS.wandered
  const isReading = caption.position !== '' && caption.screen === SCREEN.book
  const own = isReading ? words.to(caption.position) : words.off
  if (!place) return [own]
  const isOther = presenter && presenter.id !== me && !presenter.isChoosing
  const say = (one, all) => [own, ' ', ...isOther ? one(presenter.name) : all]
  if (place.book === '') return say(words.atShelf, words.othersAtShelf)
  if (isReading && place.book !== caption.book) return say(words.inOtherBook, words.othersInOtherBook)
  return say((name) => words.onPages(name, place.position), words.othersOnPages(place.position))
}
