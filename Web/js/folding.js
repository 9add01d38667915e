/** Buttons that fold into a menu where the window has no room for them. */

import { iconButton, make } from './dom.js'
import { WORDS } from './words/book.js'

const MORE = [5, 12, 19].map((x) => `M${x - 1} 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0`).join('')
const narrow = matchMedia('(max-width:1000px)')
const roomy = matchMedia('(min-width:1401px)')

/**
 * The nodes of a bar for its less used buttons: the buttons, and the one that shows them where they are folded.
 * @param often the buttons that fold in narrow windows only
 * @param seldom those that fold unless the window has much room
 */
export function folding(often, seldom) {
  const inline = make('div', { class: 'unfolded' }, ...often)
  const menu = make('div', { class: 'folded' }, ...seldom)
  const more = iconButton(WORDS.more, MORE)
  const close = () => {
    if (!menu.matches('[popover]:popover-open')) return false
    menu.hidePopover()
    more.focus()
    return true
  }
  menu.onclick = close
  more.popoverTargetElement = menu
  const fold = () => {
    if (narrow.matches) menu.prepend(...often)
    else inline.append(...often)
    if (roomy.matches) menu.removeAttribute('popover')
    else menu.popover = 'auto'
  }
  for (const size of [narrow, roomy]) size.addEventListener('change', fold)
  fold()
  // Escape closes the menu alone.
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && close()) event.stopImmediatePropagation()
  }, { capture: true })
  return [inline, menu, more]
}
