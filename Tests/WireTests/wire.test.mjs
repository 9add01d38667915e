import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import * as together from '../../Web/js/together/wire.js'
import { encodeFit } from '../../Web/js/text/fit.js'
import { encodeZoom } from '../../Web/js/trackpad.js'
import * as input from '../../Web/js/session/wire.js'
import * as start from '../../Web/js/wire.js'

const wire = { ...start, ...input }
const vectors = JSON.parse(readFileSync(new URL('Vectors/wire.json', import.meta.url), 'utf8'))
const hex = bytes => Buffer.from(bytes).toString('hex')
const buffer = text => Uint8Array.from(Buffer.from(text, 'hex')).buffer
const keyName = value => Object.keys(wire.KEY).find(name => wire.KEY[name] === value)

const encode = {
  hello: wire.encodeHello,
  pointers: ({ target, samples }) => wire.encodePointers(target, samples),
  wheel: wire.encodeWheel,
  key: ({ key }) => wire.encodeKey(keyName(key)),
  viewport: wire.encodeViewport,
  clock: ({ clientTime }) => wire.encodeClock(clientTime),
  zoom: ({ phase, scale, x, y }) => encodeZoom(phase, scale, x, y),
  visibility: ({ visible }) => wire.encodeVisibility(visible),
  ready: ({ elements }) => wire.encodeReady(elements),
  jump: ({ page }) => wire.encodeJump(page),
  go: wire.encodeGo,
  arrange: wire.encodeArrange,
  lay: ({ pose }) => wire.pack('bhb', wire.CLIENT.lay, 0, pose),
  zoomStep: ({ factor, x, y }) => wire.encodeZoomStep(factor, x, y),
  persona: ({ name, colour }) => together.encodePersona({ name, colour: colour === 255 ? null : colour }),
  ack: together.encodeAck,
  point: ({ x, y }) => together.encodePoint(x === undefined ? null : { x, y }),
  raise: ({ isOn }) => together.encodeRaise(isOn),
  wander: ({ isOn }) => together.encodeWander(isOn),
  handover: ({ act, member }) => together.encodeHandover(act, member),
  share: together.encodeShare,
  settings: together.encodeSettings,
  renewLinks: together.encodeRenewLinks,
  endReading: together.encodeEndReading,
  showOut: ({ member }) => together.encodeShowOut(member),
  bring: ({ book }) => together.encodeBring(book),
  fit: encodeFit,
  lowerHand: ({ member }) => together.encodeLowerHand(member),
  grant: ({ member, grant }) => together.encodeGrant(member, grant),
  record: ({ isOn }) => together.encodeRecord(isOn),
  open: ({ recording }) => together.encodeOpen(recording),
  play: ({ act, seconds }) => together.encodePlay(act, seconds)
}

/** The messages that wire.js leaves to the module for reading together. */
const LATER = new Set(['people', 'pointer', 'place', 'links', 'sync', 'playback', 'framing'])

function decode(hex) {
  const message = wire.decode(buffer(hex))
  return LATER.has(message.type) ? together.decodeNews(message) : message
}

/** Returns a decoded message as the vectors describe it: without views, and with plain arrays. */
function plain(message) {
  const { view, offset, ...rest } = message
  if (rest.matrix) rest.matrix = [...rest.matrix]
  if (rest.cameras) rest.cameras = rest.cameras.map(plain)
  if (rest.frames) rest.frames = rest.frames.map(plain)
  return rest
}

/** Returns the visible items of a state as the vectors describe them. */
function shown(state) {
  return [...state.items.values()].filter(item => item.visible).sort((a, b) => a.id - b.id).map(item => ({
    id: item.id, m: [...item.m], opacity: Math.round(item.opacity * 65535), shade: Math.round(item.shade * 65535),
    z: item.z
  }))
}

