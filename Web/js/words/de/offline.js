/** German for offline.js. */

export const WORDS = {
  unreachable: 'Die Bibliothek ist nicht zu erreichen',
  checkBoth: 'Vielleicht ist sie ausgeschaltet, oder diesem Gerät fehlt das Netz. Beides prüfen, dann noch einmal ' +
    'versuchen. Die Stelle in jedem Buch bleibt gespeichert.',
  offline: 'Keine Verbindung zum Netz',
  checkNetwork: 'Sobald dieses Gerät wieder im Netz ist, öffnet sich die Bibliothek. Die Stelle in jedem Buch bleibt ' +
    'gespeichert.',
  tryAgain: 'Noch einmal versuchen',
}
