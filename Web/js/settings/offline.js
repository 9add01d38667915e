/** The page that the service worker shows while the library cannot be reached. */

import { tableOf } from '../language.js'
import { WORDS as ENGLISH } from '../words/offline.js'

const WORDS = await tableOf('offline', ENGLISH)

const main = document.querySelector('main')
const [heading, words, again] = ['h1', 'p', 'button'].map((tag) => document.createElement(tag))

function say() {
  const isOffline = navigator.onLine === false
  heading.textContent = isOffline ? WORDS.offline : WORDS.unreachable
  words.textContent = isOffline ? WORDS.checkNetwork : WORDS.checkBoth
}

again.textContent = WORDS.tryAgain
again.addEventListener('click', () => location.reload())
addEventListener('online', () => location.reload())
addEventListener('offline', say)
say()
main.append(heading, words, again)
again.focus()
