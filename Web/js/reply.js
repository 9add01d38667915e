/** Shows the server's messages to the reader: on the open sheet, which covers notices, or as a notice. */

import { app } from './app.js'

const LONG = 5000; // ms for which the notice is shown

export function say(words) {
  const said = document.querySelector('dialog[open] [role=status]')
  if (said === null) app.notice(words, LONG)
  else said.textContent = words
}
