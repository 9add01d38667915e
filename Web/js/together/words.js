/** What is said of people who read together, and what one may do at the moment. Nothing of the page. */

import { ROLE, SCREEN } from '../wire.js'
import { POLICY } from './wire.js'

export const MOST_SHOWN = 5; // people in the bar

/** The letter that stands for a name. */
export function initial(name) {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (first?.segment ?? '·').toLocaleUpperCase()
}

/** "1 thing", "2 things"; small numbers as words. */
export function counted(count, one, many = `${one}s`) {
  const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']
  return `${words[count] ?? count} ${count === 1 ? one : many}`
}

/** A page of a book as one speaks of it, by what it is called; where none is open that is its cover. */
export const pageWords = (label) => (label === '' ? 'the cover' : `page ${label}`)

/** Minutes and seconds, with hours where there are any. */
export function timeWords(seconds) {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (number) => String(number).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** How well somebody keeps time; nothing while it was not measured. */
export function syncWords(sync) {
  if (!sync) return ''
  const ms = (seconds) => `${Math.max(1, Math.round(1000 * seconds))}\u00a0ms`
  return `in time within ${ms(sync.error)}, round trip ${ms(sync.roundTrip)}`
}

/** The people in the bar, and how many more there are: who has the book and oneself are never left out. */
export function shown(people, { presenter, me }, most = MOST_SHOWN) {
  const all = [...people.values()]
  if (all.length <= most) return { some: all, more: 0 }
  const first = all.filter(({ id }) => id === presenter || id === me)
  const chosen = [...new Set([...first, ...all])].slice(0, Math.max(most, first.length))
  const some = all.filter((person) => chosen.includes(person))
  return { some, more: all.length - some.length }
}

/** Who turns the pages, for those who do not; where anyone may, while somebody does. */
export function turning({ role, room, people, me }) {
  const presenter = people.get(room.presenter)
  if (people.size < 2 || room.isPlayback || room.presenter === me || role.role === ROLE.wanderer) return ''
  if (room.policy === POLICY.anyoneTurns && !(presenter && room.isHeld)) return 'Anyone may turn the page'
  if (presenter?.isChoosing) return `${presenter.name} is choosing a book`
  if (!presenter) return 'Nobody has the book'
  if (room.isPresenterAway || presenter.isAway) return `${presenter.name} is away for a moment`
  return `${presenter.name} is turning the pages`
}

/** What one may do about the book from the bar: {act, words}, or null. */
export function wish({ role: { role, rights }, room, people, me }) {
  const isFree = room.policy === POLICY.anyoneTurns && rights.mayTurn
  if (people.size < 2 || room.isPlayback) return null
  if (role === ROLE.wanderer) return rights.catchesUp ? null : { act: 'catchUp', words: 'Catch up' }
  if (room.presenter === me || isFree) return null
  if (rights.mayTake) {
    return { act: 'take', words: rights.isHost && room.presenter !== 0 ? 'Take the book back' : 'Take the book' }
  }
  if (people.get(me)?.asks) return { act: 'withdraw', words: 'Asked' }
  return rights.mayAsk ? { act: 'ask', words: 'Ask for the book' } : null
}

/** Whether one may lead a recording that is played: whoever could turn the pages, and hosts. */
export const steers = ({ role: { role, rights }, room }) =>
  rights.isHost || role === ROLE.presenter || room.policy === POLICY.anyoneTurns

/** What somebody is and does, as a list of words. */
export function facts(person, { room, me }) {
  const { id, role, isHost, isAway, isHidden, isRaised, asks, isOffered, isChoosing, lags } = person
  return [
    id === room.presenter && !room.isPlayback && 'has the book',
    isHost && 'host',
    !isHost && role === ROLE.copresenter && 'may lead',
    isChoosing ? 'is choosing a book' : role === ROLE.wanderer && 'reads elsewhere',
    isRaised && 'hand raised',
    asks && 'would like the book',
    isOffered && 'is offered the book',
    id !== me && (isAway ? 'away' : isHidden && 'looks elsewhere'),
    lags && !isAway && 'on a slow line',
  ].filter(Boolean)
}

/** What one may do with somebody else: {act, words}. */
export function acts(person, { role: { rights }, room, me }) {
  if (person.id === me || room.isPlayback) return []
  const isPassed = room.policy !== POLICY.anyoneTurns
  const mayGive = isPassed && (rights.isHost || room.presenter === me) && person.id !== room.presenter
  const given = !rights.isHost || person.isHost ? [] : [
    isPassed && person.role !== ROLE.copresenter && { act: 'lead', words: 'May lead' },
    isPassed && person.role !== ROLE.follower && { act: 'follow', words: 'Only follows' },
    { act: 'out', words: 'Show out' },
  ]
  const gives = mayGive && !person.isOffered && !person.isAway
  return [
    gives && { act: 'offer', words: 'Give the book' },
    rights.isHost && person.isRaised && { act: 'lower', words: 'Lower hand' },
    ...given,
  ].filter(Boolean)
}

/**
 * The strip of paper at the foot, or null: its words, in which {name} is a name, and its buttons, of which
 * the first is the one that matters.
 * @param desk what is known; title is that of the shared book, where it was seen
 */
export function strip({ me, role: { role, rights }, room, people, place, caption, title = '' }) {
  if (room.isPlayback) return null
  const presenter = people.get(room.presenter)
  if (rights.isOffered) {
    return {
      kind: 'offered', words: [presenter ? { name: presenter.name } : 'The host', ' hands you the book.'],
      acts: [{ act: 'accept', words: 'Take it' }, { act: 'decline', words: 'Not now' }],
    }
  }
  const asking = [...people.values()].find(({ asks, id }) => asks && id !== me)
  if (asking && (room.presenter === me || (rights.isHost && !presenter))) {
    return {
      kind: `asked ${asking.id}`, member: asking.id, words: [{ name: asking.name }, ' would like the book.'],
      acts: [{ act: 'offer', words: 'Hand it over' }, { act: 'refuse', words: 'Not now' }],
    }
  }
  if (role === ROLE.wanderer && rights.catchesUp) return null
  if (role === ROLE.wanderer && rights.isHost && room.isShared) {
    const isApart = place && (caption.screen !== SCREEN.book || caption.book !== place.book)
    if (isApart) return outside({ me, presenter, people, place, caption, title })
    if (caption.page === place?.page) return null
  }
  if (role !== ROLE.wanderer) return choosing({ me, people, caption })
  return {
    kind: 'wandered', words: wandered({ me, presenter, place, caption }),
    acts: [{ act: 'catchUp', words: 'Catch up', points: true }], isPutAway: true,
  }
}

/** A host who has left the shared book is told what the others do, and may bring them along. */
function outside({ me, presenter, people, place, caption, title }) {
  const book = title ? { name: title } : 'the shared book'
  const isAlone = people.size < 2
  const back = { act: 'catchUp', words: isAlone ? 'Back to it' : 'Back to the others' }
  if (caption.screen !== SCREEN.book) {
    const words = isAlone ? ['Your link opens ', book, '.'] : ['Choose a book. The others stay with ', book, '.']
    return { kind: 'choosing', words, acts: [back], isPutAway: true }
  }
  const bring = { act: 'bring', words: isAlone ? 'Share this book instead' : 'Bring everyone here' }
  if (people.get(me)?.isChoosing) {
    return {
      kind: `bring ${caption.book}`,
      words: isAlone ? ['Your link still opens ', book, '.'] : ['The others stay with ', book, '.'],
      acts: [bring, { act: 'alone', words: isAlone ? 'Not now' : 'Read alone' }],
    }
  }
  if (isAlone) return null
  const isOther = presenter && presenter.id !== me
  const who = isOther ? { name: presenter.name } : 'The others'
  return {
    kind: 'alone', isPutAway: true, acts: [{ ...back, points: true }, bring],
    words: ['You read alone. ', who, ` ${isOther ? 'is' : 'are'} on ${pageWords(place.label)} of `, book, '.'],
  }
}

/** Those who stay with the shared book are told that a host has left it to choose another. */
function choosing({ me, people, caption }) {
  const host = [...people.values()].find(({ id, isChoosing, isAway }) => isChoosing && !isAway && id !== me)
  if (!host) return null
  const stays = caption.title ? [' You stay with ', { name: caption.title }, '.'] : []
  return {
    kind: `chooses ${host.id}`, words: [{ name: host.name }, ' is choosing a book.', ...stays], acts: [],
    isPutAway: true,
  }
}

function wandered({ me, presenter, place, caption }) {
  const isReading = caption.book !== '' && caption.screen === SCREEN.book
  const own = isReading ? `You have wandered to ${pageWords(caption.label)}. ` : 'You have wandered off. '
  const isOther = presenter && presenter.id !== me && !presenter.isChoosing
  const who = isOther ? { name: presenter.name } : 'The others'
  const is = isOther ? 'is' : 'are'
  if (!place) return [own]
  if (place.book === '') return [own, who, ` ${is} at the shelf.`]
  if (isReading && place.book !== caption.book) return [own, who, ` ${is} in another book.`]
  return [own, who, ` ${is} on ${pageWords(place.label)}.`]
}

/**
 * What a change says for a moment, as words of a strip, or null.
 * @param before what was: {me, role, room, people, holder: who had the book last, {id, name}}; null at first
 * @param did tells whether a change is of the reader's own doing
 */
export function news(before, { me, role, room, people }, did = () => false) {
  if (before === null || before.me !== me) return room.isRecorded ? ['This reading is recorded.'] : null
  const { holder } = before
  const isMine = room.presenter === me
  if (isMine && before.room.presenter !== me && !did('take') && holder && holder.id !== me) {
    const last = people.get(holder.id)
    if (!last || last.isAway) return [{ name: holder.name }, ' has gone. You hold the book now.']
  }
  if (before.people.get(me)?.asks && !people.get(me)?.asks && !did('withdraw') && !isMine && !role.rights.isOffered) {
    const name = people.get(room.presenter)?.name
    if (name) return [{ name }, ' keeps the book for now.']
  }
  const declined = [...people.values()].find(({ id, isOffered }) => before.people.get(id)?.isOffered && !isOffered)
  if (isMine && before.room.presenter === me && declined) return [{ name: declined.name }, ' leaves the book with you.']
  const raising = [...people.values()].find(({ id, isRaised }) =>
    isRaised && !before.people.get(id)?.isRaised && id !== me)
  if (raising && (isMine || role.rights.isHost)) return [{ name: raising.name }, ' raises a hand.']
  if (room.isRecorded === before.room.isRecorded) return null
  return [room.isRecorded ? 'This reading is recorded.' : 'The recording has ended.']
}
