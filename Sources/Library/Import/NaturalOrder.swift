/// The order in which people number files: `2` before `10`, capitals beside small letters.
enum NaturalOrder {
  /// A name made ready to be compared many times.
  struct Key {
    let name: String
    fileprivate let small: [UInt8]

    init(_ name: String) {
      self.name = name
      small = Array(name.lowercased().utf8)
    }
  }

  /// Tells whether a name stands before another; a strict total order on distinct names.
  static func precedes(_ a: String, _ b: String) -> Bool { precedes(Key(a), Key(b)) }

  /// Sorts things by their names.
  static func sorted<T>(_ things: [T], by name: (T) -> String) -> [T] {
    things.map { (Key(name($0)), $0) }.sorted { precedes($0.0, $1.0) }.map(\.1)
  }

  static func precedes(_ a: Key, _ b: Key) -> Bool {
    let left = a.small
    let right = b.small
    var i = 0
    var j = 0
    while i < left.count, j < right.count {
      if isDigit(left[i]), isDigit(right[j]) {
        let first = digits(in: left, from: &i)
        let second = digits(in: right, from: &j)
        // Without leading zeros a longer number is the greater one, however long it is.
        if first.count != second.count { return first.count < second.count }
        if first != second { return first.lexicographicallyPrecedes(second) }
      } else if left[i] != right[j] {
        return left[i] < right[j]
      } else {
        i += 1
        j += 1
      }
    }
    if left.count - i != right.count - j { return left.count - i < right.count - j }
    return a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func digits(in bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index].drop { $0 == 0x30 }
  }
}
