/** The messages between page and server, as the tables in Sources/Wire/Wire.docc define them. */

export const VERSION = 7

/** An object of names with ascending numbers. */
export const numbered = (names, first = 0) => Object.fromEntries(names.split(' ').map((name, n) => [name, first + n]))

/** Type bytes, by Scripts/page/message_numbers.py; together/wire.js has those of reading together. */
export const CLIENT = numbered('hello pointers wheel key viewport clock zoom visibility ready jump go arrange lay ' +
  'zoomStep', 0x01)
export const SERVER = numbered('welcome elements snapshot delta batch camera clock error caption cameras role room ' +
  'people pointer place links sync goodbye playback retired framing pass', 0x81)
/** The types that carry the number of the sender's role after their type byte. */
const ACTING = new Set([0x02, 0x03, 0x04, 0x07, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x11])
export const SCREEN = numbered('collections shelf book')
export const SCREEN_NAME = Object.keys(SCREEN)
export const KIND = numbered('collection cover page board')
export const KIND_NAME = Object.keys(KIND)
export const SIDE = numbered('centre right left centreRightBound')
export const ROLE = numbered('presenter copresenter follower wanderer')
/** The maximum number of ids in a ready message. */
export const MAX_READY = 63

const ENTRY = { opacity: 1, shade: 2, z: 4, hidden: 8, full: 16, turn: 32, perspective: 64 }
const IDENTITY = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
/** The matrix entries in the order of the bits of an entry's mask: the frequent ones first. */
const ORDER = [0, 2, 12, 14, 5, 8, 10, 4, 6, 1, 13, 3, 7, 11, 9, 15]
const NO_HEAD = { mask: 0, flags: 0 }
/** What column 3 is multiplied by in column 4. */
const PERSPECTIVE = -1 / 2000
/** Letters of formats: DataView's name of the type and its size. s is a text, e a set, n a varint. */
const FIELD = { b: ['Uint8', 1], h: ['Uint16', 2], i: ['Uint32', 4], f: ['Float32', 4], d: ['Float64', 8] }
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Encodes fields. The value of a set is a list of booleans, one for each listed item. */
export function pack(format, ...values) {
  const fields = [...format].map((letter, n) => {
    if (letter in FIELD) return [...FIELD[letter], values[n]]
    if (letter === 'n') {
      const groups = groupsOf(values[n])
      return ['Uint8', groups.length, groups[0], groups, 0]
    }
    const [name, size] = FIELD[letter === 's' ? 'h' : 'b']
    const tail = letter === 's' ? encoder.encode(values[n]) : numbersOf(values[n])
    return [name, size + tail.length, tail.length, tail, size]
  })
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + field[1], 0))
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const [name, size, value, tail, head] of fields) {
    view['set' + name](offset, value, true)
    if (tail) bytes.set(tail, offset + head)
    offset += size
  }
  return bytes
}

/** The bytes of a varint: seven bits each, the lowest first; the highest bit says that more follow. */
function groupsOf(number) {
  const groups = []
  let rest = number
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push(rest % 128 + 128)
  return [...groups, rest]
}

const numbersOf = (items) => items.flatMap((isIn, number) => (isIn ? [number] : []))

/** Writes the number of the sender's role into a message of a type that carries one. */
export function withRole(bytes, role) {
  if (ACTING.has(bytes[0])) new DataView(bytes.buffer).setUint16(1, role, true)
  return bytes
}

/** The following functions use CSS px of the viewport for lengths and positions, and seconds for times. */
export const encodeHello = ({
  room = '', key = '', resume = '', reader = '', name = '', colour = 255, width, height, pixelRatio,
  reducedMotion = false, reportsImages = false, sharesStage = false
}) => pack('bbsssssbfffe', CLIENT.hello, VERSION, room, key, resume, reader, name, colour, width, height, pixelRatio,
  [reducedMotion, reportsImages, sharesStage])

export const encodeViewport = ({ width, height, pixelRatio, reducedMotion = false }) =>
  pack('bfffe', CLIENT.viewport, width, height, pixelRatio, [reducedMotion])

export const encodeVisibility = visible => pack('bb', CLIENT.visibility, visible)

/** @param {number[]} ids at most MAX_READY elements whose images are decoded or cannot be decoded */
export const encodeReady = ids => pack('bh' + 'n'.repeat(ids.length), CLIENT.ready, ids.length, ...ids)

/** Reads the fields of a message. A message that is too short makes the view throw a RangeError. */
export class Reader {
  offset = 1
  constructor(view) { this.view = view }

  read(letter) {
    if (letter === 'n') return this.number()
    // The pages of a spread.
    if (letter === 'p') return { labels: this.list('b', () => this.read('s')), total: this.read('s') }
    const [name, size] = FIELD[letter === 's' ? 'h' : letter]
    const value = this.view['get' + name](this.offset, true)
    this.offset += size
    if (letter !== 's') return value
    this.offset += value
    return decoder.decode(new Uint8Array(this.view.buffer, this.offset - value, value))
  }

