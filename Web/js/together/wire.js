/** The messages of reading together, which the first picture does not need; ../wire.js has the others. */

import { ACTS, Reader, numbered, pack } from '../wire.js'

/** Type bytes of a client's messages; Scripts/page/message_numbers.py writes them. */
const TYPE = { ...numbered('persona ack point raise wander handover share settings renewLinks endReading showOut ' +
  'grant record open play', 0x0f), ...numbered('bring lowerHand', 0x1f) }
export const POLICY = { anyoneTurns: 0, hostLeads: 1, passTheBook: 2 }
export const GRANT = { follow: 0, present: 1, host: 2 }
/** How a pointer is drawn. */
export const POINTER_KIND = { gone: 0, laser: 1, hand: 2 }
const HANDOVER = ['ask', 'withdraw', 'offer', 'accept', 'decline', 'refuse', 'take', 'layDown']
const PLAY = ['pause', 'play', 'seek', 'close']
const NO_COLOUR = 255

/** @param colour 0 to 5; null for one that the server chooses */
export const encodePersona = ({ name = '', colour = null }) => pack('bsb', TYPE.persona, name, colour ?? NO_COLOUR)

/** Reports how frames have arrived since the last ack; all values except the frame's number are in seconds. */
export const encodeAck = ({ frame, lateness, syncError, roundTrip }) =>
  pack('bifff', TYPE.ack, frame, lateness, syncError, roundTrip)

/** Points at {x, y} in CSS px of the viewport; null ends the pointing. */
export const encodePoint = (place) =>
  (place ? pack('bhbff', TYPE.point, 0, 1, place.x, place.y) : pack('bhb', TYPE.point, 0, 0))

export const encodeRaise = (isOn) => pack('bb', TYPE.raise, isOn)

/** Leaves the others to read alone, or catches up with them. */
export const encodeWander = (isOn) => pack('bb', TYPE.wander, isOn)

/** @param act ask, withdraw, offer, accept, decline, refuse, take or layDown; offer and refuse name a member */
export const encodeHandover = (act, member = null) =>
  pack(member === null ? 'bb' : 'bbi', TYPE.handover, index(HANDOVER, act), member)

export const encodeShare = () => pack('b', TYPE.share)

export const encodeSettings = ({ policy, isLocked = false, mayWander = false, sharesShelf = false }) =>
  pack('bbe', TYPE.settings, policy, [isLocked, mayWander, sharesShelf])

export const encodeRenewLinks = () => pack('b', TYPE.renewLinks)

export const encodeEndReading = () => pack('b', TYPE.endReading)

export const encodeShowOut = (member) => pack('bi', TYPE.showOut, member)

/** Lowers a member's hand. */
export const encodeLowerHand = (member) => pack('bi', TYPE.lowerHand, member)

/** Makes a book, by its id, the shared one; with '' this member reads on alone. */
export const encodeBring = (book) => pack('bs', TYPE.bring, book)

export const encodeGrant = (member, grant) => pack('bib', TYPE.grant, member, grant)

export const encodeRecord = (isOn) => pack('bb', TYPE.record, isOn)

/** Plays a recording with an id. */
export const encodeOpen = (recording) => pack('bs', TYPE.open, recording)

/** @param act pause, play, seek or close; seek needs the seconds from the beginning */
export const encodePlay = (act, seconds = null) =>
  pack(seconds === null ? 'bb' : 'bbd', TYPE.play, index(PLAY, act), seconds)

function index(names, name) {
  const found = names.indexOf(name)
  if (found < 0) throw new RangeError(`There is no ${name}: say one of ${names.join(', ')}`)
  return found
}

const PERSON = 'isHost isRaised asks isAway isHidden lags isOffered isChoosing isAgain'
const PLAIN = {
  place: ['sisp', 'book page title range'],
  framing: ['bfp', 'pages scale range'],
  links: ['ssssf', 'follow present host code codeSeconds'],
}

const person = (r) =>
  r.fields({ ...r.fields({}, 'ib', 'id role'), ...r.set(PERSON), acts: r.set(ACTS) }, 'bs', 'colour name')

function pointer(r) {
  const { isOnElement, ...rest } = r.fields({}, 'ibbd', 'member kind isOnElement time')
  const element = isOnElement ? r.number() : null
  return { ...rest, element, x: r.read('f'), y: r.read('f') }
}

/** Decodes the messages that wire.js leaves as {type, view}. A playback that has been closed has no length. */
export function decodeNews({ type, view }) {
  const r = new Reader(view)
  const list = (read) => r.list('h', read)
  switch (type) {
    case 'people': return { type, isWhole: r.read('b') === 1, people: list(person), gone: list(() => r.read('i')) }
    case 'pointer': return { type, ...pointer(r) }
    case 'sync': return { type, members: list(() => r.fields({}, 'iff', 'member error roundTrip')) }
    case 'playback': {
      const state = r.read('b')
      if (state === 0) return { type }
      return r.fields({ type, isPlaying: state === 2 }, 'ddds', 'time position length title')
    }
    default: return r.fields({ type }, ...PLAIN[type])
  }
}
