/// Writes small books in the format of Mobipocket, version 6.
package enum Mobis {
  /// Returns a book with a text in HTML, which is not compressed.
  /// - Parameters:
  ///   - html: The text.
  ///   - title: The title.
  ///   - author: The author.
  ///   - encryption: The kind of its DRM; 0 for none.
  /// - Returns: The bytes of the file.
  package static func book(
    _ html: String,
    title: String,
    author: String,
    encryption: UInt16 = 0
  ) -> [UInt8] {
    let text = Array(html.utf8)
    let texts = stride(from: 0, to: text.count, by: 4096).map { start in
      Array(text[start..<min(start + 4096, text.count)])
    }
    let first = header(text.count, texts.count, title, author, encryption)
    return database([first] + texts + [[0xE9, 0x8E, 0x0D, 0x0A]])
  }

  /// Returns the record with the facts about the book.
  private static func header(
    _ length: Int,
    _ records: Int,
    _ title: String,
    _ author: String,
    _ encryption: UInt16
  ) -> [UInt8] {
    let extra = facts([(100, Array(author.utf8)), (503, Array(title.utf8))])
    var bytes = [UInt8](repeating: 0xFF, count: 248)
    func set(_ value: Int, at offset: Int) {
      bytes.replaceSubrange(offset..<offset + 4, with: big(value, 4))
    }
    bytes.replaceSubrange(0..<2, with: [0, 1])
    bytes.replaceSubrange(2..<4, with: [0, 0])
    set(length, at: 4)
    bytes.replaceSubrange(
      8..<16,
      with: big(records, 2) + big(4096, 2) + big(Int(encryption), 2) + [0, 0]
    )
    bytes.replaceSubrange(16..<20, with: Array("MOBI".utf8))
    for (offset, value) in [
      (20, 232), (24, 2), (28, 65_001), (32, 1), (36, 6), (80, records + 1),
      (84, 248 + extra.count),
      (88, title.utf8.count), (92, 9), (104, 6), (108, records + 1), (112, 0), (116, 0),
      (128, 0x40),
      (172, 0), (176, 0), (180, 0), (240, 0),
    ] { set(value, at: offset) }
    return bytes + extra + Array(title.utf8) + [0, 0, 0, 0]
  }

  private static func facts(_ records: [(tag: Int, value: [UInt8])]) -> [UInt8] {
    let list = records.flatMap { big($0.tag, 4) + big($0.value.count + 8, 4) + $0.value }
    let padding = [UInt8](repeating: 0, count: (4 - list.count % 4) % 4)
    return Array("EXTH".utf8) + big(12 + list.count, 4) + big(records.count, 4) + list + padding
  }

  private static func database(_ records: [[UInt8]]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8) + big(0, 4) + big(0, 4)
    bytes.replaceSubrange(0..<4, with: Array("Book".utf8))
    bytes += big(records.count, 2)
    var offset = bytes.count + 8 * records.count + 2
    for (index, record) in records.enumerated() {
      bytes += big(offset, 4) + big(2 * index, 4)
      offset += record.count
    }
    return bytes + [0, 0] + records.joined()
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }
}
