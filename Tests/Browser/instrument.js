// Runs in each page and each frame before their own scripts: `__lectern` is what tests see of a page,
// undefined in a document that is not one.
{
  // The reader of the tests has seen the hints; a test about them stores that none has been seen.
  try {
    if (localStorage.getItem('lectern-hints') === null) localStorage.setItem('lectern-hints', '{"over":true}')
  } catch {
    // A document without an origin of its own has no storage.
  }
  const KEPT_FRAMES = 240
  const KEPT_MESSAGES = 40
  const STEP = 1000 / 60 // ms between two moves of a finger
  const GAP = 80 // ms between the clicks of a double click
  const PAUSE = 350 // ms after which a tap is no longer the second one of a double tap
  let page
  let isLoading = false

  // The matrices of the latest frames on the screen, by number, so that two windows are compared by frame.
  const keepFrames = (stage, frame) => {
    const shown = new Map()
    const apply = stage.apply.bind(stage)
    const keep = () => {
      if (frame.number < 0) return
      shown.set(frame.number, [...stage.applied].map(([key, matrix]) => [key, [...matrix]]))
      if (shown.size > KEPT_FRAMES) shown.delete(shown.keys().next().value)
    }
    stage.apply = (state) => {
      apply(state)
      keep()
    }
    keep()
    return shown
  }

  // The page's script, which may be below a path.
  const script = () => document.querySelector('script[src$="/js/main.js"]')

  const load = async () => {
    const [{ app, session }, { SCREEN_NAME }] =
      await Promise.all(['app', 'wire', 'main'].map((name) => import(new URL(`${name}.js`, script().src))))
    const { connection, playout, stage } = app
    const frame = playout.state
    const frames = keepFrames(stage, frame)
    page = {
      app, session, stage, frames,
      get caption() { return session.caption },
      get roomCode() { return connection.room },
      // The path of the library.
      root: new URL('..', script().src).pathname,
      // The frame on the screen.
      get frame() { return frame.number },
      get screen() { return SCREEN_NAME[frame.screen] },
      // Whether that frame is the end of a motion; false until a connection has brought one.
      get settled() { return frame.settled && (playout.isAtRest || playout.waiting > 0) },
      // What the frame shows and the page has not drawn yet, of any kind.
      get missing() {
        return [...frame.items].filter(([key, { visible }]) => visible && !(stage.applied.has(key) &&
          stage.isDrawn({ items: new Map([[key, { visible }]]) }))).map(([key]) => key)
      },
      // Whether the page says that it is ready.
      get isReady() { return document.documentElement.dataset.state === 'ready' },
    }
  }

  Object.defineProperty(window, '__lectern', {
    get() {
      if (!isLoading && script()) {
        isLoading = true
        load().catch(() => { isLoading = false })
      }
      return page
    },
  })

  // The latest messages of the page's connections, for the report of a failure.
  const messages = window.__messages = []
  const note = (way, data) => {
    messages.push([way, Math.round(performance.now()), data])
    if (messages.length > KEPT_MESSAGES) messages.shift()
  }
  window.WebSocket = class extends WebSocket {
    constructor(...values) {
      super(...values)
      note('opens', values[0])
      this.addEventListener('message', ({ data }) => note('received', data))
      this.addEventListener('close', ({ code, reason }) => note('closed', `${code} ${reason}`))
    }

    send(data) {
      note('sent', data)
      super.send(data)
    }
  }

  // Fingers have times of their own, however busy the machine is: a gesture begins at the time of its first touch, and
  // each move is a sixtieth of a second later than the one before. A click has the time of the lift before it.
  const stamps = new WeakMap()
  const fingers = new Map() // pointerId -> its number of moves
  let began = 0
  let last = null
  let left = 0 // clicks of a double click
  const real = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp').get
  Object.defineProperty(Event.prototype, 'timeStamp', { get() { return stamps.get(this) ?? real.call(this) } })
  const TIMED = {
    pointerdown(event) {
      if (fingers.size === 0) began = left === 1 ? last + GAP : real.call(event)
      left = Math.max(0, left - 1)
      fingers.set(event.pointerId, 0)
      last = began
    },
    pointermove(event) {
      const moves = fingers.get(event.pointerId)
      const all = event.getCoalescedEvents?.() ?? []
      for (const [n, one] of all.entries()) stamps.set(one, began + (moves + n + 1) * STEP)
      fingers.set(event.pointerId, moves + Math.max(1, all.length))
      last = Math.max(last, began + fingers.get(event.pointerId) * STEP)
    },
    pointerup({ pointerId }) { fingers.delete(pointerId) },
    pointercancel({ pointerId }) { fingers.delete(pointerId) },
    lostpointercapture() {},
    click() {},
  }
  for (const [type, time] of Object.entries(TIMED)) {
    addEventListener(type, (event) => {
      // A mouse also moves while it is not pressed.
      if (!event.isTrusted || window.__hasRealTime || (type === 'pointermove' && !fingers.has(event.pointerId))) return
      time(event)
      if (last !== null) stamps.set(event, last)
    }, true)
  }
  // What the browser does with the window.
  const draw = requestAnimationFrame
  const ask = (run) => (__window.isDrawn ? draw(run) : __window.waiting.push(run))
  window.__window = {
    isDrawn: true,
    waiting: [],
    // Another window covers this one, or does so no more: the page is drawn only while it is not covered.
    cover(isCovered) {
      this.isDrawn = !isCovered
      window.requestAnimationFrame = ask
      if (this.isDrawn) this.waiting.splice(0).forEach(run => draw(run))
    },
    see(isSeen) {
      const value = isSeen ? 'visible' : 'hidden'
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      Object.defineProperty(document, 'hidden', { value: !isSeen, configurable: true })
      this.cover(!isSeen)
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
  window.__finger = {
    // The fingers have rested since their last move.
    rested() { began = performance.now() - Math.max(0, ...fingers.values()) * STEP },
    // Resolves when the next tap is one of its own.
    paused: () => new Promise((resolve) => {
      setTimeout(resolve, last === null ? 0 : Math.max(0, last + PAUSE - performance.now()))
    }),
    // The next two clicks follow each other at once.
    doubles() { left = 2 },
  }
}
