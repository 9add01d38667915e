/** Shows the server's messages to the reader: on the open sheet, which covers notices, or as a notice. */

const LONG = 5000; // ms for which the notice is shown

/** Creates the controls of this module. */
export const controls = (context) => ({
  say(words) {
    const said = document.querySelector('dialog[open] [role=status]')
    if (said === null) context.actions.notice(words, LONG)
    else said.textContent = words
  },
})
