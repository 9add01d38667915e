/** German for library.js. */

export const WORDS = {
  label: 'Das mittlere Buch',
  turn: 'Weiter',
  about: 'Über dieses Buch',
  add: 'Buch hinzufügen',
  find: 'Buch finden',
  recordings: 'Aufnahmen',
  join: 'Mitlesen',
  joinWithCode: '\u00a0mit Code',
  open: (title) => `${title} öffnen`,
  previousBook: 'Voriges Buch',
  nextBook: 'Nächstes Buch',
  slide: 'Buch im Regal',
  wall: 'Alle Umschläge',
  row: 'Ein Umschlag nach dem anderen',
  up: 'Weiter nach oben',
  down: 'Weiter nach unten',

  continue: {
    title: 'Weiterlesen',
    begin: 'Mit dem Lesen beginnen',
    inside: 'der Innenseite des Einbands',
    page: (number) => `Seite ${number}`,
    pages: (numbers) => `Seite ${numbers}`,
    at: (title, place) => [{ name: title }, `, auf ${place}`],
    isOpen: (title, place) => [{ name: title }, ` ist auf ${place} aufgeschlagen`],
  },

  nothingFound: (filter) => `Kein Buch passt zu „${filter}“`,
  findOtherwise: 'Einen Teil des Titels oder den Namen der Autorin oder des Autors versuchen.',
  showAll: 'Alle Bücher zeigen',
  importing: (done, total) => `${done.toLocaleString('de')} von ${total.toLocaleString('de')} Büchern`,
  comingIn: 'Die Bücher werden eingelesen',
  empty: 'Die Bibliothek ist leer. Ein Buch hinzufügen',
  dropBook: 'Ein Buch hier ablegen: PDF, Comic, EPUB oder einen Ordner mit Bildern.',
  emptyForGuests: 'Die Bibliothek ist leer',
  noBookYet: 'In dieser Bibliothek ist noch kein Buch.',
  chooseFiles: 'Dateien auswählen',

  finder: {
    found: 'Gefundene Bücher',
    order: 'Reihenfolge der Bücher',
    orders: { shelved: 'Wie im Regal', title: 'Nach Titel', added: 'Neue zuerst', lastRead: 'Zuletzt gelesen' },
    searchPages: (words) => `Alle Seiten nach „${words}“ durchsuchen`,
  },

  edit: {
    title: 'Titel',
    author: 'Autor',
    read: 'Leserichtung',
    directions: { ltr: 'Von links nach rechts', rtl: 'Von rechts nach links' },
    paper: 'Papier',
    stocks: { paper: 'Papier', card: 'Karton', board: 'Pappe' },
    firstPage: 'Erste Seite',
    begin: { false: 'Auf der üblichen Seite', true: 'Auf der anderen Seite' },
    widePages: 'Breite Seiten',
    wide: { true: 'Über beide Seiten', false: 'Auf einer Seite' },
    cover: 'Seite für den Umschlag',
    coverPicture: 'Die für den Umschlag gewählte Seite',
    save: 'Speichern',
  },

  bin: {
    name: 'Gelöschte Bücher',
    kept: 'Bücher bleiben hier 30 Tage lang.',
    none: 'Es gibt kein gelöschtes Buch.',
    delete: 'Löschen',
    undo: 'Rückgängig',
    isIn: (title) => `${title} wurde gelöscht.`,
    isBack: (title) => `${title} steht wieder im Regal.`,
    since: (date) => `Gelöscht am ${date}`,
    hidden: 'Ausgeblendet; die Datei bleibt im Ordner der Bibliothek',
    restore: (title) => `${title} zurückholen`,
    back: 'Zurückholen',
    empty: 'Leeren',
    forGood: 'Die Bücher und ihre Dateien sind danach endgültig weg.',
  },

  upload: {
    kinds: 'PDF, Comic, EPUB oder ein Ordner mit Bildern',
    unreadable: (reason) => `Diese Dateien konnten nicht gelesen werden: ${reason}`,
    waiting: 'Wartet',
    progress: (sent, size) => `${bytes(sent)} von ${bytes(size)}`,
    interrupted: 'Die Verbindung ist abgebrochen. Sobald sie wieder besteht, geht es weiter.',
    importing: 'Die Datei ist angekommen. Das Buch wird geöffnet',
    done: 'Im Regal',
    cancelled: 'Abgebrochen',
    opening: 'Wird geöffnet',
    adding: (percent) => `Hinzufügen, ${percent} %`,
    onShelf: (name) => `${name} steht im Regal.`,
    show: 'Zeigen',
    cancel: 'Abbrechen',
    remove: (name) => `${name} aus der Liste entfernen`,
    notTaken: 'Die Bibliothek hat die Datei nicht angenommen. Gleich noch einmal versuchen.',
    lost: 'Die Verbindung ist abgebrochen.',
    tooManyPictures: (name, most) => `${name} hat mehr als ${most} Bilder.`,
    tooLarge: (name) => `${name} hat mehr als 4 GB an Bildern.`,
  },

  tapes: {
    none: 'Es gibt noch keine Aufnahme. Wer ein Buch teilt, kann die Leserunde aufnehmen.',
    delete: 'Löschen',
    deleted: 'Danach ist die Aufnahme endgültig weg.',
    gone: 'Gelöscht',
  },
}

const UNITS = [['GB', 1e9], ['MB', 1e6], ['KB', 1e3]]

/** A number of bytes in words. */
export function bytes(count) {
  const [unit, size] = UNITS.find(([, least]) => count >= least) ?? ['Byte', 1]
  const value = count / size
  return `${size === 1 || value >= 100 ? Math.round(value) : value.toFixed(1).replace('.', ',')} ${unit}`
}
