// Watches whether a control is carried away, and holds the library's answers until a test lets them through.
(() => {
  const CONTROLS = 'button, a[href], input, select, textarea, [role=slider]'
  const SLACK = 1 // CSS px
  const HELD = 4 // frames after an answer, before the next one
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  const steady = window.__steady = {
    moves: [],
    /** Whether the answers are held. */
    isLate: /late/.test(location.search),
    held: [],
    /** Lets through the held answers whose addresses contain a text, one after another. */
    async answer(part = '') {
      for (;;) {
        const next = steady.held.findIndex(({ address }) => address.includes(part))
        if (next < 0) break
        steady.held.splice(next, 1)[0].go()
        for (let n = 0; n < HELD; n += 1) await frame()
      }
      return true
    },
    /** Resolves when a time has passed in which every frame has been watched. */
    async rest(ms) {
      for (const end = performance.now() + ms; performance.now() < end;) await frame()
      return true
    },
  }

  const { fetch } = window
  window.fetch = (...request) => (!steady.isLate || !`${request[0]}`.includes('/api/') ? fetch(...request)
    : new Promise((go) => { steady.held.push({ address: `${request[0]}`, go }) }).then(() => fetch(...request)))

  // A sheet rises as it opens, which is the answer to the press.
  const calm = new CSSStyleSheet()
  calm.replaceSync('.plate, .comes { animation: none !important }')
  document.adoptedStyleSheets = [calm]

  /** Whether a box is carried away: both of its ends have gone in one direction. */
  const isCarried = (before, now) => [['left', 'right'], ['top', 'bottom']].some((ends) => {
    const [one, other] = ends.map((end) => now[end] - before[end])
    return Math.min(one, other) > SLACK || Math.max(one, other) < -SLACK
  })
  const plain = ({ left, top, right, bottom }) => ({ left, top, right, bottom })
  const said = (box) => ['left', 'top', 'right', 'bottom'].map((end) => Math.round(box[end])).join()
  const note = (what, before, now) => steady.moves.push(`${what}: ${said(before)} -> ${said(now)}`)
  const textOf = (node, selector) => node?.querySelector(selector)?.textContent ?? ''
  const named = (node) => [
    textOf(node.closest('dialog'), 'h2'), textOf(node.closest('li'), 'em'),
    `${node.localName}#${node.id}.${node.className}`,
    (node.getAttribute('aria-label') ?? (node.textContent || node.type || '')).trim().slice(0, 40),
  ].join(' ')

  /** Control -> its name and box. */
  let places = new Map()
  let screen = ''
  let isPressed = false
  /** The spans of time in which the page answers a press at once: [from, to]. */
  const free = []
  // What a press changes at once is its answer.
  for (const type of ['click', 'keydown', 'change']) {
    addEventListener(type, () => {
      if (!isPressed) free.push([performance.now(), Infinity])
      isPressed = true
    }, { capture: true })
  }
  const watch = () => {
    requestAnimationFrame(watch)
    if (document.body === null) return
    if (free.length > 0 && !isPressed && free.at(-1)[1] === Infinity) free.at(-1)[1] = performance.now()
    const { dataset, classList } = document.body
    if (dataset.screen !== screen) {
      screen = dataset.screen
      if (!isPressed) free.push([performance.now(), Infinity])
      isPressed = true
    }
    if (isPressed) places = new Map()
    isPressed = false
    const seen = new Map()
    const gone = [...places].filter(([control]) => !control.isConnected)
    for (const control of document.querySelectorAll(CONTROLS)) {
      const box = plain(control.getBoundingClientRect())
      const isSeen = control.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (!isSeen || control.closest('#table') || box.right - box.left < 2) continue
      const name = named(control)
      // A control that is made anew with the same name is the same.
      const before = places.has(control) ? [places.get(control)]
        : gone.map(([, one]) => one).filter((one) => one.name === name)
      if (before.length > 0 && before.every((one) => isCarried(one.box, box))) note(name, before[0].box, box)
      seen.set(control, { name, box })
    }
    // The bars are hidden while a book moves, and come back.
    places = classList.contains('moving') ? new Map([...places, ...seen]) : seen
  }
  watch()

  if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return
  const isFree = ({ startTime }) => free.some(([from, to]) => from <= startTime && startTime <= to)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node, previousRect, currentRect } of isFree(entry) ? [] : entry.sources) {
        const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node
        if (!element?.isConnected || element.closest('#table') || !isCarried(previousRect, currentRect)) continue
        note(`layout shift of ${named(element)}`, previousRect, currentRect)
      }
    }
  }).observe({ type: 'layout-shift' })
})()
