internal import PressProtocol

/// A compact encoding of the words of a page: about eight bytes each, mostly small differences.
///
/// Each word is six numbers of variable length (seven bits in each byte, lowest first; the sign in
/// the lowest bit): the distance of its text from the end of the previous word, its length, the
/// distance of its left edge from the right edge of the previous word, its width, and the
/// differences of its upper edge and its height from those of the previous word.
enum WordCoding {
  static func encoded(_ words: [WordBox]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(words.count * 8)
    func put(_ number: Int) {
      var rest = UInt(bitPattern: (number << 1) ^ (number >> (Int.bitWidth - 1)))
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    var last = Last()
    for word in words {
      let box = word.box
      put(word.start - last.end)
      put(word.length)
      put(Int(box.left) - last.right)
      put(Int(box.right) - Int(box.left))
      put(Int(box.top) - last.top)
      put(Int(box.bottom) - Int(box.top) - last.height)
      last = Last(word)
    }
    return bytes
  }

  /// Decodes words; stops at invalid bytes.
  static func decoded(_ bytes: [UInt8]) -> [WordBox] {
    var words: [WordBox] = []
    var index = 0
    func next() -> Int? {
      var value: UInt = 0
      var shift: UInt = 0
      while index < bytes.count, shift < 63 {
        let byte = UInt(bytes[index])
        index += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80 { return Int(value >> 1) ^ -Int(value & 1) }
        shift += 7
      }
      return nil
    }
    var last = Last()
    while let gap = next(), let length = next(), let left = next(), let width = next(),
      let top = next(), let height = next()
    {
      let start = last.end &+ gap
      let x0 = last.right &+ left
      let y0 = last.top &+ top
      guard 0..<1 << 31 ~= start, 0..<1 << 31 ~= length, let left = UInt16(exactly: x0),
        let right = UInt16(exactly: x0 &+ width), let top = UInt16(exactly: y0),
        let bottom = UInt16(exactly: y0 &+ last.height &+ height)
      else { break }
      let box = Box(left: left, top: top, right: right, bottom: bottom)
      let word = WordBox(start: start, length: length, box: box)
      words.append(word)
      last = Last(word)
    }
    return words
  }

  private struct Last {
    var end = 0
    var right = 0
    var top = 0
    var height = 0

    init() {}

    init(_ word: WordBox) {
      end = word.start + word.length
      right = Int(word.box.right)
      top = Int(word.box.top)
      height = Int(word.box.bottom) - Int(word.box.top)
    }
  }
}
