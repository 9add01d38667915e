/** What the server says in words: on the open sheet, which covers notices, or as a notice. */

const LONG = 5000; // ms that a notice is read for

/** Creates the controls of this module. */
export const controls = (context) => ({
  say(words) {
    const said = document.querySelector('dialog[open] [role=status]')
    if (said === null) context.actions.notice(words, LONG)
    else said.textContent = words
  },
})
