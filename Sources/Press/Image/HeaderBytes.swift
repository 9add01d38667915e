/// The first bytes of a file, which may end anywhere; a read beyond the end returns `nil`.
struct HeaderBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  func byte(at index: Int) -> Int? { bytes.indices.contains(index) ? Int(bytes[index]) : nil }

  func matches(_ expected: [UInt8], at index: Int) -> Bool {
    index >= 0 && index + expected.count <= bytes.count
      && bytes[index..<index + expected.count].elementsEqual(expected)
  }

  func matches(_ expected: StaticString, at index: Int) -> Bool {
    matches(Array("\(expected)".utf8), at: index)
  }

  func bigEndian16(at index: Int) -> Int? {
    guard let high = byte(at: index), let low = byte(at: index + 1) else { return nil }
    return high << 8 | low
  }

  func bigEndian32(at index: Int) -> Int? {
    guard let high = bigEndian16(at: index), let low = bigEndian16(at: index + 2) else {
      return nil
    }
    return high << 16 | low
  }

  func littleEndian16(at index: Int) -> Int? {
    guard let low = byte(at: index), let high = byte(at: index + 1) else { return nil }
    return high << 8 | low
  }

  func littleEndian24(at index: Int) -> Int? {
    guard let low = littleEndian16(at: index), let high = byte(at: index + 2) else { return nil }
    return high << 16 | low
  }
}
