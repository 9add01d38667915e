/** What is around the stage from the start: the title and notices. */

import { app, session } from './app.js'
import { SCREEN_NAME } from './wire.js'

export const by = (id) => document.getElementById(id)

/** Says on the body that something is shown. A rule such as body:has(#x) costs all styles at each change. */
export const says = (name, isShown) => document.body.classList.toggle(`shows-${name}`, isShown)

/** Shows or hides an element, and says so on the body. */
export function show(element, isShown = true) {
  element.hidden = !isShown
  says(element.id, isShown)
}

/** Shows the caption, and loads the controls of its screen. */
export function showCaption() {
  const { screen, windowTitle, isWall } = session.caption
  document.body.dataset.screen = SCREEN_NAME[screen] ?? 'collections'
  document.body.classList.toggle('all-covers', isWall)
  document.title = windowTitle
  app.load(session.isBook ? 'reading' : 'library')
}

/** Hides the controls while the stage moves. */
export const settled = (isSettled) => document.body.classList.toggle('moving', !isSettled)

/**
 * Shows a notice for some ms or, with 0, until another replaces it; without words, hides the notice. A button in it
 * hides it, too.
 */
export function notice(words, ms = 0, button = null) {
  const node = by('notice')
  node.textContent = words
  if (button !== null) {
    node.append(button)
    button.addEventListener('click', () => notice(''))
  }
  const said = node.firstChild
  show(node, words !== '')
  if (ms > 0) setTimeout(() => { if (node.firstChild === said) notice('') }, ms)
}
