/// A reason that a document, a page or an image cannot be shown.
///
/// Texts are names from the document, which its notice makes safe to show. Pages are counted from 0
/// here and from 1 in notices.
package enum PressFault: Error, Equatable, Sendable {
  /// The document needs a password: ask for it and open the document again.
  case encrypted
  /// The password is wrong.
  case wrongPassword
  /// An archive or one of its entries is encrypted; passwords of archives are not supported.
  case encryptedArchive(DocumentFormat)
  /// The document violates its format.
  case damaged(DocumentFormat)
  /// An unsupported kind of file: `unknownFile`, `emptyFile` or `packedFile`.
  case unsupported(String)
  /// An archive of a known format with an unsupported feature.
  case unsupportedArchive(DocumentFormat)
  /// The pages of an EPUB must be laid out, and the engine for that is not installed.
  case engineMissing
  /// The engine that lays out EPUBs failed; the value says where.
  case engineFailed(String)
  /// A document with DRM.
  case protected
  /// The file is too large, in bytes.
  case fileTooLarge(bytes: Int, limit: Int)
  /// The document has too many pages.
  case tooManyPages(Int, limit: Int)
  /// The document has no page, or the archive has no image.
  case noPages(DocumentFormat)
  /// There is no such page; the document has `count` pages.
  case noSuchPage(Int, count: Int)
  /// The size of a page exceeds the limits; the others can still be shown.
  case pageTooLarge(Int)
  /// A page could not be rendered; the others can still be shown.
  case pageDamaged(Int)
  /// A page would be blank, because no font is installed for its text; the others can be shown.
  case fontMissing(page: Int)
  /// The document is a form that only Adobe's programs can show (XFA).
  case dynamicForm
  /// The header of an image claims too many pixels.
  case imageTooLarge(name: String, width: Int, height: Int, limit: Int)
  /// A file is an image by its name, but its bytes are in no known format.
  case unknownImage(name: String)
  /// An image cannot be decoded.
  case imageDamaged(name: String)
  /// An entry is too large when unpacked.
  case entryTooLarge(name: String, limit: Int)
  /// The archive is too large when unpacked.
  case archiveTooLarge(limit: Int)
  /// The archive has too many entries.
  case tooManyEntries(limit: Int)
  /// The archive expands so much that it looks like an attack.
  case ratio(name: String, limit: Int)
  /// The archive contains another archive and no images.
  case nestedArchive(name: String)
  /// The time limit was exceeded, on a page if it is known.
  case tookTooLong(page: Int?)
  /// The memory limit was exceeded, on a page if it is known.
  case neededTooMuchMemory(page: Int?)
  /// The press ended unexpectedly, on a page if it is known.
  case stopped(page: Int?)
  /// The press could not be confined and reads nothing; the value is the call that failed.
  case unconfined(String)
  /// The request is invalid; the value is the reason.
  case badRequest(String)
  /// The request was dropped because there were too many. Only the server reports this.
  case busy
  /// A file cannot be read; the values are its last name and the reason: `notRegular`, `isFolder`,
  /// `replaced` or the text of the system. Only the server reports this.
  case unreadable(name: String, reason: String)
  /// The server is stopping. Only the server reports this.
  case closing

  /// Returns the fault that the end of a press indicates.
  ///
  /// - Parameters:
  ///   - signal: The signal that ended it; `nil` if it exited.
  ///   - diagnostics: The last lines of its standard error.
  ///   - page: The page that it was working on, counted from 0; nil if there was none.
  /// - Returns: The fault to report.
  package static func ending(signal: Int32?, diagnostics: String, page: Int?) -> PressFault {
    // SIGXCPU has this number on every Linux except MIPS.
    if signal == 24 { return .tookTooLong(page: page) }
    let signs = ["failed to allocate", "bad_alloc", "out of memory", "Cannot allocate memory"]
    if signs.contains(where: { contains(diagnostics, $0) }) {
      return .neededTooMuchMemory(page: page)
    }
    return .stopped(page: page)
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start..<(start + part.count)].elementsEqual(part)
    }
  }
}
