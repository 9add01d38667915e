/** The path of a pointer in time: it moves at a constant speed between two positions. */

const FARTHEST = .12; // seconds, the longest interval between two positions of one movement
const TRAIL = 300; // ms for which the trail of a movement is visible
const WIDTH = 7; // CSS px, half the width of the trail at its beginning

/**
 * The position of a pointer at a time; null before its first one. Past positions leave the queue, except the last
 * of them.
 * @param {object[]} queue {time, kind, element, x, y}, oldest first
 */
export function placeAt(queue, time) {
  while (queue.length > 1 && queue[1].time <= time) queue.shift()
  const [now, next] = queue
  if (now === undefined || now.time > time) return null
  if (!next || now.kind !== next.kind || now.element !== next.element || next.time - now.time > FARTHEST) return now
  const share = (time - now.time) / (next.time - now.time)
  return { ...now, x: now.x + share * (next.x - now.x), y: now.y + share * (next.y - now.y) }
}

/** Removes the positions of a trail that are no longer visible. */
export function faded(trail, now) {
  while (trail.length > 0 && now - trail[0].at > TRAIL) trail.shift()
  return trail
}

/** The outline of a trail, which becomes thinner with age, as an SVG path. */
export function trailPath(trail, now) {
  if (trail.length < 2) return ''
  const sides = [[], []]
  for (const [n, { x, y, at }] of trail.entries()) {
    const before = trail[Math.max(0, n - 1)]
    const after = trail[Math.min(trail.length - 1, n + 1)]
    const [dx, dy] = [after.x - before.x, after.y - before.y]
    const width = WIDTH * Math.max(0, 1 - (now - at) / TRAIL) / (Math.hypot(dx, dy) || 1)
    sides[0].push(`${(x - dy * width).toFixed(1)} ${(y + dx * width).toFixed(1)}`)
    sides[1].unshift(`${(x + dy * width).toFixed(1)} ${(y - dx * width).toFixed(1)}`)
  }
  return `M${[...sides[0], ...sides[1]].join('L')}Z`
}
