public import PressProtocol

/// What a stored picture shows.
public struct RenditionKey: Hashable, Sendable {
  /// The book's public id.
  public var book: String
  /// The page, from 0.
  public var page: Int
  /// How large it is.
  public var size: PageSize
  /// Counts the ways in which this book has been printed; older ones are not found any more.
  public var revision: Int

  /// A page of a book at a size.
  public init(book: String, page: Int, size: PageSize, revision: Int) {
    self.book = book
    self.page = page
    self.size = size
    self.revision = revision
  }
}

/// A picture in a file.
public struct CachedRendition: Equatable, Sendable {
  /// The path of the file, which may be gone by the time it is opened: then print the page again.
  public let path: String
  /// How the picture is encoded.
  public let mediaType: RenditionBytes.MediaType
  /// The bytes the file has.
  public let byteCount: Int
}

/// The name of a stored picture's file, which says all there is to know about it, so that a cache
/// needs no other record: `BOOK.PAGE.SIZE.REVISION.BYTES.webp`.
///
/// The bytes are there because a file may come out of a crash of the machine shorter than it was.
struct RenditionName: Equatable {
  var key: RenditionKey
  var mediaType: RenditionBytes.MediaType
  var byteCount: Int

  /// A book's name in a file name may have so many bytes; the system's own limit is 255.
  static let bookBytesMax = 160

  /// The path below the cache's folder: one of 256 folders, then the file.
  var path: String {
    let file = self.file
    // FNV-1a spreads names evenly; nobody gains by making them collide.
    let sum = file.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return Self.folder(Int((sum ^ sum >> 16) & 0xFF)) + "/" + file
  }

  /// The name of one of the 256 folders.
  static func folder(_ number: Int) -> String {
    (number < 16 ? "0" : "") + String(number, radix: 16)
  }

  private var file: String {
    let book = Self.escaped(key.book)
    let parts = [
      book, String(key.page), key.size.rawValue, String(key.revision), String(byteCount),
    ]
    return (parts + [Self.ending(mediaType)]).joined(separator: ".")
  }

  init(key: RenditionKey, mediaType: RenditionBytes.MediaType, byteCount: Int) {
    self.key = key
    self.mediaType = mediaType
    self.byteCount = byteCount
  }

  /// Reads a file's name; `nil` if it is none of ours.
  init?(file: String) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, let page = Int(parts[1]), let size = PageSize(rawValue: parts[2]),
      let revision = Int(parts[3]), let byteCount = Int(parts[4]),
      let type = RenditionBytes.MediaType.allCases.first(where: { Self.ending($0) == parts[5] }),
      let book = Self.unescaped(parts[0])
    else { return nil }
    let key = RenditionKey(book: book, page: page, size: size, revision: revision)
    self.init(key: key, mediaType: type, byteCount: byteCount)
    guard self.file == file else { return nil }
  }

  private static func ending(_ type: RenditionBytes.MediaType) -> String {
    switch type {
    case .webp: "webp"
    case .jpeg: "jpg"
    case .png: "png"
    }
  }

  /// Writes what is no ASCII letter, digit, `-` or `_` as `%` and two digits.
  static func escaped(_ book: String) -> String {
    var name = ""
    for byte in book.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F:
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
    return name
  }

  private static func unescaped(_ name: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(name).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let digits = String(rest.prefix(2)),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest.removeFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
