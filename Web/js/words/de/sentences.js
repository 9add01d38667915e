/**
 * German for the sentences of the server and the library, by the English ones. {0} and the following are values, in
 * the order of the English sentence. words.test.mjs reads the sentences of the server and finds one that is missing.
 */

export const SENTENCES = {
  // In a room.
  'The book ends here. Turn once more to close it.': 'Das Buch endet hier. Noch einmal blättern schließt es.',
  'The book begins here. Turn once more to close it.': 'Das Buch beginnt hier. Noch einmal blättern schließt es.',
  'Too many requests. Wait a moment.': 'Zu viele Anfragen. Einen Moment warten.',
  'Only a host can do that. Ask for the host\'s link.': 'Das können nur Gastgeber. Um deren Link bitten.',
  'You cannot decide that now.': 'Das lässt sich jetzt nicht entscheiden.',
  'Open the book that you want to share.': 'Zuerst das Buch öffnen, das geteilt werden soll.',
  'The room belongs to this reader. Nobody else decides about its owner.':
    'Der Raum gehört dieser Person. Über sie entscheidet niemand sonst.',
  'Share the room before you bring others along.': 'Zuerst den Raum teilen, dann andere mitnehmen.',
  'This book cannot be read. Import its file again.':
    'Dieses Buch ist nicht lesbar. Die Datei noch einmal aufnehmen.',
  'The file of this book is gone. Import it again.':
    'Die Datei dieses Buchs ist weg. Noch einmal aufnehmen.',
  'This book is in the bin. Bring it back to read it.':
    'Dieses Buch ist gelöscht. Zum Lesen zurückholen.',
  'This book cannot be opened.': 'Dieses Buch lässt sich nicht öffnen.',
  'This book is not in the library any more.': 'Dieses Buch ist nicht mehr in der Bibliothek.',
  'Close the recording first.': 'Zuerst die Aufnahme schließen.',
  'Only a reader that has the book can do that.': 'Das kann nur, wer das Buch hat.',
  'A recording is being played. Close it, then record this session.':
    'Eine Aufnahme wird abgespielt. Zuerst diese schließen, dann aufnehmen.',
  ['This server was started with --record and records all rooms into one file. ' +
    'Start it without --record to record a single room.']:
    'Dieser Server wurde mit --record gestartet und nimmt alle Räume in eine Datei auf. ' +
    'Für die Aufnahme eines einzelnen Raums ohne --record starten.',
  'The code is mistyped or has expired. Codes last {0} minutes; ask for a new one.':
    'Der Code ist vertippt oder abgelaufen. Codes gelten {0} Minuten; nach einem neuen fragen.',
  'The recording has ended: {0}.': 'Die Aufnahme ist beendet: {0}.',
  'it is {0} hours long, and none is longer': 'Sie ist {0} Stunden lang, und länger ist keine',
  'it takes {0} MiB, and none may take more': 'Sie belegt {0} MiB, und mehr darf keine belegen',
  'the disk did not take it: {0}': 'Das Speichern ist fehlgeschlagen: {0}',
  '{0} rooms are shared from here. End a session before you share another room.':
    'Von hier sind {0} Räume geteilt. Eine Leserunde beenden, bevor ein weiterer Raum geteilt wird.',
  'This library shares at most {0} rooms. Ask the person who runs it.':
    'Diese Bibliothek teilt höchstens {0} Räume. Den Betreiber fragen.',
  'A recording is being opened already. Wait a moment.': 'Eine Aufnahme wird schon geöffnet. Einen Moment warten.',
  'there is no recording "{0}"': 'Eine Aufnahme „{0}“ gibt es nicht',
  'the recording "{0}" is not finished; end it first': 'Die Aufnahme „{0}“ läuft noch; zuerst beenden',
  'the recording "{0}" cannot be read: {1}': 'Die Aufnahme „{0}“ ist nicht lesbar: {1}',
  'it has {0} MiB, and none of more than {1} MiB is played':
    'Sie hat {0} MiB, und abgespielt wird keine mit mehr als {1} MiB',

  // Why a connection was closed.
  'Goodbye.': 'Auf Wiedersehen.',
  'The server is shutting down. Reconnect in a moment.':
    'Der Server wird beendet. Gleich noch einmal verbinden.',
  'Text messages are not supported. Send binary messages.':
    'Textnachrichten werden nicht unterstützt. Binäre Nachrichten senden.',
  'Send hello first, once and at once, from an allowed origin.':
    'Zuerst „hello“ senden, einmal und sofort, von einem erlaubten Ursprung.',
  'The message is longer than 512 bytes. Send shorter messages.':
    'Die Nachricht ist länger als 512 Byte. Kürzere Nachrichten senden.',
  'The message does not follow the protocol. Correct the client.':
    'Die Nachricht entspricht nicht dem Protokoll. Das Programm korrigieren.',
  'Unsupported protocol version. Reload the page.':
    'Diese Version des Protokolls wird nicht unterstützt. Die Seite neu laden.',
  'A room name is 1 to 32 letters, digits and hyphens.':
    'Der Name eines Raums hat 1 bis 32 Buchstaben, Ziffern und Bindestriche.',
  'Too many errors or messages. Correct the client.': 'Zu viele Fehler oder Nachrichten. Das Programm korrigieren.',
  'The room is full. Try again when somebody has left.':
    'Der Raum ist voll. Noch einmal versuchen, wenn jemand gegangen ist.',
  'You need an invitation link for this room.': 'Für diesen Raum ist ein Einladungslink nötig.',
  'The room is locked. Ask somebody in the room to unlock it.':
    'Der Raum ist abgeschlossen. Jemanden im Raum bitten, ihn aufzuschließen.',
  'The host has removed you from this reading.': 'Sie wurden aus dieser Leserunde entfernt.',
  'The connection is too slow. Reconnect on a better one.':
    'Die Verbindung ist zu langsam. Über eine bessere noch einmal verbinden.',
  'The host has closed the book.': 'Das Buch wurde für alle geschlossen.',
  'Too many wrong codes. Wait a minute, then try again.':
    'Zu viele falsche Codes. Eine Minute warten, dann noch einmal versuchen.',
  'This book is open in another window.': 'Dieses Buch ist in einem anderen Fenster offen.',
  'You read here in another window. Open a room of your own.':
    'Dieser Raum ist in einem anderen Fenster offen. Einen eigenen Raum öffnen.',
  'The room is gone. Open a room of your own.': 'Diesen Raum gibt es nicht mehr. Einen eigenen öffnen.',
  'Too many rooms were opened from here. Wait a minute, then try again.':
    'Von hier wurden zu viele Räume geöffnet. Eine Minute warten, dann noch einmal versuchen.',
  'A message to the client became too large. Reconnect in a moment.':
    'Eine Nachricht wurde zu groß. Gleich noch einmal verbinden.',

  // Keys, books and recordings.
  'This needs the library\'s key: open the address that the server printed.':
    'Dafür ist der Schlüssel der Bibliothek nötig: die Adresse öffnen, die der Server ausgegeben hat.',
  'This needs the library\'s key.': 'Dafür ist der Schlüssel der Bibliothek nötig.',
  'Too many wrong keys came from here; wait a minute.':
    'Von hier kamen zu viele falsche Schlüssel; eine Minute warten.',
  'This book is not open to you. Open it in a room that you are in.':
    'Dieses Buch ist nicht freigegeben. Es in einem Raum öffnen, an dem Sie teilnehmen.',
  'Not found.': 'Nicht gefunden.',
  'There is no collection {0} in this library.': 'Ein Regal {0} gibt es in dieser Bibliothek nicht.',
  'There is no book {0} in this library that can be read.':
    'Ein lesbares Buch {0} gibt es in dieser Bibliothek nicht.',
  'There is no recording {0}, or it is still being made.': 'Eine Aufnahme {0} gibt es nicht, oder sie läuft noch.',
  'There is no book {0} in this library. Look at the list again.':
    'Ein Buch {0} gibt es in dieser Bibliothek nicht. Noch einmal in der Liste nachsehen.',
  'There is no page {0}. The book has {1} pages, from 0 to {2}.':
    'Eine Seite {0} gibt es nicht. Das Buch hat {1} Seiten, von 0 bis {2}.',
  'The disk of the library is full, so this could not be stored. Free some space and try again.':
    'Der Speicher der Bibliothek ist voll, deshalb wurde das nicht gespeichert. ' +
    'Platz schaffen und noch einmal versuchen.',
  ['The catalogue failed: {0} (code {1}), at: {2}. ' +
    'Check that the data folder can be written and has room, then try again.']:
    'Der Katalog ist ausgefallen: {0} (Code {1}), bei: {2}. ' +
    'Prüfen, ob der Datenordner beschreibbar ist und Platz hat, dann noch einmal versuchen.',
  'This text is longer than 1,000 bytes. Write a shorter one.':
    'Dieser Text ist länger als 1.000 Byte. Einen kürzeren schreiben.',
  'This book cannot be read.': 'Dieses Buch ist nicht lesbar.',
  'The file of this book is gone. Put it back.': 'Die Datei dieses Buches fehlt. Sie wieder zurücklegen.',
  'The file of this book is gone.': 'Die Datei dieses Buches fehlt.',
  'This process cannot render pages. Start lectern-press.':
    'Dieser Prozess kann keine Seiten darstellen. lectern-press starten.',

  // Uploads and imports.
  'This file is larger than {0}.': 'Diese Datei ist größer als {0}.',
  'This file is empty. Choose one with pages in it.': 'Diese Datei ist leer. Eine mit Seiten auswählen.',
  'The file has no name. Give it one and try again.':
    'Die Datei hat keinen Namen. Ihr einen geben und noch einmal versuchen.',
  '{0} files are already on their way. Wait until one is in.':
    '{0} Dateien sind schon unterwegs. Warten, bis eine angekommen ist.',
  'There is no upload {0}. Start again.': 'Eine Übertragung {0} gibt es nicht. Noch einmal beginnen.',
  'This part begins at byte {0}, but byte {1} is next. Go on from there.':
    'Dieser Teil beginnt bei Byte {0}, aber Byte {1} ist an der Reihe. Von dort weitermachen.',
  'The file is larger than the {0} bytes that were announced. Start again.':
    'Die Datei ist größer als die angekündigten {0} Byte. Noch einmal beginnen.',
  'Another part of this file is still coming in. Wait for its end.':
    'Ein anderer Teil dieser Datei kommt noch an. Auf sein Ende warten.',
  'This file is complete already.': 'Diese Datei ist schon vollständig.',
  'The file could not be kept: {0}. Ask the administrator to check the disk.':
    'Die Datei konnte nicht gespeichert werden: {0}. Die Verwaltung bitten, den Speicher zu prüfen.',
  ['The disk of the library has no room for this file of {0}; {1} are free. ' +
    'Free some space on the server and bring it again.']:
    'Der Speicher der Bibliothek hat keinen Platz für diese Datei von {0}; {1} sind frei. ' +
    'Auf dem Server Platz schaffen und die Datei noch einmal bringen.',
  'The disk of the library has no room for this file of {0}. Free some space on the server and bring it again.':
    'Der Speicher der Bibliothek hat keinen Platz für diese Datei von {0}. ' +
    'Auf dem Server Platz schaffen und die Datei noch einmal bringen.',
  'The folder {0} contains no images. Choose a folder of JPEG, PNG, WebP or SVG files.':
    'Der Ordner {0} enthält keine Bilder. Einen Ordner mit JPEG-, PNG-, WebP- oder SVG-Dateien auswählen.',
  'The file {0} changed while it was read. Import it again.':
    'Die Datei {0} wurde beim Lesen geändert. Sie noch einmal importieren.',
  'The library was closed during the import. Import the book again.':
    'Die Bibliothek wurde beim Import geschlossen. Das Buch noch einmal importieren.',
  'None of the images of this folder can be shown. {0}': 'Keines der Bilder dieses Ordners lässt sich zeigen. {0}',
  'Put JPEG, PNG or WebP files into it.': 'JPEG-, PNG- oder WebP-Dateien hineinlegen.',
  'There is no file at {0}. Check its name.': 'Unter {0} gibt es keine Datei. Den Namen prüfen.',
  'The file {0} cannot be read or written. Check its permissions.':
    'Die Datei {0} lässt sich nicht lesen oder schreiben. Ihre Rechte prüfen.',
  'There is no room for {0}. Free some space and try again.':
    'Für {0} ist kein Platz. Platz schaffen und noch einmal versuchen.',
  'The file {0} is damaged. Restore it from a copy, or remove it to create a new one.':
    'Die Datei {0} ist beschädigt. Sie aus einer Kopie wiederherstellen oder entfernen; dann entsteht eine neue.',
  'The file {0} failed: {1}. Check the disk.': 'Die Datei {0} ist ausgefallen: {1}. Den Speicher prüfen.',
  'The file {0} cannot be used: {1}.': 'Die Datei {0} ist nicht verwendbar: {1}.',
  'it is not a regular file': 'Sie ist keine gewöhnliche Datei',
  'it is a folder; change its images': 'Sie ist ein Ordner; dessen Bilder ändern',
  'it was just replaced by another file; try again': 'Sie wurde gerade ersetzt; noch einmal versuchen',

  // Documents and their pages.
  'This PDF needs a password. Enter it to open the book.':
    'Dieses PDF verlangt ein Kennwort. Es eingeben, um das Buch zu öffnen.',
  'This password does not open the PDF. Check it and enter it again.':
    'Dieses Kennwort öffnet das PDF nicht. Es prüfen und noch einmal eingeben.',
  'This PDF is damaged and could not be opened: it has no pages. Try another copy of the file.':
    'Dieses PDF ist beschädigt und lässt sich nicht öffnen: Es hat keine Seiten. Ein anderes Exemplar versuchen.',
  'This {0} is encrypted. Unpack it with its password and import the images.':
    'Verschlüsselt: {0}. Mit dem Kennwort entpacken und die Bilder importieren.',
  'This {0} is damaged and could not be opened. Try another copy of the file.':
    'Diese Datei ({0}) ist beschädigt und lässt sich nicht öffnen. Ein anderes Exemplar versuchen.',
  'Lectern cannot read {0}. Use a PDF, images, or an archive of images.':
    'Lectern kann das nicht lesen ({0}). Ein PDF, Bilder oder ein Archiv mit Bildern verwenden.',
  'This kind of RAR archive (solid, encrypted or old) is not supported. Repack it as ZIP.':
    'Diese Art von RAR-Archiv (solide, verschlüsselt oder alt) wird nicht unterstützt. Es als ZIP neu packen.',
  'This kind of {0} is not supported. Repack it as ZIP.':
    'Diese Art von Datei ({0}) wird nicht unterstützt. Sie als ZIP neu packen.',
  'Lectern cannot read DjVu yet. Convert the book to PDF, for example with ddjvu.':
    'Lectern kann DjVu noch nicht lesen. Das Buch in PDF umwandeln, zum Beispiel mit ddjvu.',
  'This EPUB has no fixed pages, and Lectern cannot lay them out yet. Convert it to PDF.':
    'Dieses EPUB hat keine festen Seiten, und Lectern kann noch keine setzen. Es in PDF umwandeln.',
  'This book is locked by its seller (DRM) and cannot be opened. Use a copy without a lock.':
    'Dieses Buch ist durch seinen Verkäufer gesperrt (DRM). Ein Exemplar ohne Sperre verwenden.',
  'This {0} has no images that could be pages. Put JPEG, PNG or WebP files into it.':
    'Diese Datei ({0}) enthält keine Bilder, die Seiten sein könnten. JPEG-, PNG- oder WebP-Dateien hineinlegen.',
  'The press could not confine itself ({0}) and opened nothing. See the log.':
    'Das Leseprogramm konnte sich nicht abschotten ({0}) und hat nichts geöffnet. Im Protokoll nachsehen.',
  'The press does not support this request: {0}.': 'Das Leseprogramm unterstützt diese Anfrage nicht: {0}.',
  'Too many pages were requested at once, and this one was dropped. Try again.':
    'Es wurden zu viele Seiten auf einmal verlangt, und diese fiel weg. Noch einmal versuchen.',
  'The file {0} cannot be read: {1}. Check that it is there.':
    'Die Datei {0} ist nicht lesbar: {1}. Prüfen, ob sie da ist.',
  'The server is stopping. Try again when it has restarted.':
    'Der Server wird beendet. Nach seinem Neustart noch einmal versuchen.',
  'There is no page {0}. The book has {1} pages.': 'Eine Seite {0} gibt es nicht. Das Buch hat {1} Seiten.',
  'Page {0} is too large to show. The rest of the book can be read.':
    'Seite {0} ist zu groß, um sie zu zeigen. Der Rest des Buches ist lesbar.',
  'Page {0} is damaged and cannot be shown. The rest of the book can be read.':
    'Seite {0} ist beschädigt und lässt sich nicht zeigen. Der Rest des Buches ist lesbar.',
  'Reading page {0} took too long. Try again, or continue with another page.':
    'Das Lesen von Seite {0} hat zu lange gedauert. Noch einmal versuchen oder mit einer anderen Seite weitermachen.',
  'Reading this book took too long. Try again, or save it again as a simpler file.':
    'Das Lesen dieses Buches hat zu lange gedauert. Noch einmal versuchen oder es als einfachere Datei speichern.',
  'Page {0} needed too much memory. The rest of the book can be read.':
    'Seite {0} hat zu viel Speicher gebraucht. Der Rest des Buches ist lesbar.',
  'This book needed too much memory. Save it again as a simpler file, or split it.':
    'Dieses Buch hat zu viel Speicher gebraucht. Es als einfachere Datei speichern oder aufteilen.',
  'The reader of this format stopped on page {0}. Try again.':
    'Das Leseprogramm ist auf Seite {0} stehen geblieben. Noch einmal versuchen.',
  'The reader of this format stopped. Try again, or try another copy of the file.':
    'Das Leseprogramm ist stehen geblieben. Noch einmal oder mit einem anderen Exemplar versuchen.',
  'This file is larger than {0}: it has {1}. Split it.':
    'Diese Datei ist größer als {0}: Sie hat {1}. Das Buch auf mehrere Dateien aufteilen.',
  'This book has {0} pages; the limit is {1}. Split it.':
    'Dieses Buch hat {0} Seiten; höchstens {1} sind möglich. Es aufteilen.',
  'This image has {0} x {1} pixels; the limit is {2}. Make it smaller.':
    'Dieses Bild hat {0} × {1} Pixel; höchstens {2} sind möglich. Es verkleinern.',
  'Image {0} has {1} x {2} pixels; the limit is {3}. Make it smaller.':
    'Bild {0} hat {1} × {2} Pixel; höchstens {3} sind möglich. Es verkleinern.',
  'This image is damaged and cannot be shown. Save it again.':
    'Dieses Bild ist beschädigt und lässt sich nicht zeigen. Es neu speichern.',
  'This image is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.':
    'Dieses Bild hat ein Format, das Lectern nicht zeigen kann. Es als PNG, JPEG oder WebP speichern.',
  'Image {0} is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.':
    'Bild {0} hat ein Format, das Lectern nicht zeigen kann. Es als PNG, JPEG oder WebP speichern.',
  'The pages of this EPUB combine text and pictures, which Lectern cannot draw yet. Convert it to PDF.':
    'Die Seiten dieses EPUBs verbinden Text und Bilder, was Lectern noch nicht zeichnen kann. Es in PDF umwandeln.',
  'Image {0} is damaged and cannot be shown. Save it again.':
    'Bild {0} ist beschädigt und lässt sich nicht zeigen. Es neu speichern.',
  '{0} unpacks to more than {1}. Make it smaller.': '{0} ist entpackt größer als {1}. Es verkleinern.',
  'This archive unpacks to more than {0}. Split it.': 'Dieses Archiv ist entpackt größer als {0}. Es aufteilen.',
  'This archive has more than {0} entries. Split it.': 'Dieses Archiv hat mehr als {0} Einträge. Es aufteilen.',
  'This archive unpacks to more than {0} times its size, at {1}, as an attack would. Repack it.':
    'Dieses Archiv ist entpackt mehr als {0}-mal so groß, bei {1}, wie bei einem Angriff. Es neu packen.',
  '{0} is an archive inside the archive. Unpack it and import it on its own.':
    '{0} ist ein Archiv im Archiv. Es entpacken und einzeln importieren.',
  'The press failed. Try again.': 'Das Leseprogramm ist ausgefallen. Noch einmal versuchen.',

  // Formats, as parts of the sentences above.
  'ZIP archive': 'ZIP-Archiv',
  'RAR archive': 'RAR-Archiv',
  '7z archive': '7z-Archiv',
  'tar archive': 'tar-Archiv',
  'image': 'Bild',
  'an empty file': 'eine leere Datei',
  'this kind of file': 'diese Art von Datei',
  'a packed file without a tar archive in it': 'eine gepackte Datei ohne tar-Archiv darin',
}
