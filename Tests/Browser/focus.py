"""Where the focus is, and what a page has received of keys and clicks."""

# Waits until the window has its new size: the focus moves when the bars are laid out again.
QUIET = """document.hasFocus() && await new Promise(done => {
  let left = 10
  const again = () => { left = 10 }
  const events = [['resize', false], ['focus', true]]
  for (const [type, captures] of events) addEventListener(type, again, captures)
  const tick = () => {
    left -= 1
    if (left > 0) return requestAnimationFrame(tick)
    for (const [type, captures] of events) removeEventListener(type, again, captures)
    done(true)
  }
  requestAnimationFrame(tick)
})"""
# The focus, and the keys and clicks since the state was noted.
LATELY = "[document.activeElement?.outerHTML.slice(0, 200), document.hasFocus(), __lately]"
# Notes the state before a control is used.
NOTE = """(() => {
  if (!window.__lately) {
    for (const type of ['keydown', 'click', 'blur', 'focus', 'toggle']) {
      addEventListener(type, ({ key, target, isTrusted }) => {
        const { ariaLabel, id, nodeName } = target
        __lately.push([type, key, ariaLabel ?? id ?? nodeName, isTrusted])
      }, true)
    }
  }
  window.__lately = []
  window.__camera = () => {
    const { m11, m41, m42 } = new DOMMatrix(document.getElementById('stage').style.transform)
    return [m11, m41, m42]
  }
  window.__from = __camera()
  window.__was = __lectern.caption.index
})()"""
