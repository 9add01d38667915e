/** Shows the server's messages to the reader: on the open sheet, which covers notices, or as a notice. */

import { app } from './app.js'
import { sentence } from './notices.js'

const LONG = 5000; // ms for which the notice is shown

export function say(notice) {
  const said = document.querySelector('dialog[open] [role=status]')
  if (said === null) app.notice(sentence(notice), LONG)
  else said.textContent = sentence(notice)
}
