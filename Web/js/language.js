/**
 * The language of the page: English, or German from the tables in words/de/. The tables in words/ take a German one
 * from here when they are loaded, so that German has to be here before. If a part of it cannot be loaded, the page
 * stays English as a whole.
 */

const SETTINGS = 'lectern-settings' // as in keys.js, which the page without a library does not have
const NAMES = [
  'start', 'common', 'book', 'help', 'library', 'notices', 'printing', 'session', 'settings', 'text', 'together',
]
const PATIENCE = 5000 // ms

/** The tables of a language other than English, by name. */
export const TABLES = {}

const tags = () => globalThis.navigator?.languages ?? []

function chosen() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS)).language
  } catch {
    return null
  }
}

/** The language of a choice: 'en' or 'de'. Without either it is the first of them that the browser asks for. */
export const languageOf = (choice = chosen()) =>
  (choice === 'en' || choice === 'de' ? choice
    : tags().map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'de') ?? 'en')

/** The language tag for dates. */
export function locale() {
  const language = TABLES.start === undefined ? 'en' : 'de'
  return tags().find((tag) => tag.startsWith(language)) ?? language
}

/** Resolves with a table in the reader's language, for a page that has only this one. */
export async function tableOf(name, english) {
  if (languageOf() !== 'de') return english
  try {
    const { WORDS } = await import(`./words/de/${name}.js`)
    document.documentElement.lang = 'de'
    return WORDS
  } catch (error) {
    console.warn(error)
    return english
  }
}

async function german() {
  const late = new Promise((_, reject) => { setTimeout(reject, PATIENCE, new Error('timeout')) })
  const load = (name) => import(`./words/de/${name}.js`)
  return Promise.race([Promise.all(NAMES.map(load)), late])
}

/** Brings German to the page if its reader wants it; start is the table of texts that the page has already. */
export async function apply(context, start) {
  if (languageOf() !== 'de') return
  const tables = await german()
  NAMES.forEach((name, n) => { TABLES[name] = tables[n].WORDS })
  Object.assign(start, TABLES.start)
  document.documentElement.lang = 'de'
  document.getElementById('table').setAttribute('aria-label', start.table)
}
