/** Animation frames, and what stands in for them in a window that another one covers. */

const COVERED = 250; // ms without an animation frame after which the page is drawn without one

let waiting = [], drawn = []
let frame = 0, timer = 0, asked = 0

function run(now) {
  cancelAnimationFrame(frame)
  frame = 0
  const due = waiting
  waiting = drawn
  drawn = due
  for (const draw of due) {
    try {
      draw(now)
    } catch (error) {
      reportError(error)
    }
  }
  due.length = 0
}

/** One timer watches many frames, so that a frame costs none. */
function watch() {
  timer = 0
  if (frame !== 0 && performance.now() - asked >= COVERED) run(performance.now())
  if (frame !== 0) timer = setTimeout(watch, Math.max(0, asked + COVERED - performance.now()))
}

/** Calls a function with the page's time in the next animation frame. A covered window shows its page at rest, too. */
export function nextFrame(draw) {
  waiting.push(draw)
  if (frame !== 0) return
  asked = performance.now()
  frame = requestAnimationFrame(run)
  if (timer === 0) timer = setTimeout(watch, COVERED)
}
