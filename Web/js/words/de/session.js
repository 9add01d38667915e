/** German for session.js. A place is "Seite 4", which fits after "auf" and "zu". */

export const WORDS = {
  forgetful: 'Dieser Browser speichert nichts: Mit dem Schließen dieser Seite geht die Stelle in jedem Buch verloren.',
  connecting: 'Die Verbindung zur Bibliothek wird aufgebaut',
  holding: 'Die Stelle ist gemerkt. Sobald die Verbindung wieder besteht, geht es weiter.',
  holdingAt: (place) => `Die Stelle ist gemerkt. Sobald die Verbindung wieder besteht, geht es auf ${place} weiter.`,
  offline: 'Keine Verbindung zum Netz; die Stelle ist gemerkt. Sobald es wieder da ist, geht es weiter.',
  offlineAt: (place) =>
    `Keine Verbindung zum Netz; die Stelle ist gemerkt. Sobald es wieder da ist, geht es auf ${place} weiter.`,
  late: 'Wird aufgeholt',
  keyKept: 'Dieser Browser hat jetzt den Schlüssel der Bibliothek.',
  silent: 'Dieser Raum antwortet nicht.',
  notice: (title, words) => (words === '' ? title : `${title}. ${words}`),

  noSocket: {
    title: 'Der Server antwortet, aber die Verbindung für das Buch kommt nicht durch',
    words: 'Meistens leitet ein Proxy davor keine WebSockets weiter. Der Betreiber lässt ihn die Felder Upgrade und ' +
      'Connection weitergeben. Diese Seite versucht es weiter.',
  },
  noServer: {
    title: 'Der Server antwortet nicht',
    words: 'Vielleicht startet er gerade, oder das Netz ist gestört. Diese Seite versucht es weiter.',
  },

  left: { title: 'Leserunde verlassen', words: 'Derselbe Link führt wieder zurück.', back: 'Zurückkehren' },

  ended: {
    home: 'Eigenen Raum öffnen',
    tryAgain: 'Noch einmal versuchen',
    readHere: 'Hier lesen',
    reload: 'Neu laden',
    noRoom: { title: 'Unter dieser Adresse gibt es keinen Raum', words: 'Noch einmal nach dem Link fragen.' },
    full: { title: 'Dieser Raum ist voll', words: 'Noch einmal versuchen, wenn jemand gegangen ist.' },
    libraryKey: {
      title: 'Diese Bibliothek verlangt einen Schlüssel',
      words: 'Die Adresse mit Schlüssel öffnen, die der Server beim Start nennt, oder den Betreiber fragen.',
    },
    invitation: {
      title: 'Diesem Link fehlt das Ende',
      words: 'Was nach # folgt, öffnet den Raum. Eine Anmeldeseite oder ein Messenger hat es vielleicht ' +
        'abgeschnitten. Nach den sechs Buchstaben fragen oder den Link noch einmal öffnen.',
    },
    over: {
      title: 'Diese Leserunde ist beendet',
      words: 'Ihr Link öffnet den Raum nicht mehr: Die Leserunde wurde beendet, oder es gibt neue Links.',
    },
    wrongKey: {
      title: 'Dieser Schlüssel öffnet die Bibliothek nicht',
      words: 'Er ist falsch getippt, oder die Bibliothek hat jetzt einen anderen. Der Betreiber kennt ihn.',
    },
    locked: { title: 'Dieser Raum ist abgeschlossen', words: 'Jemanden im Raum bitten, ihn aufzuschließen.' },
    byHost: (host) => `${host} hat das Buch geschlossen`,
    closed: 'Das Buch wurde für alle geschlossen',
    readTogether: (pages) => (pages === 1 ? 'Gemeinsam gelesen: 1 Seite.' : `Gemeinsam gelesen: ${pages} Seiten.`),
    tries: { title: 'Zu viele falsche Codes', words: 'Eine Minute warten, dann noch einmal versuchen.' },
    replaced: { title: 'Dieses Buch ist in einem anderen Fenster offen', words: '' },
    gone: {
      title: 'Diesen Raum gibt es nicht mehr',
      words: 'Die Leserunde ist beendet, oder lange war niemand mehr darin.',
    },
    rooms: {
      title: 'Von hier wurden zu viele Räume geöffnet', words: 'Eine Minute warten, dann noch einmal versuchen.',
    },
    removed: { title: 'Sie wurden aus dieser Leserunde entfernt', words: '' },
    other: 'Die Bibliothek hat diese Seite geschlossen',
    wrongVersion: 'Diese Version des Protokolls wird nicht unterstützt. Die Seite neu laden.',
  },
}
