/** Animation frames, and what stands in for them in a window that another one covers. */

const COVERED = 250; // ms without an animation frame after which the page is drawn without one

/** Calls a function with the page's time in the next animation frame. A covered window shows its page at rest, too. */
export function nextFrame(draw) {
  const run = (now) => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    draw(now)
  }
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(() => run(performance.now()), COVERED)
}
