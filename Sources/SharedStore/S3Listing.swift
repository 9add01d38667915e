/// The answer of an S3 API to a request for a list.
struct S3Listing {
  struct Entry: Equatable {
    var key: String
    var size: Int
    var tag: String
  }

  var entries: [Entry] = []
  var isTruncated = false

  /// Parses an answer; nil if it is not a list.
  ///
  /// The answer has a fixed form without attributes, comments or nested elements of equal names, so
  /// a search for the tags suffices.
  init?(xml bytes: [UInt8]) {
    let tags = Tags(bytes)
    guard tags.first("ListBucketResult", from: 0) != nil || tags.isOpened("ListBucketResult") else {
      return nil
    }
    isTruncated = Self.text("IsTruncated", in: bytes) == "true"
    var start = 0
    while let (content, end) = tags.first("Contents", from: start) {
      start = end
      let inner = Array(bytes[content])
      guard let key = Self.text("Key", in: inner),
        let size = Self.text("Size", in: inner).flatMap({ Int($0) }), size >= 0
      else { continue }
      entries.append(Entry(key: key, size: size, tag: Self.text("ETag", in: inner) ?? ""))
    }
  }

  /// Returns the text of the first element with a name; nil if there is none.
  static func text(_ name: String, in bytes: [UInt8]) -> String? {
    guard let (range, _) = Tags(bytes).first(name, from: 0), range.count <= 4096 else { return nil }
    return unescaped(String(decoding: bytes[range], as: UTF8.self))
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    let names = [
      "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#34;": "\"", "&apos;": "'", "&#39;": "'",
      "&amp;": "&",
    ]
    var result = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      result += rest[..<sign]
      rest = rest[sign...]
      guard let name = names.first(where: { rest.hasPrefix($0.key) }) else {
        result += "&"
        rest = rest.dropFirst()
        continue
      }
      result += name.value
      rest = rest.dropFirst(name.key.count)
    }
    return result + rest
  }
}

/// Finds elements in a simple XML text.
private struct Tags {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns whether an element begins, with or without attributes.
  func isOpened(_ name: String) -> Bool { position(of: Array("<\(name)".utf8), from: 0) != nil }

  /// Returns the content of the next element without attributes, and the position after it.
  func first(_ name: String, from start: Int) -> (content: Range<Int>, end: Int)? {
    let (opening, closing) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8))
    guard let begin = position(of: opening, from: start),
      let end = position(of: closing, from: begin + opening.count)
    else { return nil }
    return (begin + opening.count..<end, end + closing.count)
  }

  private func position(of word: [UInt8], from start: Int) -> Int? {
    guard let head = word.first else { return nil }
    var index = start
    while index + word.count <= bytes.count {
      if bytes[index] == head, bytes[index..<index + word.count].elementsEqual(word) {
        return index
      }
      index += 1
    }
    return nil
  }
}
