internal import Bytes

/// The validated name of a blob in a store.
///
/// A key consists of lower-case letters, digits, `-`, `_`, `.` and slashes, so that it needs no
/// escaping in a path or an address and is unique even where file names ignore case.
///
/// ```swift
/// BlobKey("meta/../secret")      // nil
/// BlobKey.book(digest)?.text     // "books/9f86d0..."
/// ```
package struct BlobKey: Hashable, Sendable, CustomStringConvertible {
  /// The groups of keys; each is the first part of its keys.
  package enum Group: String, CaseIterable, Sendable {
    /// Files of books and images of their pages, named by the SHA-256 digest of their content.
    case books
    /// Data derived from a book: texts and rendered pages.
    case pages
    /// The facts about books.
    case meta
    /// Records of rooms.
    case rooms
    /// The bookmarks of readers.
    case bookmarks = "places"
    /// What the processes of a cluster have in common.
    case cluster
  }

  /// The key as text.
  package let text: String
  /// The group of the key.
  package let group: Group

  /// The maximum length of a key, in bytes.
  package static let bytesMax = 200

  /// Validates a key; nil if it is not one.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, let group = Group(rawValue: String(parts[0])),
      parts.dropFirst().allSatisfy(Self.isName), Self.isFit(parts, group)
    else { return nil }
    (self.text, self.group) = (text, group)
  }

  /// Returns whether the parts after the group have the form of its keys.
  private static func isFit(_ parts: [Substring], _ group: Group) -> Bool {
    switch group {
    case .books: parts.count == 2 && isDigest(parts[1])
    case .pages: parts.count == 3 && isDigest(parts[1])
    case .meta, .bookmarks: parts.count == 2 && jsonName(parts[1]).map(isDigest) == true
    case .rooms, .cluster: parts.count == 2 && jsonName(parts[1]) != nil
    }
  }

  /// A part is not empty and does not begin with a point, so it is never `..` or a hidden file.
  private static func isName(_ part: Substring) -> Bool {
    guard let first = part.utf8.first, first != UInt8(ascii: ".") else { return false }
    return part.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x61...0x7A: true
      default: "-_.".utf8.contains(byte)
      }
    }
  }

  private static func isDigest(_ part: Substring) -> Bool { Hexadecimal.digest(part) != nil }

  private static func jsonName(_ part: Substring) -> Substring? {
    let ending = ".json"
    guard part.hasSuffix(ending), part.utf8.count > ending.utf8.count else { return nil }
    return part.dropLast(ending.count)
  }

  /// The digest that the content must have, as 64 hexadecimal digits; nil if the content may
  /// change.
  package var contentDigest: String? {
    guard group == .books || group == .pages else { return nil }
    let last = text.split(separator: "/").last ?? ""
    return Self.isDigest(last) ? String(last) : nil
  }

  /// The digest in the key, as bytes; nil if it has none.
  package var digest: [UInt8]? {
    let parts = text.split(separator: "/")
    let part = parts[1].hasSuffix(".json") ? parts[1].dropLast(5) : parts[1]
    return Hexadecimal.digest(part)
  }

  /// The key as text.
  package var description: String { text }

  /// The key of a file with this digest; nil unless the digest has 32 bytes.
  package static func book(_ digest: [UInt8]) -> BlobKey? {
    BlobKey("books/" + Hexadecimal.text(digest))
  }

  /// The key of data derived from a book.
  package static func page(_ digest: [UInt8], _ name: String) -> BlobKey? {
    BlobKey("pages/" + Hexadecimal.text(digest) + "/" + name)
  }

  /// The key of the facts about a book.
  package static func meta(_ digest: [UInt8]) -> BlobKey? {
    BlobKey("meta/" + Hexadecimal.text(digest) + ".json")
  }

  /// The key of the record of a room.
  ///
  /// A capital letter becomes an underscore and the small letter, because some shared folders
  /// ignore case.
  package static func room(_ name: String) -> BlobKey? {
    var text = ""
    for byte in name.utf8 {
      guard 0x41...0x5A ~= byte else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      text += "_"
      text.unicodeScalars.append(Unicode.Scalar(byte + 0x20))
    }
    return BlobKey("rooms/\(text).json")
  }

  /// The key of the bookmarks of a reader; nil unless the digest has 32 bytes.
  package static func bookmarks(_ reader: [UInt8]) -> BlobKey? {
    BlobKey("places/" + Hexadecimal.text(reader) + ".json")
  }
}