test('the numbers of messages are those of the table in Swift', () => {
  const script = new URL('../../Scripts/page/message_numbers.py', import.meta.url).pathname
  const { status, stderr } = spawnSync('python3', [script, '--check'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
})

for (const { name, hex: expected, message } of vectors.client) {
  test(`client: ${name} has the bytes of the vectors`, () => {
    assert.equal(hex(wire.withRole(encode[message.type](message), message.role ?? 0x7777)), expected)
  })
}

for (const { name, hex: bytes, message } of vectors.server) {
  test(`server: ${name} is decoded as the vectors say`, () => assert.deepEqual(plain(decode(bytes)), message))
}

for (const chain of ['chain', 'derived']) {
  test(`frames add up to what the vectors show: ${chain}`, () => {
    const state = new wire.FrameState()
    const seen = new Map()
    for (const step of vectors[chain]) {
      assert.equal(state.apply(wire.decode(buffer(step.hex))), true)
      assert.deepEqual(shown(state), step.shown)
      state.flush(item => seen.set(item.id, { ...item, m: [...item.m] }))
      // The items reported to the page add up as well: the dirty items are enough.
      assert.deepEqual(shown({ items: seen }), step.shown)
    }
    state.flush(() => assert.fail('nothing changed since'))
  })
}

test('entries that are not sent are derived as the server rounds them', () => {
  const state = new wire.FrameState()
  const m13 = Math.fround(.123456789)
  const floats = new DataView(new ArrayBuffer(8))
  floats.setFloat32(0, .5, true)
  floats.setFloat32(4, m13, true)
  const entry = flags => [16, 3, flags, ...new Uint8Array(floats.buffer), 255, 255, 0, 0, 0, 0]
  const snapshot = flags => Uint8Array.of(wire.SERVER.snapshot, ...new Array(13).fill(0), 1, 0, ...entry(flags)).buffer
  const matrix = flags => {
    state.apply(wire.decode(snapshot(flags)))
    return [...state.items.get(1).m]
  }
  assert.deepEqual(matrix(0x17), [.5, 0, m13, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
  assert.deepEqual(matrix(0x37), [.5, 0, m13, 0, 0, 1, 0, 0, -m13, 0, .5, 0, 0, 0, 0, 1])
  assert.deepEqual(matrix(0x77), [
    .5, 0, m13, Math.fround(m13 * -.0005), 0, 1, 0, 0, -m13, 0, .5, Math.fround(-.00025), 0, 0, 0, 1])
  assert.deepEqual(matrix(0x57), [.5, 0, m13, Math.fround(m13 * -.0005), 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
})

test('a delta that does not follow is rejected and changes nothing', () => {
  const state = new wire.FrameState()
  const messages = vectors.chain.map(step => wire.decode(buffer(step.hex)))
  assert.equal(state.apply(messages[1]), false)
  assert.equal(state.apply(messages[0]), true)
  assert.equal(state.apply(messages[2]), false)
  assert.deepEqual(shown(state), vectors.chain[0].shown)
})

test('elements are identified by numbers of any size, and their parts separately', () => {
  const state = new wire.FrameState()
  const named = name => wire.decode(buffer(vectors.server.find(vector => vector.name === name).hex))
  state.apply(named('snapshot'))
  assert.deepEqual([...state.items.keys()], [3, 260])
  state.apply(named('snapshot of far numbers'))
  assert.deepEqual([...state.items.values()].filter(({ visible }) => visible).map(({ id }) => id), [2 ** 52 - 1, 0])
  state.retire(named('retired').ids)
  assert.deepEqual([...state.items.keys()], [3, 260, 2 ** 52 - 1, 0])
  state.retire([3])
  assert.deepEqual([...state.items.keys()], [260, 2 ** 52 - 1, 0])
  state.apply(named('snapshot of parts'))
  assert.deepEqual([...state.items.keys()].slice(-2), [3, '3/23'])
})

test('an undivided element is named by its id, and no two parts share a name', () => {
  const ids = [0, 1, 65_536, 2 ** 52 - 1]
  assert.deepEqual(ids.map(id => wire.keyOf(id)), ids)
  const keys = ids.flatMap(id => Array.from({ length: 12 }, (_, part) => wire.keyOf(id, part)))
  assert.equal(new Set(keys).size, 48)
})

test('unknown items of a set are ignored', () => {
  const role = wire.decode(Uint8Array.of(wire.SERVER.role, 7, 0, 2, 3, 2, 15, 200, 0, 0, 0, 0, 0, 0, 0).buffer)
  assert.deepEqual(Object.keys(role.rights).filter(name => role.rights[name]), ['mayWander'])
})

test('an unknown message type decodes to null, and a truncated message throws', () => {
  assert.equal(wire.decode(Uint8Array.of(0x99).buffer), null)
  assert.throws(() => wire.decode(Uint8Array.of(wire.SERVER.welcome, 1).buffer), RangeError)
  assert.throws(() => wire.encodePointers(0, new Array(17)), RangeError)
  assert.throws(() => together.encodeHandover('grab'), RangeError)
  const cut = wire.decode(Uint8Array.of(wire.SERVER.people, 1, 9, 0).buffer)
  assert.throws(() => together.decodeNews(cut), RangeError)
})
