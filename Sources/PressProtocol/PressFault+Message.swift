extension PressFault: CustomStringConvertible {
  /// What is wrong, with the value, and what to do; complete sentences for readers.
  package var message: String {
    switch self {
    case .encrypted:
      "This PDF needs a password. Enter it to open the book."
    case .wrongPassword:
      "This password does not open the PDF. Check it and enter it again."
    case .encryptedArchive(let format):
      "This \(format.name) is encrypted. Unpack it with its password and import the images."
    case .damaged(let format):
      "This \(format.name) is damaged and could not be opened. Try another copy of the file."
    case .unsupported(let what):
      "Lectern cannot read \(Self.shown(what)). Use a PDF, images, or an archive of images."
    case .unsupportedArchive(.rar):
      "This kind of RAR archive (solid, encrypted or old) is not supported. Repack it as ZIP."
    case .unsupportedArchive(let format):
      "This kind of \(format.name) is not supported. Repack it as ZIP."
    case .djvu:
      "Lectern cannot read DjVu yet. Convert the book to PDF, for example with ddjvu."
    case .reflowable:
      "This EPUB has no fixed pages, and Lectern cannot lay them out yet. Convert it to PDF."
    case .fixedLayout:
      "The pages of this EPUB combine text and pictures, which Lectern cannot draw yet. Convert it "
        + "to PDF."
    case .protected:
      "This book is locked by its seller (DRM) and cannot be opened. Use a copy without a lock."
    case .noPages(.pdf):
      "This PDF is damaged and could not be opened: it has no pages. Try another copy of the file."
    case .noPages(let format):
      "This \(format.name) has no images that could be pages. Put JPEG, PNG or WebP files into it."
    case .unconfined(let call):
      "The press could not confine itself (\(Self.shown(call))) and opened nothing. See the log."
    case .badRequest(let why):
      "The press does not support this request: \(Self.shown(why))."
    case .busy:
      "Too many pages were requested at once, and this one was dropped. Try again."
    case .unreadable(let name, let reason):
      "The file \(Self.shown(name)) cannot be read: \(Self.shown(reason)). Check that it is there."
    case .closing:
      "The server is stopping. Try again when it has restarted."
    default:
      aboutPages ?? aboutSizes
    }
  }

  /// The same text as ``message``.
  package var description: String { message }

  private var aboutPages: String? {
    switch self {
    case .noSuchPage(let page, let count):
      "There is no page \(page &+ 1). The book has \(count) pages."
    case .pageTooLarge(let page):
      "Page \(page &+ 1) is too large to show. The rest of the book can be read."
    case .pageDamaged(let page):
      "Page \(page &+ 1) is damaged and cannot be shown. The rest of the book can be read."
    case .tookTooLong(let page?):
      "Reading page \(page &+ 1) took too long. Try again, or continue with another page."
    case .tookTooLong(nil):
      "Reading this book took too long. Try again, or save it again as a simpler file."
    case .neededTooMuchMemory(let page?):
      "Page \(page &+ 1) needed too much memory. The rest of the book can be read."
    case .neededTooMuchMemory(nil):
      "This book needed too much memory. Save it again as a simpler file, or split it."
    case .stopped(let page?):
      "The reader of this format stopped on page \(page &+ 1). Try again."
    case .stopped(nil):
      "The reader of this format stopped. Try again, or try another copy of the file."
    default: nil
    }
  }

  private var aboutSizes: String {
    switch self {
    case .fileTooLarge(let bytes, let limit):
      "This file is larger than \(Self.bytes(limit)): it has \(Self.bytes(bytes)). Split it."
    case .tooManyPages(let count, let limit):
      "This book has \(Self.grouped(count)) pages; the limit is \(Self.grouped(limit)). Split it."
    case .imageTooLarge(let name, let width, let height, let limit):
      "\(Self.image(name)) has \(width) x \(height) pixels; the limit is "
        + "\(Self.pixels(limit)). Make it smaller."
    case .unknownImage(let name):
      "\(Self.image(name)) is in a format that Lectern cannot show. Save it as PNG, JPEG or WebP."
    case .imageDamaged(let name):
      "\(Self.image(name)) is damaged and cannot be shown. Save it again."
    case .entryTooLarge(let name, let limit):
      "\(Self.shown(name)) unpacks to more than \(Self.bytes(limit)). Make it smaller."
    case .archiveTooLarge(let limit):
      "This archive unpacks to more than \(Self.bytes(limit)). Split it."
    case .tooManyEntries(let limit):
      "This archive has more than \(Self.grouped(limit)) entries. Split it."
    case .ratio(let name, let limit):
      "This archive unpacks to more than \(limit) times its size, at \(Self.shown(name)), as an "
        + "attack would. Repack it."
    case .nestedArchive(let name):
      "\(Self.shown(name)) is an archive inside the archive. Unpack it and import it on its own."
    default: "The press failed. Try again."
    }
  }

  private static func image(_ name: String) -> String {
    name.isEmpty ? "This image" : "Image \(shown(name))"
  }

  /// Returns a number with commas between thousands.
  private static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// Returns a number of bytes in the largest suitable unit, rounded down.
  private static func bytes(_ count: Int) -> String {
    switch count {
    case (1 << 30)...: "\(grouped(count >> 30)) GiB"
    case (1 << 20)...: "\(count >> 20) MiB"
    case (1 << 10)...: "\(count >> 10) KiB"
    default: "\(count) bytes"
    }
  }

  private static func pixels(_ count: Int) -> String {
    count >= 1_000_000 && count % 1_000_000 == 0
      ? "\(grouped(count / 1_000_000)) million" : grouped(count)
  }

  /// Returns a name from a document without control characters and at most one line long.
  private static func shown(_ name: String) -> String {
    let clean = name.unicodeScalars.lazy.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: "\u{FFFD}"
      default: scalar
      }
    }
    let kept = Array(clean.prefix(81))
    let text = String(String.UnicodeScalarView(kept.prefix(80)))
    return kept.count > 80 ? text + "..." : text
  }
}
