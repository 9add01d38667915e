/** Reading together: the members in the bar, the strip, and the recording that is played. */

import { app, session, watch } from '../app.js'
import { topBar } from '../bar.js'
import { by } from '../chrome.js'
import { style } from '../dom.js'
import { People } from './people.js'
import { Strip } from './strip.js'

await Promise.all([style('together'), new Promise((go) => { watch(go, 'caption') })])
await topBar()
new People(by('heading'))
new Strip()
watch(() => { if (session.playback !== null) app.load('together/playback') }, 'playback')
