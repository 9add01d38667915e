/** Shows the server's messages to the reader: on the open sheet, which covers notices, or as a notice. */

import { sentence } from './notices.js'

const LONG = 5000; // ms for which the notice is shown

/** Creates the controls of this module. */
export const controls = (context) => ({
  say(notice) {
    const said = document.querySelector('dialog[open] [role=status]')
    if (said === null) context.actions.notice(sentence(notice), LONG)
    else said.textContent = sentence(notice)
  },
})
