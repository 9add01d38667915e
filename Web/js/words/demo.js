/** The texts of the demo. */

export const WORDS = {
  screens: { laptop: 'Laptop', tablet: 'Tablet', phone: 'Phone', wall: 'Wall' },
  titles: ['', 'One room, one screen', 'One room, two screens', 'One room, three screens', 'One room, four screens'],
  windowTitle: (title) => `${title} · Lectern`,
  hint: 'Turn a page on any of them.',
  arriving: 'connecting',
  roundTrip: (ms) => `round trip ${ms} ms`,
  inTime: 'in time',
  offBy: (ms) => `off by ${ms} ms`,
  atRest: 'at rest',
  rate: (frames) => (frames === 1 ? '1 frame a second' : `${frames} frames a second`),
  room: (name) => `Room ${name}`,
  letIn: 'Let others in',
  join: (code, address) => ['Join with ', { name: code }, `at ${address}`],
}
