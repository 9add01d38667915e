/** German for demo.js. */

export const WORDS = {
  screens: { laptop: 'Laptop', tablet: 'Tablet', phone: 'Telefon', wall: 'Wand' },
  titles: [
    '', 'Ein Raum, ein Bildschirm', 'Ein Raum, zwei Bildschirme', 'Ein Raum, drei Bildschirme',
    'Ein Raum, vier Bildschirme',
  ],
  windowTitle: (title) => `${title} · Lectern`,
  hint: 'Auf einem davon umblättern.',
  arriving: 'wird verbunden',
  roundTrip: (ms) => `hin und zurück ${ms} ms`,
  inTime: 'pünktlich',
  offBy: (ms) => `${ms} ms daneben`,
  atRest: 'in Ruhe',
  rate: (frames) => (frames === 1 ? '1 Bild pro Sekunde' : `${frames} Bilder pro Sekunde`),
  room: (name) => `Raum ${name}`,
  letIn: 'Andere einlassen',
  join: (code, address) => ['Mitlesen mit ', { name: code }, `auf ${address}`],
}
