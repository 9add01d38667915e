/** Swipes of a finger across a text, which turn pages. */

const FAR = 48; // CSS px that a swipe goes sideways at least
const STEEP = .5; // the greatest ratio of a swipe's height to its width
const CONTROLS = 'button, a, input, select, label'

/** The way of a finger that went from one point to another: 1 to the right, -1 to the left, 0 for no swipe. */
export function wayOf([fromX, fromY], [toX, toY]) {
  const [width, height] = [toX - fromX, toY - fromY]
  return Math.abs(width) < FAR || Math.abs(height) > STEEP * Math.abs(width) ? 0 : Math.sign(width)
}

/**
 * Calls a function with the way of each swipe over an element, whose style leaves vertical scrolling to the browser. A
 * finger that begins on a control, has company, or selects text does not swipe.
 */
export function watchSwipes(root, onSwipe) {
  let from = null
  const at = ({ clientX, clientY }) => [clientX, clientY]
  root.addEventListener('pointerdown', (event) => {
    const { isPrimary, pointerType, target } = event
    const isSwipe = isPrimary && pointerType === 'touch' && !target.closest(CONTROLS) && getSelection().isCollapsed
    from = isSwipe ? at(event) : null
  })
  // The browser has taken the finger, to scroll or to select.
  root.addEventListener('pointercancel', () => { from = null; })
  root.addEventListener('pointerup', (event) => {
    const way = from === null || !getSelection().isCollapsed ? 0 : wayOf(from, at(event))
    from = null
    if (way !== 0) onSwipe(way)
  })
}
