/** What is said when the connection has ended for good. */

const NO_ROOM = 4002
const FULL = 4004

/** The words for a close code, empty for the server's own, and the link that leads on. */
export function ended(code, room) {
  const words = {
    [NO_ROOM]: `No room answers to ${room}.`,
    [FULL]: 'Every seat is taken. Try again when somebody has left.',
  }
  const way = document.createElement('a')
  way.href = code === NO_ROOM ? '/' : location.href
  way.textContent = code === NO_ROOM ? 'Open a room of your own' : 'Reload'
  return { words: words[code] ?? '', way }
}
