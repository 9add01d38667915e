/** The sentences of what the server says by codes. */

import { locale } from './language.js'
import { WORDS } from './words/notices.js'

const UNITS = [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]]
const MOST_SHOWN = 600; // characters of a text
const FIELD = /\{(\w+)(?::(\w+))?\}/g // of a sentence: a value, and its kind

function size(count) {
  const [unit, one] = UNITS.find(([, least]) => count >= least) ?? [WORDS.words.bytes, 1]
  return `${(count / one).toLocaleString(locale(), { maximumFractionDigits: 1 })} ${unit}`
}

const counted = (value, written) => (Number.isFinite(Number(value)) ? written(Number(value)) : value)

/** How a value is written, by its kind. */
const KINDS = {
  number: (value) => counted(value, (count) => count.toLocaleString(locale())),
  size: (value) => counted(value, size),
  word: (value) => (Object.hasOwn(WORDS.words, value) ? WORDS.words[value] : value),
}

const shown = (value, kind) =>
  (typeof value === 'string' ? (KINDS[kind]?.(value) ?? value).slice(0, MOST_SHOWN) : '')

/** The sentence of a message {code, values}; empty for one that this page does not know. */
export function sentence(notice) {
  const { code, values } = notice ?? {}
  const text = typeof code === 'string' && Object.hasOwn(WORDS, code) ? WORDS[code] : ''
  return typeof text === 'string' ? text.replace(FIELD, (_, name, kind) => shown(values?.[name], kind)) : ''
}
