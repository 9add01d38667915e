/** German for settings.js. */

export const WORDS = {
  title: 'Einstellungen',
  where: 'Für diesen Browser',
  names: {
    light: 'Licht', motion: 'Bewegung', text: 'Schriftgröße', sound: 'Geräusch von Papier', vibration: 'Vibration',
    language: 'Sprache', typeSize: 'Schrift in diesem Buch',
  },
  light: { day: 'Tag', night: 'Nacht', sepia: 'Sepia', system: 'Wie das System' },
  motion: { system: 'Wie das System', full: 'Voll', reduced: 'Verringert' },
  text: { 100: '100 %', 125: '125 %', 150: '150 %' },
  language: { system: 'Wie das System', en: 'English', de: 'Deutsch' },
  typeSize: {
    standard: 'Normal', large: 'Großdruck', wait: 'Die Seiten werden gesetzt …',
    title: (title) => `${title} (Großdruck)`,
  },
  sample: 'Aa',
  plain: {
    title: 'Ohne HTTPS',
    lacks: 'Unter dieser Adresse kann der Bildschirm beim Lesen ausgehen. Lectern lässt sich nicht als App ' +
      'installieren, und keine Seite sagt, wenn die Bibliothek nicht erreichbar ist.',
    remedy: ['Wie man HTTPS bekommt, auch zu Hause, zeigen der Artikel ', { name: 'Behind a proxy' },
      ' und die Datei ', { name: 'Caddyfile' }, ' unter den Beispielen von Lectern.'],
  },
}
