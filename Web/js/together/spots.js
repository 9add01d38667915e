/** Where somebody points, in time: between two news it moves evenly, as the hand did. */

const FARTHEST = .12; // seconds between two news that are one movement
const TRAIL = 300; // ms for which the light of a movement is seen
const WIDTH = 7; // CSS px of the trail where it begins, half of it

/**
 * Where the hand is at a time, or null before its first news; news that have passed leave the queue, all but
 * the last.
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

/** Forgets the places of a movement whose light has gone. */
export function faded(trail, now) {
  while (trail.length > 0 && now - trail[0].at > TRAIL) trail.shift()
  return trail
}

/** The outline of a trail that grows thin with age, as the path of an SVG. */
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
