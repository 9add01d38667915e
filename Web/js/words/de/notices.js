/** German for notices.js. */

export const WORDS = {
  // In a room.
  bookEndsHere: 'Das Buch endet hier. Noch einmal blättern schließt es.',
  bookBeginsHere: 'Das Buch beginnt hier. Noch einmal blättern schließt es.',
  tooManyRequests: 'Zu viele Anfragen. Einen Moment warten.',
  hostsOnly: 'Das können nur Gastgeber. Um deren Link bitten.',
  notYours: 'Das lässt sich jetzt nicht entscheiden.',
  openBookFirst: 'Zuerst das Buch öffnen, das geteilt werden soll.',
  ownersRoom: 'Der Raum gehört dieser Person. Über sie entscheidet niemand sonst.',
  shareFirst: 'Zuerst den Raum teilen, dann andere mitnehmen.',
  bookGone: 'Dieses Buch ist nicht mehr in der Bibliothek.',
  openBookGone: 'Die Datei dieses Buches fehlt oder hat sich geändert. Es bleibt offen, bis es geschlossen wird.',
  bookClosed: 'Dieses Buch lässt sich nicht öffnen.',
  unknownCode: 'Der Code ist vertippt oder abgelaufen. Codes gelten {minutes} Minuten; nach einem neuen fragen.',
  otherRoom: 'Dieser Raum ist in einem anderen Fenster offen. Den Raum {room} öffnen.',
  tooManySharedHere:
    'Von hier sind {count} Räume geteilt. Eine Leserunde beenden, bevor ein weiterer Raum geteilt wird.',
  tooManyShared: 'Diese Bibliothek teilt höchstens {count:number} Räume. Die Person fragen, die sie betreibt.',

  // Recordings.
  closeRecordingFirst: 'Zuerst die Aufnahme schließen.',
  holdersOnly: 'Das kann nur, wer das Buch hat.',
  recordingPlays: 'Eine Aufnahme wird abgespielt. Zuerst diese schließen, dann aufnehmen.',
  recordsAll:
    'Dieser Server wurde mit --record gestartet und nimmt alle Räume in eine Datei auf. Für die Aufnahme eines ' +
    'einzelnen Raums ohne --record starten.',
  recordingTooLong: 'Die Aufnahme ist beendet: Sie ist {hours} Stunden lang; länger darf keine sein.',
  recordingTooLarge: 'Die Aufnahme ist beendet: Sie belegt {bytes:size}; größer darf keine sein.',
  recordingNotStored: 'Die Aufnahme ist beendet: Das Speichern ist fehlgeschlagen: {reason}.',
  recordingOpens: 'Eine Aufnahme wird schon geöffnet. Einen Moment warten.',
  noSuchRecording: 'Eine Aufnahme {recording} gibt es nicht, oder sie läuft noch.',
  recordingTooBig: 'Die Aufnahme {recording} hat {bytes:size}; abspielen lassen sich höchstens {limit:size}.',
  recordingUnreadable: 'Die Aufnahme {recording} ist nicht lesbar: {reason}.',

  // Books and their files.
  tooManyKeys: 'Von hier kamen zu viele falsche Schlüssel; eine Minute warten.',
  bookNotOpen: 'Dieses Buch ist nicht freigegeben. Es in einem Raum öffnen, an dem Sie teilnehmen.',
  noSuchBook: 'Ein Buch {book} gibt es in dieser Bibliothek nicht. Noch einmal in der Liste nachsehen.',
  bookUnreadable: 'Dieses Buch ist nicht lesbar. Die Datei noch einmal importieren.',
  bookInBin: 'Dieses Buch ist gelöscht. Zum Lesen zurückholen.',
  fileGone: 'Die Datei dieses Buches fehlt. Sie wieder zurücklegen.',
  importGone: 'Die Datei dieses Buchs ist weg. Sie noch einmal importieren.',
  keepsFiles:
    'Dieser Server löscht keine Dateien aus dem Ordner der Bibliothek. Die Datei dort löschen oder den Server ' +
    'mit --delete-files starten.',
  keepsFolders: 'Ein Ordner mit Bildern wird nicht gelöscht. Ihn im Ordner der Bibliothek löschen.',
  fixedType: 'Die Seiten dieses Buchs sind fest, sein Text kann also keine andere Größe haben.',
  textTooLong: 'Dieser Text ist länger als {limit:number} Byte. Einen kürzeren schreiben.',
  libraryFull:
    'Der Speicher der Bibliothek ist voll, deshalb wurde das nicht gespeichert. Platz schaffen und noch einmal ' +
    'versuchen.',
  catalogueFailed:
    'Der Katalog ist ausgefallen: {reason} (Code {number}), bei: {subject}. Prüfen, ob der Datenordner ' +
    'beschreibbar ist und Platz hat, dann noch einmal versuchen.',
  storeSilent:
    'Dieses Buch lässt sich gerade nicht holen, weil der Speicher nicht antwortet. Bald noch einmal versuchen.',
  storeFailed: 'Dieses Buch lässt sich nicht aus dem Speicher holen. {reason}',
  other: '{reason}',

  // Uploads and imports.
  uploadTooLarge: 'Diese Datei ist größer als {limit:size}.',
  uploadEmpty: 'Diese Datei ist leer. Eine mit Seiten auswählen.',
  uploadUnnamed: 'Die Datei hat keinen Namen. Ihr einen geben und noch einmal versuchen.',
  tooManyUploads: '{count} Dateien sind schon unterwegs. Warten, bis eine angekommen ist.',
  noSuchUpload: 'Eine Übertragung {upload} gibt es nicht. Noch einmal beginnen.',
  uploadNotStored:
    'Die Datei konnte nicht gespeichert werden: {reason}. Die Verwaltung bitten, den Speicher zu prüfen.',
  noRoomForUpload:
    'Der Speicher der Bibliothek hat keinen Platz für diese Datei von {bytes:size}; {free:size} sind frei. Auf ' +
    'dem Server Platz schaffen und die Datei noch einmal hochladen.',
  uploadDiskFull:
    'Der Speicher der Bibliothek hat keinen Platz für diese Datei von {bytes:size}. Auf dem Server Platz ' +
    'schaffen und die Datei noch einmal hochladen.',
  folderWithoutImages:
    'Der Ordner {path} enthält keine Bilder. Einen Ordner mit JPEG-, PNG-, WebP- oder SVG-Dateien auswählen.',
  folderUnreadable:
    'Keines der Bilder dieses Ordners lässt sich zeigen, auch {name} nicht. Als JPEG, PNG oder WebP neu speichern.',
  folderEmpty: 'Keines der Bilder dieses Ordners lässt sich zeigen. JPEG-, PNG- oder WebP-Dateien hineinlegen.',
  fileChanged: 'Die Datei {path} wurde beim Lesen geändert. Sie noch einmal importieren.',
  importStopped: 'Die Bibliothek wurde beim Import geschlossen. Das Buch noch einmal importieren.',
  fileMissing: 'Unter {path} gibt es keine Datei. Den Namen prüfen.',
  fileForbidden: 'Die Datei {path} lässt sich nicht lesen oder schreiben. Ihre Rechte prüfen.',
  noRoomForFile: 'Für {path} ist kein Platz. Platz schaffen und noch einmal versuchen.',
  fileDamaged:
    'Die Datei {path} ist beschädigt. Sie aus einer Kopie wiederherstellen oder entfernen; dann entsteht eine neue.',
  fileFailed: 'Die Datei {path} ist ausgefallen: {reason}. Den Speicher prüfen.',
  fileUnusable: 'Die Datei {path} ist nicht verwendbar: {reason:word}.',

  // Documents and their pages.
  passwordNeeded: 'Dieses Buch verlangt ein Kennwort. Es eingeben, um das Buch zu öffnen.',
  passwordWrong: 'Dieses Kennwort öffnet das Buch nicht. Es prüfen und noch einmal eingeben.',
  archiveEncrypted: 'Verschlüsselt: {format:word}. Mit dem Kennwort entpacken und die Bilder importieren.',
  documentDamaged:
    'Diese Datei ({format:word}) ist beschädigt und lässt sich nicht öffnen. Ein anderes Exemplar versuchen.',
  pdfWithoutPages:
    'Dieses PDF ist beschädigt und lässt sich nicht öffnen: Es hat keine Seiten. Ein anderes Exemplar versuchen.',
  archiveWithoutImages:
    'Diese Datei ({format:word}) enthält keine Bilder, die Seiten sein könnten. JPEG-, PNG- oder WebP-Dateien ' +
    'hineinlegen.',
  unsupported: 'Lectern kann das nicht lesen ({what:word}). Ein PDF, Bilder oder ein Archiv mit Bildern verwenden.',
  unsupportedRAR:
    'Diese Art von RAR-Archiv (solide, verschlüsselt oder alt) wird nicht unterstützt. Es als ZIP neu packen.',
  unsupportedArchive: 'Diese Art von Datei ({format:word}) wird nicht unterstützt. Sie als ZIP neu packen.',
  engineMissing:
    'Dieses Buch muss gesetzt werden, und dem Server fehlt das Programm dafür. Es als ' +
    'chromium-headless-shell installieren (im Quelltext: Scripts/install-epub); danach wird das Buch neu gelesen.',
  engineFailed: 'Dieses Buch konnte nicht gesetzt werden ({step}). Es noch einmal versuchen oder in PDF umwandeln.',
  protected: 'Dieses Buch ist durch seinen Verkäufer gesperrt (DRM). Ein Exemplar ohne Sperre verwenden.',
  fileTooLarge:
    'Diese Datei ist größer als {limit:size}: Sie hat {bytes:size}. Das Buch auf mehrere Dateien aufteilen.',
  tooManyPages: 'Dieses Buch hat {count:number} Seiten; höchstens {limit:number} sind möglich. Es aufteilen.',
  pageBeyondEnd: 'Eine Seite {page} gibt es nicht. Das Buch hat {count} Seiten.',
  pageTooLarge: 'Seite {page} ist zu groß, um sie zu zeigen. Der Rest des Buches ist lesbar.',
  fontMissing: 'Seite {page} enthält Schriftzeichen, für die auf dem Server keine Schrift installiert ist. '
    + 'Eine installieren, etwa das Debian-Paket fonts-droid-fallback.',
  dynamicForm: 'Dieses PDF ist ein Formular, das nur Programme von Adobe zeigen (XFA). '
    + 'Es dort als PDF drucken und dieses hinzufügen.',
  pageDamaged: 'Seite {page} ist beschädigt und lässt sich nicht zeigen. Der Rest des Buches ist lesbar.',
  pageTookTooLong:
    'Das Lesen von Seite {page} hat zu lange gedauert. Noch einmal versuchen oder mit einer anderen Seite ' +
    'weitermachen.',
  bookTookTooLong:
    'Das Lesen dieses Buches hat zu lange gedauert. Noch einmal versuchen oder es als einfachere Datei speichern.',
  pageTookMemory: 'Seite {page} hat zu viel Speicher gebraucht. Der Rest des Buches ist lesbar.',
  bookTookMemory: 'Dieses Buch hat zu viel Speicher gebraucht. Es als einfachere Datei speichern oder aufteilen.',
  pressStoppedOnPage: 'Das Leseprogramm ist auf Seite {page} stehen geblieben. Noch einmal versuchen.',
  pressStopped: 'Das Leseprogramm ist stehen geblieben. Noch einmal oder mit einem anderen Exemplar versuchen.',
  imageTooLarge: 'Bild {name} hat {width} × {height} Pixel; höchstens {limit:number} sind möglich. Es verkleinern.',
  thisImageTooLarge: 'Dieses Bild hat {width} × {height} Pixel; höchstens {limit:number} sind möglich. Es verkleinern.',
  imageUnknown: 'Bild {name} hat ein Format, das Lectern nicht zeigen kann. Es als PNG, JPEG oder WebP speichern.',
  thisImageUnknown: 'Dieses Bild hat ein Format, das Lectern nicht zeigen kann. Es als PNG, JPEG oder WebP speichern.',
  imageDamaged: 'Bild {name} ist beschädigt und lässt sich nicht zeigen. Es neu speichern.',
  thisImageDamaged: 'Dieses Bild ist beschädigt und lässt sich nicht zeigen. Es neu speichern.',
  entryTooLarge: '{name} ist entpackt größer als {limit:size}. Es verkleinern.',
  archiveTooLarge: 'Dieses Archiv ist entpackt größer als {limit:size}. Es aufteilen.',
  tooManyEntries: 'Dieses Archiv hat mehr als {limit:number} Einträge. Es aufteilen.',
  archiveExpands:
    'Dieses Archiv ist entpackt mehr als {limit}-mal so groß, bei {name}, wie bei einem Angriff. Es neu packen.',
  archiveNested: '{name} ist ein Archiv im Archiv. Es entpacken und einzeln importieren.',
  fileUnreadable: 'Die Datei {name} ist nicht lesbar: {reason:word}. Prüfen, ob sie da ist.',
  pressBusy: 'Es wurden zu viele Seiten auf einmal verlangt, und diese fiel weg. Noch einmal versuchen.',
  serverStopping: 'Der Server wird beendet. Nach seinem Neustart noch einmal versuchen.',

  words: {
    pdf: 'PDF',
    zip: 'ZIP-Archiv',
    rar: 'RAR-Archiv',
    sevenZip: '7z-Archiv',
    djvu: 'DjVu-Dokument', mobi: 'MOBI-Buch', fictionBook: 'FB2-Buch',
    text: 'Text',
    tar: 'tar-Archiv',
    epub: 'EPUB',
    image: 'Bild',
    emptyFile: 'eine leere Datei',
    unknownFile: 'diese Art von Datei',
    packedFile: 'eine gepackte Datei ohne tar-Archiv darin',
    notRegular: 'Sie ist keine gewöhnliche Datei',
    isFolder: 'Sie ist ein Ordner; dessen Bilder ändern',
    replaced: 'Sie wurde gerade ersetzt; noch einmal versuchen',
    bytes: 'Byte',
  },
}
