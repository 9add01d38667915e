/// A reason that a document, a page or an image cannot be shown.
///
/// Texts inside are names as the document gives them; ``PressFault/message`` makes them fit to
/// show. Pages are numbered from 0 here and from 1 in messages.
public enum PressFault: Error, Equatable, Sendable {
  /// A password is needed: ask for it and open again.
  case encrypted
  /// The password is not the document's.
  case wrongPassword
  /// An archive or one of its entries is encrypted; there is no asking for its password.
  case encryptedArchive(DocumentFormat)
  /// The document breaks the rules of its format.
  case damaged(DocumentFormat)
  /// A format, by its name, that is not read here.
  case unsupported(String)
  /// An archive of a known format that uses a part of it that is not read here.
  case unsupportedArchive(DocumentFormat)
  /// A DjVu document.
  case djvu
  /// An EPUB without fixed pages.
  case reflowable
  /// A document that only programs of its vendor may open.
  case protected
  /// The file has so many bytes.
  case fileTooLarge(bytes: Int, limit: Int)
  /// The document has so many pages.
  case tooManyPages(Int, limit: Int)
  /// The document has no page, the archive no image.
  case noPages(DocumentFormat)
  /// There is no such page; the document has so many.
  case noSuchPage(Int, count: Int)
  /// A page's box is outside of the limits; the others can still be shown.
  case pageTooLarge(Int)
  /// A page could not be drawn; the others can still be shown.
  case pageDamaged(Int)
  /// An image's header speaks of too many pixels.
  case imageTooLarge(name: String, width: Int, height: Int, limit: Int)
  /// An image cannot be decoded.
  case imageDamaged(name: String)
  /// An entry unpacks to too many bytes.
  case entryTooLarge(name: String, limit: Int)
  /// The archive unpacks to too many bytes.
  case archiveTooLarge(limit: Int)
  /// The archive has more entries than this.
  case tooManyEntries(limit: Int)
  /// The archive unpacks to so many times its size that it looks like an attack.
  case ratio(name: String, limit: Int)
  /// The archive holds another archive and no images.
  case nestedArchive(name: String)
  /// The time is used up, on a page if it is known.
  case tookTooLong(page: Int?)
  /// The memory is used up, on a page if it is known.
  case neededTooMuchMemory(page: Int?)
  /// The press ended by itself, on a page if it is known.
  case stopped(page: Int?)
  /// The press could not be confined and reads nothing; the call that failed.
  case unconfined(String)
  /// The request makes no sense to the press; why.
  case badRequest(String)
  /// So much was asked for at once that this was dropped. Told by the server, not by a press.
  case busy
  /// A file that cannot be read, by its last name, and why. Told by the server, not by a press.
  case unreadable(name: String, reason: String)
  /// The server is ending. Told by the server, not by a press.
  case closing
}
