/** Converts dropped items to files: a folder of pictures becomes one uncompressed archive. */

import { IMAGES, OTHER_IMAGES } from './kinds.js'
import { WORDS } from './words/library.js'

const PICTURE = new RegExp(`\\.(${[...IMAGES, ...OTHER_IMAGES].join('|')})$`, 'i')
const MOST = 65_535; // entries of an archive
const LARGEST = 0xffffffff; // bytes of an archive

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

/** The CRC-32 that an archive stores for each file. */
export function crc32(bytes) {
  let c = 0xffffffff
  for (const byte of bytes) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

/** A record of little-endian numbers, each given as [bytes, value], and the bytes that follow them. */
function record(fields, tail = new Uint8Array()) {
  const length = fields.reduce((sum, [size]) => sum + size, 0)
  const bytes = new Uint8Array(length + tail.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  bytes.set(tail, at)
  return bytes
}

/** A zip archive of files without compression. */
export async function packed(name, files) {
  if (files.length > MOST) throw new Error(WORDS.upload.tooManyPictures(name, MOST))
  const contents = [], directory = []
  let at = 0
  for (const file of files) {
    const title = new TextEncoder().encode(file.webkitRelativePath || file.name)
    const crc = crc32(new Uint8Array(await file.arrayBuffer()))
    // Version 2.0, names in UTF-8, no compression, and the first date that the format has.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, crc], [4, file.size], [4, file.size],
      [2, title.length], [2, 0]]
    const head = record([[4, 0x04034b50], ...common], title)
    directory.push(record([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]], title))
    contents.push(head, file)
    at += head.length + file.size
  }
  const size = directory.reduce((sum, bytes) => sum + bytes.length, 0)
  if (at + size > LARGEST) throw new Error(WORDS.upload.tooLarge(name))
  const count = files.length
  const end = record([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]])
  return new File([...contents, ...directory, end], `${name}.cbz`, { type: 'application/zip' })
}

const read = (entry) => new Promise((resolve, reject) => { entry.file(resolve, reject); })

async function list(folder) {
  const reader = folder.createReader()
  const all = []
  for (;;) {
    const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); })
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** The files of a drop: each folder of pictures as an archive, each other folder as its files. */
export async function filesOf({ entries, files: plain }) {
  if (!entries.some((entry) => entry.isDirectory)) return plain
  const files = []
  const visit = async (entry) => {
    if (entry.isFile) {
      files.push(await read(entry))
      return
    }
    const inside = await list(entry)
    const pictures = inside.filter(({ isFile, name }) => isFile && PICTURE.test(name))
    if (pictures.length > 0) files.push(await packed(entry.name, await Promise.all(pictures.map(read))))
    for (const other of inside) if (!pictures.includes(other) && !other.name.startsWith('.')) await visit(other)
  }
  for (const entry of entries) await visit(entry)
  return files
}
