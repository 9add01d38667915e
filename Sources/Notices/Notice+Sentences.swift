extension Notice {
  /// What a message says, with its English sentence.
  ///
  /// `{name}` stands for a value, `{name:number}` for a number with separators, `{name:size}` for a
  /// size in bytes, and `{name:word}` for one of the ``Notice/words`` or a text that is none. Pages
  /// have the same sentences, and German ones, in `Web/js/words`. Codes without a sentence here are
  /// only said by pages.
  package enum Code: String, CaseIterable, Sendable {
    // What the others in a room have done, and answers to members; only pages show them.
    case isRecorded, recordingEnded, holderLeft, keepsBook, leavesBook, raisesHand
    case bookEndsHere, bookBeginsHere, tooManyRequests, hostsOnly, notYours, openBookFirst,
      ownersRoom, shareFirst, bookGone, openBookGone, bookClosed, unknownCode, otherRoom,
      tooManySharedHere,
      tooManyShared, closeRecordingFirst, holdersOnly, recordingPlays, recordsAll, recordingOpens,
      recordingTooBig, recordingUnreadable
    // Recordings.
    case recordingTooLong = "The recording has ended: it is {hours} hours long, which is the limit."
    case recordingTooLarge =
      "The recording has ended: it has {bytes:size}, which is the limit."
    case recordingNotStored = "The recording has ended: it could not be stored: {reason}."
    case noSuchRecording = "There is no recording {recording}, or it is still being made."
    // Books and their files; `other` is a text without a code, about a fault of a client or server.
    case tooManyKeys = "Too many wrong keys came from here; wait a minute."
    case bookNotOpen = "This book is not open to you. Open it in a room that you are in."
    case noSuchBook = "There is no book {book} in this library. Look at the list again."
    case bookUnreadable = "This book cannot be read. Import its file again."
    case bookInBin = "This book is in the bin. Bring it back to read it."
    case fileGone = "The file of this book is gone. Put it back."
    case importGone = "The file of this book is gone. Import it again."
    case keepsFiles = """
      This server deletes no files of the library\u{2019}s folder. Delete the file there, or \
      start the server with --delete-files.
      """
    case keepsFolders =
      "A folder of pictures is not deleted. Delete it in the library\u{2019}s folder."
    case fixedType = "The pages of this book are fixed, so its text cannot have another size."
    case textTooLong = "This text is longer than {limit:number} bytes. Write a shorter one."
    case libraryFull =
      "The disk of the library is full, so this could not be stored. Free some space and try again."
    case catalogueFailed = """
      The catalogue failed: {reason} (code {number}), at: {subject}. Check that the data folder \
      can be written and has room, then try again.
      """
    case storeSilent =
      "This book cannot be fetched now, because the store does not answer. Try again soon."
    case storeFailed = "This book cannot be fetched from the store. {reason}"
    case other = "{reason}"
    // Uploads and imports.
    case uploadTooLarge = "This file is larger than {limit:size}."
    case uploadEmpty = "This file is empty. Choose one with pages in it."
    case uploadUnnamed = "The file has no name. Give it one and try again."
    case tooManyUploads = "{count} files are being uploaded already. Wait until one has arrived."
    case noSuchUpload = "There is no upload {upload}. Start again."
    case uploadNotStored =
      "The file could not be stored: {reason}. Ask the administrator to check the disk."
    case noRoomForUpload = """
      The disk of the library has no room for this file of {bytes:size}; {free:size} are free. \
      Free some space on the server and upload it again.
      """
    case uploadDiskFull = """
      The disk of the library has no room for this file of {bytes:size}. Free some space on the \
      server and upload it again.
      """
    case folderWithoutImages =
      "The folder {path} contains no images. Choose a folder of JPEG, PNG, WebP or SVG files."
    case folderUnreadable = """
      None of the images of this folder can be shown, not even {name}. Save them again as JPEG, \
      PNG or WebP.
      """
    case folderEmpty =
      "None of the images of this folder can be shown. Put JPEG, PNG or WebP files into it."
    case fileChanged = "The file {path} changed while it was read. Import it again."
    case importStopped = "The library was closed during the import. Import the book again."
    case fileMissing = "There is no file at {path}. Check its name."
    case fileForbidden = "The file {path} cannot be read or written. Check its permissions."
    case noRoomForFile = "There is no room for {path}. Free some space and try again."
    case fileDamaged =
      "The file {path} is damaged. Restore it from a copy, or remove it to create a new one."
    case fileFailed = "The file {path} failed: {reason}. Check the disk."
    case fileUnusable = "The file {path} cannot be used: {reason:word}."
    // Documents and their pages.
    case passwordNeeded = "This book needs a password. Enter it to open the book."
    case passwordWrong = "This password does not open the book. Check it and enter it again."
    case archiveEncrypted =
      "This {format:word} is encrypted. Unpack it with its password and import the images."
    case documentDamaged =
      "This {format:word} is damaged and could not be opened. Try another copy of the file."
    case pdfWithoutPages =
      "This PDF is damaged and could not be opened: it has no pages. Try another copy of the file."
    case archiveWithoutImages =
      "This {format:word} has no images that could be pages. Put JPEG, PNG or WebP files into it."
    case unsupported =
      "Lectern cannot read {what:word}. Use a PDF, images, or an archive of images."
    case unsupportedRAR =
      "This kind of RAR archive (solid, encrypted or old) is not supported. Repack it as ZIP."
    case unsupportedArchive = "This kind of {format:word} is not supported. Repack it as ZIP."
    case engineMissing = """
      The pages of this book must be laid out, and the server has no engine for that. Install \
      chromium-headless-shell (in a clone: Scripts/install-epub); the book is then read again.
      """
    case engineFailed = """
      The layout of this book failed ({step}). Try again, or convert the book to PDF.
      """
    case protected =
      "This book is locked by its seller (DRM) and cannot be opened. Use a copy without a lock."
    case fileTooLarge = "This file is larger than {limit:size}: it has {bytes:size}. Split it."
    case tooManyPages = "This book has {count:number} pages; the limit is {limit:number}. Split it."
    case pageBeyondEnd = "There is no page {page}. The book has {count} pages."
    case pageTooLarge = "Page {page} is too large to show. The rest of the book can be read."
    case pageDamaged =
      "Page {page} is damaged and cannot be shown. The rest of the book can be read."
    case fontMissing = """
      Page {page} has text in letters for which no font is installed on the server. Install one, \
      such as Debian's package fonts-droid-fallback.
      """
    case dynamicForm = """
      This PDF is a form that only Adobe's programs can show (XFA). Print it to a PDF there, and \
      add that one.
      """
    case pageTookTooLong =
      "Reading page {page} took too long. Try again, or continue with another page."
    case bookTookTooLong =
      "Reading this book took too long. Try again, or save it again as a simpler file."
    case pageTookMemory = "Page {page} needed too much memory. The rest of the book can be read."
    case bookTookMemory =
      "This book needed too much memory. Save it again as a simpler file, or split it."
    case pressStoppedOnPage = "The reader of this format stopped on page {page}. Try again."
    case pressStopped =
      "The reader of this format stopped. Try again, or try another copy of the file."
    case imageTooLarge =
      "Image {name} has {width} x {height} pixels; the limit is {limit:number}. Make it smaller."
    case thisImageTooLarge =
      "This image has {width} x {height} pixels; the limit is {limit:number}. Make it smaller."
    case imageUnknown =
      "Image {name} is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP."
    case thisImageUnknown =
      "This image is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP."
    case imageDamaged = "Image {name} is damaged and cannot be shown. Save it again."
    case thisImageDamaged = "This image is damaged and cannot be shown. Save it again."
    case entryTooLarge = "{name} unpacks to more than {limit:size}. Make it smaller."
    case archiveTooLarge = "This archive unpacks to more than {limit:size}. Split it."
    case tooManyEntries = "This archive has more than {limit:number} entries. Split it."
    case archiveExpands = """
      This archive unpacks to more than {limit} times its size, at {name}, as an attack would. \
      Repack it.
      """
    case archiveNested =
      "{name} is an archive inside the archive. Unpack it and import it on its own."
    case fileUnreadable = "The file {name} cannot be read: {reason:word}. Check that it is there."
    case pressBusy = "Too many pages were requested at once, and this one was dropped. Try again."
    case serverStopping = "The server is stopping. Try again when it has restarted."
  }

  /// The English of the values that are words and not names: formats, and reasons.
  static let words = [
    "pdf": "PDF",
    "zip": "ZIP archive",
    "rar": "RAR archive",
    "sevenZip": "7z archive",
    "djvu": "DjVu document", "mobi": "MOBI book", "fictionBook": "FB2 book",
    "text": "text",
    "tar": "tar archive",
    "epub": "EPUB",
    "image": "image",
    "emptyFile": "an empty file",
    "unknownFile": "this kind of file",
    "packedFile": "a packed file without a tar archive in it",
    "notRegular": "it is not a regular file",
    "isFolder": "it is a folder; change its images",
    "replaced": "it was just replaced by another file; try again",
  ]
}

extension Notice.Code: Codable {
  /// The name by which other programs know it.
  package var name: String { "\(self)" }

  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Creates a code from its name; nil if this version does not know it.
  package init?(name: String) {
    guard let code = Self.named[name] else { return nil }
    self = code
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let code = Self(name: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "No such code.")
    }
    self = code
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
