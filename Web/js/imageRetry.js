/** Shows why an image is not available, and decides when to load it again. */

import { pause } from './api.js'
import { make, style, wordButton } from './dom.js'
import { sentence } from './notices.js'
import { at } from './root.js'
import { KIND } from './wire.js'
import { WORDS } from './words/common.js'

const AGAIN = 4000; // ms between attempts while the server does not answer

const never = () => new Promise(() => {})

/**
 * The reason why an image is not available: {error, retry}. Without an error it is worth another attempt: the library
 * has not responded, or it has now, for the first time.
 */
async function reasonOf(address, isFirst) {
  try {
    const answer = await fetch(at(address))
    // A pass that ends is replaced within a moment.
    if (answer.status === 403 && isFirst) return {}
    if (answer.ok && !isFirst) return { error: WORDS.noImage }
    const { notice, retry } = answer.ok ? {} : await answer.json() ?? {}
    // A fault that this page has no words for lasts, too.
    return { error: sentence(notice) || (retry === false ? WORDS.noImage : ''), retry }
  } catch {
    return {}
  }
}

/** Resolves when the image of an element should be loaded again; `isFirst` after its first attempt. */
export async function imageRetry(face, { kind, title, imageURL }, isFirst) {
  const { error, retry } = await reasonOf(imageURL, isFirst)
  if (!error) return pause(AGAIN)
  await style('controls')
  if (kind === KIND.cover) {
    // The shelf shows the remedy below the book.
    face.replaceChildren(make('div', { class: 'bare' }, make('p', { text: title }), make('p', { text: error })))
    return never()
  }
  const words = face.querySelector('.drying') ?? face.appendChild(make('p', { class: 'drying' }))
  const before = words.textContent
  words.textContent = error
  words.classList.add('spoilt')
  face.classList.remove('due')
  if (retry === false) return never()
  await new Promise((resume) => { words.append(wordButton(WORDS.tryAgain, 'line hot', resume)); })
  words.textContent = before
  face.classList.add('due')
}
