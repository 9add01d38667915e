/** German for text.js. */

export const WORDS = {
  page: (label) => `Seite ${label}`,

  select: 'Text markieren',
  selecting: 'Über die Wörter ziehen, um sie zu markieren. Mit Escape wird wieder geblättert.',
  nothingToSelect: 'Auf diesen Seiten gibt es keine Wörter zu markieren.',

  reader: {
    open: 'Leseansicht',
    text: 'Der Text dieser Seiten',
    picture: 'Diese Seite ist ein Bild ohne Wörter.',
    notYet: 'Der Text dieser Seite ist noch nicht gelesen. Diese Ansicht gleich noch einmal öffnen.',
    failed: 'Der Text dieser Seite konnte nicht geladen werden.',
    cover: 'Das ist die Innenseite des Einbands.',
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    smaller: 'Kleinere Schrift',
    larger: 'Größere Schrift',
    font: 'Schrift',
    fonts: { book: 'Garamond', plain: 'Serifenlos', dyslexic: 'OpenDyslexic' },
  },

  fit: {
    title: 'Ans Fenster anpassen',
    whole: 'Ganzes Buch',
    wholePage: 'Ganze Seite',
    spread: 'Breite beider Seiten',
    page: 'Breite einer Seite',
    words: 'Breite des Textes',
    half: 'Halbe Seite',
    noWords: 'In diesem Buch gibt es keine Wörter zu messen. Das Fenster zeigt die Breite einer Seite.',
  },

  go: {
    title: 'Zu einer Seite gehen',
    from: (place) => `${place}. Zu einer Seite gehen`,
    range: (first, last) => (first === last ? `Seite ${first}` : `Seiten ${first} bis ${last}`),
    field: 'Seitenzahl',
    go: 'Los',
    none: (typed) => `Eine Seite ${typed} gibt es in diesem Buch nicht.`,
  },

  all: 'Alle Seiten',
}
