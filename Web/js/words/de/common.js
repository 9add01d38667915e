/** German for common.js. */

export const WORDS = {
  program: 'Lectern',
  tryAgain: 'Noch einmal versuchen',
  noImage: 'Dieses Bild lässt sich nicht zeigen. Es neu speichern.',
  oneMoment: 'Einen Moment',
  cancel: 'Abbrechen',
  notNow: 'Nicht jetzt',

  bar: {
    back: 'Zurück',
    share: 'Teilen',
    settings: 'Licht und Einstellungen',
    takesNoBooks: 'Diese Bibliothek nimmt von hier keine Bücher an.',
    dropHere: 'Bücher hier ablegen',
    dropOnShelf: (shelf) => ['Sie kommen in das Regal ', { name: shelf }, '.'],
  },

  wayBack: {
    closeBook: 'Buch schließen',
    allShelves: 'Alle Regale',
    others: 'Zurück zu den anderen',
    standUp: 'Buch aufstellen',
    toShelf: 'Zum Regal',
    leave: 'Leserunde verlassen',
  },

  sheet: { close: 'Schließen' },

  api: {
    refused: {
      401: 'Ohne ihren Schlüssel lässt sich in der Bibliothek nichts ändern.',
      403: 'Von hier aus lässt sich das in dieser Bibliothek nicht ändern.',
      404: 'Das ist nicht mehr in der Bibliothek.',
      413: 'Das ist größer, als die Bibliothek annimmt.',
      429: 'Zu viele Anfragen. Einen Moment warten, dann noch einmal versuchen.',
    },
    failed: (status) => `Das ist der Bibliothek nicht gelungen (${status}). Gleich noch einmal versuchen.`,
    garbled: 'Die Antwort kommt nicht von der Bibliothek. Gleich noch einmal versuchen.',
    silent: 'Die Bibliothek antwortet nicht. Bei bestehender Verbindung noch einmal versuchen.',
    key: 'Schlüssel der Bibliothek',
    useKey: 'Verwenden',
  },

  fault: {
    readable: 'Dieses Buch lässt sich jetzt lesen.',
    named: (title) => `${title} lässt sich jetzt lesen.`,
    unreadable: 'Dieses Exemplar konnte nicht gelesen werden.',
    password: 'Kennwort dieses Buches',
    unlock: 'Entsperren',
  },
}
