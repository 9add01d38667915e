/** German for start.js. */

export const WORDS = {
  program: 'Lectern',
  table: 'Der Tisch',
  notFetched: 'Das konnte nicht geladen werden. Bei bestehender Verbindung noch einmal versuchen.',
  onItsWay: (page) => `${page} ist unterwegs`,

  places: {
    inside: {
      detail: 'Die Innenseite des Einbands', position: 'der Innenseite des Einbands',
      numbers: 'Innenseite des Einbands', label: 'Innenseite des Einbands', titled: 'Innenseite des Einbands',
    },
    page: (number) => `Seite ${number}`,
    pages: (numbers) => `Seiten ${numbers}`,
    onPage: (number) => `Seite ${number}`,
    onPages: (numbers) => `Seite ${numbers}`,
    half: (number) => `Seite ${number}, zweite Hälfte`,
    ofTotal: (numbers, total) => `${numbers} von ${total}`,
    books: (count) => (count === 1 ? '1 Buch' : `${count} Bücher`),
    pageCount: (count) => (count === 1 ? '1 Seite' : `${count} Seiten`),
    closed: 'Lässt sich nicht öffnen',
    continuesOn: (place) => `Weiterlesen auf ${place}`,
    empty: 'Die Bibliothek ist leer',
    noBook: (filter) => `Kein Buch hier heißt „${filter}“`,
    lostBook: 'Ein Buch, das nicht mehr hier ist',
    recordedShelf: 'Ein aufgenommenes Regal',
  },
}
