/** Pinches on a trackpad, as Safari alone tells of them. */

import { ZOOM, encodeZoom } from './wire.js'

/**
 * @param on listens to an event of the table
 * @param send takes the bytes of a message
 */
export function listen(on, send) {
  const phases = { gesturestart: ZOOM.began, gesturechange: ZOOM.changed, gestureend: ZOOM.ended }
  for (const [type, phase] of Object.entries(phases)) {
    on(type, (event) => {
      event.preventDefault()
      if (event.scale > 0) send(encodeZoom(phase, event.scale, event.clientX, event.clientY))
    })
  }
}
