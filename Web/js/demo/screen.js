/**
 * Runs in each page that the demo shows, to which the demo adds this module, and hands the demo that page's own
 * parts: as the detail of a `page` event on the frame.
 */

import { connection, context, playout } from '../main.js'

window.frameElement.dispatchEvent(new CustomEvent('page', { detail: { connection, context, playout } }))