  /** Reads a varint of at most 53 bits. */
  number() {
    let number = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.view.getUint8(this.offset)
      this.offset += 1
      number += byte % 128 * scale
      if (byte < 128) return number
    }
  }

  /** Reads the start of an entry: the code of its head, whether a part follows, and the distance from the last id. */
  start() {
    const byte = this.view.getUint8(this.offset)
    this.offset += 1
    // The whole number may have more than 53 bits.
    const number = (byte % 128 >> 3) + (byte < 128 ? 0 : 16 * this.number())
    return { code: byte & 3, hasPart: byte & 4, distance: number % 2 === 0 ? number / 2 : -(number + 1) / 2 }
  }

  /** Reads a list, whose length is a field of the given letter. */
  list(letter, read) { return Array.from({ length: this.read(letter) }, () => read(this)); }

  /** Reads a set: for each name, whether it is in the set. Unknown numbers are ignored. */
  set(names) {
    const numbers = new Set(this.list('b', () => this.read('b')))
    return Object.fromEntries(names.split(' ').map((name, number) => [name, numbers.has(number)]))
  }

  fields(object, format, names) {
    names.split(' ').forEach((name, n) => { object[name] = this.read(format[n]) })
    return object
  }
}

/** Reads the head of a frame; FrameState.apply reads its entries later. */
function frame(type, r) {
  const { state, ...head } = r.fields({ type }, 'idbh', 'number time state count')
  return { ...head, screen: state >> 1, settled: state % 2 === 1, view: r.view, offset: r.offset }
}

/** The fields of the messages that are plain sequences of fields, and of an element. */
const PLAIN = {
  welcome: ['bsidssssi', 'version room memberId serverTime resume key reader pass numbering'],
  element: ['nbibbfffsssi', 'id kind index side stock width height cornerRadius imageURL title author count'],
  clock: ['dd', 'clientTime serverTime'],
  goodbye: ['f', 'seconds'],
  pass: ['s', 'pass']
}
const CAPTION = 'isFlat waitsForImages findsNothing isBegun cannotOpen isWall isLost'
const RIGHTS = 'mayTurn isHost mayWander catchesUp mayShare mayPoint mayLayDown mayPlay mayLeaveBook'
/** What one member may do to another, in the order in which it is offered. */
export const ACTS = 'offer lower lead follow remove'
const BOOK_ACT = 'none catchUp takeBack take ask withdraw'.split(' ')
const TURNER = 'none anyone nobody choosing away presenter'.split(' ')
const PROMPT = 'none offered asked choosing wandered outside'.split(' ')
const SETTINGS = 'isLocked mayWander sharesShelf'
const ROOM = 'isShared isRecorded isPlayback isHeld'
const TYPES = Object.keys(SERVER)

/**
 * Decodes a message; null for an unknown type. A batch is a list of deltas, each for its time. The messages of reading
 * together are {type, view}, for decodeNews of together/wire.js.
 * @param {ArrayBuffer} buffer
 */
export function decode(buffer) {
  const r = new Reader(new DataView(buffer))
  const type = TYPES[r.view.getUint8(0) - SERVER.welcome]
  const matrix = () => Float32Array.from({ length: 16 }, () => r.read('f'))
  switch (type) {
    case undefined: return null
    case 'elements': return { type, elements: r.list('h', () => r.fields({}, ...PLAIN.element)) }
    case 'retired': return { type, ids: r.list('h', () => r.number()) }
    case 'snapshot':
    case 'delta': return frame(type, r)
    case 'batch':
      return {
        type,
        frames: r.list('b', () => {
          const end = r.read('h') + r.offset
          const delta = frame('delta', r)
          r.offset = end
          return delta
        })
      }
    case 'camera': return { type, matrix: matrix() }
    case 'cameras': return { type, cameras: r.list('b', () => ({ time: r.read('d'), matrix: matrix() })) }
    case 'caption': {
      const caption = r.fields({ type }, 'biisssips', 'screen index count heading title author size range book')
      Object.assign(caption, r.set(CAPTION))
      r.fields(caption, 'ibs', 'page order filter')
      return { ...caption, spread: r.list('b', () => r.number()) }
    }
    case 'error': {
      const [code, notice] = [r.read('h'), { code: r.read('s') }]
      notice.values = Object.fromEntries(r.list('b', () => [r.read('s'), r.read('s')]))
      return { type, code, notice }
    }
    case 'role': {
      const role = { ...r.fields({ type }, 'hb', 'number role'), rights: r.set(RIGHTS), acts: r.set(ACTS) }
      return { ...role, bookAct: BOOK_ACT[r.read('b')], prompt: { kind: PROMPT[r.read('b')], member: r.read('i') } }
    }
    case 'room': {
      const room = { type, policy: r.read('b'), ...r.set(SETTINGS), ...r.set(ROOM) }
      return { ...r.fields(room, 'if', 'presenter delay'), turner: TURNER[r.read('b')] }
    }
    default: return type in PLAIN ? r.fields({ type }, ...PLAIN[type]) : { type, view: r.view }
  }
}

