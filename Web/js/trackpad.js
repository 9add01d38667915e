/** Pinches on a trackpad, which only Safari reports as gesture events. */

import { CLIENT, pack } from './wire.js'

const PHASE = { gesturestart: 0, gesturechange: 1, gestureend: 2 }

/** Encodes the scale since the gesture began and its centre in CSS px of the viewport. */
export const encodeZoom = (phase, scale, x, y) => pack('bhbfff', CLIENT.zoom, 0, phase, scale, x, y)

/**
 * @param on adds a listener for an event of the stage's surface
 * @param send sends the bytes of a message
 */
export function listen(on, send) {
  for (const [type, phase] of Object.entries(PHASE)) {
    on(type, (event) => {
      event.preventDefault()
      if (event.scale > 0) send(encodeZoom(phase, event.scale, event.clientX, event.clientY))
    })
  }
}
