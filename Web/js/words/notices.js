/**
 * The texts of what the server says, by its codes. {name} stands for a value, {name:number} for a number with
 * separators, {name:size} for a size in bytes, and {name:word} for one of the words or a text that is none.
 */

import { TABLES } from '../language.js'

export const WORDS = TABLES.notices ?? {
  // In a room.
  bookEndsHere: 'The book ends here. Turn once more to close it.',
  bookBeginsHere: 'The book begins here. Turn once more to close it.',
  tooManyRequests: 'Too many requests. Wait a moment.',
  hostsOnly: 'Only a host can do that. Ask for the host\'s link.',
  notYours: 'You cannot decide that now.',
  openBookFirst: 'Open the book that you want to share.',
  ownersRoom: 'The room belongs to this reader. Nobody else decides about its owner.',
  shareFirst: 'Share the room before you bring others along.',
  bookGone: 'This book is not in the library any more.',
  openBookGone: 'The file of this book is gone or has changed. It stays open until you close it.',
  bookClosed: 'This book cannot be opened.',
  unknownCode: 'The code is mistyped or has expired. Codes last {minutes} minutes; ask for a new one.',
  otherRoom: 'You are reading here in another window. Open the room {room}.',
  tooManySharedHere: '{count} rooms are shared from here. End a session before you share another room.',
  tooManyShared: 'This library shares at most {count:number} rooms. Ask the person who runs it.',

  // Recordings.
  closeRecordingFirst: 'Close the recording first.',
  holdersOnly: 'Only a reader that has the book can do that.',
  recordingPlays: 'A recording is being played. Close it, then record this session.',
  recordsAll:
    'This server was started with --record and records all rooms into one file. Start it without --record to ' +
    'record a single room.',
  recordingTooLong: 'The recording has ended: it is {hours} hours long, which is the limit.',
  recordingTooLarge: 'The recording has ended: it has {bytes:size}, which is the limit.',
  recordingNotStored: 'The recording has ended: it could not be stored: {reason}.',
  recordingOpens: 'A recording is being opened already. Wait a moment.',
  noSuchRecording: 'There is no recording {recording}, or it is still being made.',
  recordingTooBig: 'The recording {recording} has {bytes:size}; at most {limit:size} can be played.',
  recordingUnreadable: 'The recording {recording} cannot be read: {reason}.',

  // Books and their files.
  tooManyKeys: 'Too many wrong keys came from here; wait a minute.',
  bookNotOpen: 'This book is not open to you. Open it in a room that you are in.',
  noSuchBook: 'There is no book {book} in this library. Look at the list again.',
  bookUnreadable: 'This book cannot be read. Import its file again.',
  bookInBin: 'This book is in the bin. Bring it back to read it.',
  fileGone: 'The file of this book is gone. Put it back.',
  importGone: 'The file of this book is gone. Import it again.',
  keepsFiles:
    'This server deletes no files of the library’s folder. Delete the file there, or start the server with ' +
    '--delete-files.',
  keepsFolders: 'A folder of pictures is not deleted. Delete it in the library’s folder.',
  fixedType: 'The pages of this book are fixed, so its text cannot have another size.',
  textTooLong: 'This text is longer than {limit:number} bytes. Write a shorter one.',
  libraryFull: 'The disk of the library is full, so this could not be stored. Free some space and try again.',
  catalogueFailed:
    'The catalogue failed: {reason} (code {number}), at: {subject}. Check that the data folder can be written ' +
    'and has room, then try again.',
  storeSilent: 'This book cannot be fetched now, because the store does not answer. Try again soon.',
  storeFailed: 'This book cannot be fetched from the store. {reason}',
  other: '{reason}',

  // Uploads and imports.
  uploadTooLarge: 'This file is larger than {limit:size}.',
  uploadEmpty: 'This file is empty. Choose one with pages in it.',
  uploadUnnamed: 'The file has no name. Give it one and try again.',
  tooManyUploads: '{count} files are being uploaded already. Wait until one has arrived.',
  noSuchUpload: 'There is no upload {upload}. Start again.',
  uploadNotStored: 'The file could not be stored: {reason}. Ask the administrator to check the disk.',
  noRoomForUpload:
    'The disk of the library has no room for this file of {bytes:size}; {free:size} are free. Free some space on ' +
    'the server and upload it again.',
  uploadDiskFull:
    'The disk of the library has no room for this file of {bytes:size}. Free some space on the server and upload ' +
    'it again.',
  folderWithoutImages: 'The folder {path} contains no images. Choose a folder of JPEG, PNG, WebP or SVG files.',
  folderUnreadable:
    'None of the images of this folder can be shown, not even {name}. Save them again as JPEG, PNG or WebP.',
  folderEmpty: 'None of the images of this folder can be shown. Put JPEG, PNG or WebP files into it.',
  fileChanged: 'The file {path} changed while it was read. Import it again.',
  importStopped: 'The library was closed during the import. Import the book again.',
  fileMissing: 'There is no file at {path}. Check its name.',
  fileForbidden: 'The file {path} cannot be read or written. Check its permissions.',
  noRoomForFile: 'There is no room for {path}. Free some space and try again.',
  fileDamaged: 'The file {path} is damaged. Restore it from a copy, or remove it to create a new one.',
  fileFailed: 'The file {path} failed: {reason}. Check the disk.',
  fileUnusable: 'The file {path} cannot be used: {reason:word}.',

  // Documents and their pages.
  passwordNeeded: 'This book needs a password. Enter it to open the book.',
  passwordWrong: 'This password does not open the book. Check it and enter it again.',
  archiveEncrypted: 'This {format:word} is encrypted. Unpack it with its password and import the images.',
  documentDamaged: 'This {format:word} is damaged and could not be opened. Try another copy of the file.',
  pdfWithoutPages: 'This PDF is damaged and could not be opened: it has no pages. Try another copy of the file.',
  archiveWithoutImages: 'This {format:word} has no images that could be pages. Put JPEG, PNG or WebP files into it.',
  unsupported: 'Lectern cannot read {what:word}. Use a PDF, images, or an archive of images.',
  unsupportedRAR: 'This kind of RAR archive (solid, encrypted or old) is not supported. Repack it as ZIP.',
  unsupportedArchive: 'This kind of {format:word} is not supported. Repack it as ZIP.',
  engineMissing: 'The pages of this book must be laid out, and the server has no engine for that. Install ' +
    'chromium-headless-shell (in a clone: Scripts/install-epub); the book is then read again.',
  engineFailed: 'The layout of this book failed ({step}). Try again, or convert the book to PDF.',
  protected: 'This book is locked by its seller (DRM) and cannot be opened. Use a copy without a lock.',
  fileTooLarge: 'This file is larger than {limit:size}: it has {bytes:size}. Split it.',
  tooManyPages: 'This book has {count:number} pages; the limit is {limit:number}. Split it.',
  pageBeyondEnd: 'There is no page {page}. The book has {count} pages.',
  pageTooLarge: 'Page {page} is too large to show. The rest of the book can be read.',
  fontMissing: 'Page {page} has text in letters for which no font is installed on the server. '
    + 'Install one, such as Debian\'s package fonts-droid-fallback.',
  dynamicForm: 'This PDF is a form that only Adobe\'s programs can show (XFA). '
    + 'Print it to a PDF there, and add that one.',
  pageDamaged: 'Page {page} is damaged and cannot be shown. The rest of the book can be read.',
  pageTookTooLong: 'Reading page {page} took too long. Try again, or continue with another page.',
  bookTookTooLong: 'Reading this book took too long. Try again, or save it again as a simpler file.',
  pageTookMemory: 'Page {page} needed too much memory. The rest of the book can be read.',
  bookTookMemory: 'This book needed too much memory. Save it again as a simpler file, or split it.',
  pressStoppedOnPage: 'The reader of this format stopped on page {page}. Try again.',
  pressStopped: 'The reader of this format stopped. Try again, or try another copy of the file.',
  imageTooLarge: 'Image {name} has {width} x {height} pixels; the limit is {limit:number}. Make it smaller.',
  thisImageTooLarge: 'This image has {width} x {height} pixels; the limit is {limit:number}. Make it smaller.',
  imageUnknown: 'Image {name} is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.',
  thisImageUnknown: 'This image is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP.',
  imageDamaged: 'Image {name} is damaged and cannot be shown. Save it again.',
  thisImageDamaged: 'This image is damaged and cannot be shown. Save it again.',
  entryTooLarge: '{name} unpacks to more than {limit:size}. Make it smaller.',
  archiveTooLarge: 'This archive unpacks to more than {limit:size}. Split it.',
  tooManyEntries: 'This archive has more than {limit:number} entries. Split it.',
  archiveExpands: 'This archive unpacks to more than {limit} times its size, at {name}, as an attack would. Repack it.',
  archiveNested: '{name} is an archive inside the archive. Unpack it and import it on its own.',
  fileUnreadable: 'The file {name} cannot be read: {reason:word}. Check that it is there.',
  pressBusy: 'Too many pages were requested at once, and this one was dropped. Try again.',
  serverStopping: 'The server is stopping. Try again when it has restarted.',

  words: {
    pdf: 'PDF',
    zip: 'ZIP archive',
    rar: 'RAR archive',
    sevenZip: '7z archive',
    djvu: 'DjVu document', mobi: 'MOBI book', fictionBook: 'FB2 book',
    text: 'text',
    tar: 'tar archive',
    epub: 'EPUB',
    image: 'image',
    emptyFile: 'an empty file',
    unknownFile: 'this kind of file',
    packedFile: 'a packed file without a tar archive in it',
    notRegular: 'it is not a regular file',
    isFolder: 'it is a folder; change its images',
    replaced: 'it was just replaced by another file; try again',
    bytes: 'bytes',
  },
}
