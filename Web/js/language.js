/**
 * The language of the page: English, or German from the tables in words/de/. The tables in words/ take a German one
 * from here when they are loaded, so that German has to be here before. If a part of it cannot be loaded, the page
 * stays English as a whole.
 */

const SETTINGS = 'lectern-settings' // as in keys.js, which the page without a library does not have
const NAMES = ['start', 'common', 'book', 'help', 'library', 'printing', 'session', 'settings', 'text', 'together']
const PATIENCE = 5000 // ms

/** The tables of a language other than English, by name. */
export const TABLES = {}
let server = null

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
  const language = server === null ? 'en' : 'de'
  return tags().find((tag) => tag.startsWith(language)) ?? language
}

/** A sentence of the library or the server in the reader's language; one without a translation stays English. */
export const told = (text) => server?.told(text) ?? text

/** The same for pages as the library calls them, such as "Pages 4–5". */
export const placed = (text) => server?.placed(text) ?? text

/** Returns a message of the server with its texts in the reader's language, which it writes into it. */
export function translate(message) {
  server?.translate(message)
  return message
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
  return Promise.race([Promise.all(['server', ...NAMES].map(load)), late])
}

/** Brings German to the page if its reader wants it; start is the table of texts that the page has already. */
export async function apply(context, start) {
  if (languageOf() !== 'de') return
  const [sentences, ...tables] = await german()
  server = sentences
  NAMES.forEach((name, n) => { TABLES[name] = tables[n].WORDS })
  Object.assign(start, TABLES.start, { translate })
  document.documentElement.lang = 'de'
  document.getElementById('table').setAttribute('aria-label', start.table)
}
