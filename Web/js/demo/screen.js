/**
 * The demo adds this module to each page that it shows. The module sends the parts of the page to the demo, in a
 * `page` event on the frame.
 */

import { app, session } from '../app.js'

window.frameElement.dispatchEvent(new CustomEvent('page', { detail: { app, session } }))
