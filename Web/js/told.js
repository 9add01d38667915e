/** What the server says in words: on the open sheet, which covers notices, or as a notice. */

const LONG = 5000; // ms that a notice is read for

/** The controls of this module, for the desk. */
export const controls = (desk) => ({
  say(words) {
    const said = document.querySelector('dialog[open] [role=status]')
    if (said === null) desk.notice(words, LONG)
    else said.textContent = words
  },
})
