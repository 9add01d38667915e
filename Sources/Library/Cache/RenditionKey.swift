internal import Bytes
package import PressProtocol
package import Pressroom

/// The identity of a stored picture.
package struct RenditionKey: Hashable, Sendable {
  /// The book's public id.
  package var book: String
  /// The page, counted from 0.
  package var page: Int
  /// The size.
  package var size: PageSize
  /// A number that changes whenever the book has to be rendered differently; pictures with older
  /// numbers are no longer found.
  package var revision: Int

  /// Creates the key of a page of a book at a size.
  package init(book: String, page: Int, size: PageSize, revision: Int) {
    self.book = book
    self.page = page
    self.size = size
    self.revision = revision
  }
}

/// A picture in a file.
package struct CachedRendition: Equatable, Sendable {
  /// The path of the file.
  ///
  /// If the file is gone by the time you open it, render the page again.
  package let path: String
  /// How the picture is encoded.
  package let mediaType: RenditionBytes.MediaType
  /// The size of the file in bytes.
  package let byteCount: Int
}

/// The file name of a stored picture, which is its only record:
/// `BOOK.PAGE.SIZE.REVISION.BYTES.DIGEST.webp`.
///
/// The name includes the size and a digest, because a file may be shorter than it was, or filled
/// with zeros, after the machine has crashed or its disk is damaged.
struct RenditionName: Equatable {
  var key: RenditionKey
  var mediaType: RenditionBytes.MediaType
  var byteCount: Int
  /// The first eight bytes of the SHA-256 digest of the file.
  var digest: UInt64

  /// The maximum length of a book's part of the name in bytes; the system limits the name to 255.
  static let bookBytesMax = 160

  /// The path in the cache folder: one of 256 folders, then the file.
  var path: String {
    let file = self.file
    // Collisions would give an attacker no advantage.
    let sum = FNV1a.hash32(file.utf8)
    return Self.folder(Int((sum ^ sum >> 16) & 0xFF)) + "/" + file
  }

  /// The name of one of the 256 folders.
  static func folder(_ number: Int) -> String {
    Hexadecimal.text(of: UInt8(truncatingIfNeeded: number))
  }

  private var file: String {
    let book = Self.escaped(key.book)
    let parts = [
      book, String(key.page), key.size.rawValue, String(key.revision), String(byteCount),
      String(digest, radix: 36),
    ]
    return (parts + [Self.ending(mediaType)]).joined(separator: ".")
  }

  init(key: RenditionKey, mediaType: RenditionBytes.MediaType, byteCount: Int, digest: UInt64) {
    self.key = key
    self.mediaType = mediaType
    self.byteCount = byteCount
    self.digest = digest
  }

  /// Parses a file name; `nil` if it is not the name of a picture.
  init?(file: String) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 7, let page = Int(parts[1]), let size = PageSize(rawValue: parts[2]),
      let revision = Int(parts[3]), let byteCount = Int(parts[4]),
      let digest = UInt64(parts[5], radix: 36),
      let type = RenditionBytes.MediaType.allCases.first(where: { Self.ending($0) == parts[6] }),
      let book = Hexadecimal.unescaped(parts[0]).flatMap({ String(validating: $0, as: UTF8.self) })
    else { return nil }
    let key = RenditionKey(book: book, page: page, size: size, revision: revision)
    self.init(key: key, mediaType: type, byteCount: byteCount, digest: digest)
    guard self.file == file else { return nil }
  }

  /// The part of a digest that a name contains.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func ending(_ type: RenditionBytes.MediaType) -> String {
    switch type {
    case .webp: "webp"
    case .jpeg: "jpg"
    case .png: "png"
    }
  }

  /// Escapes every character except ASCII letters, digits, `-` and `_` as `%` and two digits.
  static func escaped(_ book: String) -> String {
    var name = ""
    for byte in book.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F:
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += "%" + Hexadecimal.text([byte])
      }
    }
    return name
  }
}