/** The parts of an element; the strips of a bent leaf follow the first one. */
export const PART = { whole: 0, shadow: 2, strip: 16 }

/** The key of a part of an element. */
export const keyOf = (id, part = 0) => (part === 0 ? id : `${id}/${part}`)

/** The state that results from the applied frames. */
export class FrameState {
  /** By key: {id, part, m, opacity, shade, z, visible, isDirty: whether it has changed since the last flush}. */
  items = new Map()
  number = -1
  time = 0
  screen = 0
  settled = false
  #changed = []
  #round = 0
  /** The id and the head of the last entry, and the head before it that differs. */
  #id = 0
  #head = NO_HEAD
  #otherHead = NO_HEAD

  /**
   * Applies a snapshot or a delta.
   * @returns {boolean} false for a delta that does not follow; encodeVisibility(true) requests a snapshot
   */
  apply(frame) {
    const whole = frame.type === 'snapshot'
    if (!whole && (this.number < 0 || frame.number !== (this.number + 1) >>> 0)) return false
    const { number, time, screen, settled } = frame
    Object.assign(this, { number, time, screen, settled })
    this.#round += 1
    const reader = new Reader(frame.view)
    reader.offset = frame.offset
    this.#id = 0
    this.#head = this.#otherHead = NO_HEAD
    for (let n = 0; n < frame.count; n += 1) this.#entry(reader)
    if (whole) this.#hideOthers()
    return true
  }

  /** Forgets hidden elements; the server introduces them again before it shows them. */
  retire(ids) {
    const retired = new Set(ids)
    for (const [key, item] of this.items) if (retired.has(item.id) && !item.visible) this.items.delete(key)
  }

  /** Calls write with each item that has changed since the last call. */
  flush(write) {
    for (const item of this.#changed) {
      write(item)
      item.isDirty = false
    }
    this.#changed.length = 0
  }

  #mark(item) {
    if (!item.isDirty) this.#changed.push(item)
    item.isDirty = true
  }

  #set(item, name, value) {
    if (item[name] === value) return
    item[name] = value
    this.#mark(item)
  }

  #entry(reader) {
    const { view } = reader
    const { code, hasPart, distance } = reader.start()
    const id = this.#id += distance
    // The head of an entry is sent only if it is not one of the last two different ones.
    if (code !== 1) {
      const head = code === 0 ? { mask: reader.number(), flags: reader.read('b') } : this.#otherHead;
      [this.#head, this.#otherHead] = [head, this.#head]
    }
    const { mask, flags } = this.#head
    const part = hasPart ? reader.read('b') : 0
    const key = keyOf(id, part)
    let item = this.items.get(key)
    if (!item) {
      item = { id, part, m: IDENTITY.slice(), opacity: 1, shade: 0, z: 0, visible: false, isDirty: false, round: 0 }
      this.items.set(key, item)
      this.#mark(item)
    }
    item.round = this.#round
    let { offset } = reader
    let given = 0
    for (let place = 0; place < 16; place += 1) {
      if (!(mask >> place & 1)) continue
      this.#put(item, ORDER[place], view.getFloat32((offset += 4) - 4, true))
      given |= 1 << ORDER[place]
    }
    if (flags & (ENTRY.turn | ENTRY.perspective)) given = this.#derive(item, given, flags)
    const full = flags & ENTRY.full
    if (full) for (let k = 0; k < 16; k += 1) if (!(given >> k & 1)) this.#put(item, k, IDENTITY[k])
    if (flags & ENTRY.opacity) this.#set(item, 'opacity', view.getUint16((offset += 2) - 2, true) / 65535)
    if (flags & ENTRY.shade) this.#set(item, 'shade', view.getUint16((offset += 2) - 2, true) / 65535)
    if (flags & ENTRY.z) this.#set(item, 'z', view.getInt16((offset += 2) - 2, true))
    if (full) this.#set(item, 'visible', true)
    else if (flags & ENTRY.hidden) this.#set(item, 'visible', false)
    reader.offset = offset
  }

  #put(item, k, value) {
    if (item.m[k] === value) return
    item.m[k] = value
    this.#mark(item)
  }

  /** Derives entries that are not sent from those that are, exactly as the server does; returns the mask of both. */
  #derive(item, given, flags) {
    const { m } = item
    let all = given
    const derive = (k, from, value) => {
      if (!(all >> from & 1) || all >> k & 1) return
      this.#put(item, k, value + 0) // A sum turns -0 into 0.
      all |= 1 << k
    }
    if (flags & ENTRY.turn) {
      derive(8, 2, -m[2])
      derive(10, 0, m[0])
    }
    if (flags & ENTRY.perspective) {
      for (let k = 2; k < 14; k += 4) derive(k + 1, k, Math.fround(m[k] * PERSPECTIVE))
      derive(15, 14, Math.fround(1 + m[14] * PERSPECTIVE))
    }
    return all
  }

  /** Hides the items that a snapshot does not list. */
  #hideOthers() {
    for (const item of this.items.values()) if (item.round !== this.#round) this.#set(item, 'visible', false)
  }
}
