internal import Bytes

/// A coder of the messages between the server and a press.
typealias PressCoder = ByteCoder<ByteError>

extension PressCoder {
  /// Codes a non-negative number; a writer clamps a number beyond the range of the field.
  mutating func count(_ count: Int, _ field: String) throws(ByteError) -> Int {
    Int(try number(UInt32(clamping: count), field))
  }

  mutating func count(_ count: Int, _ field: String, below end: Int) throws(ByteError) -> Int {
    let count = try self.count(count, field)
    _ = try within(0, Double(end - 1), Double(count), field)
    return count
  }

  /// Codes a page; the highest number means none.
  mutating func page(_ page: Int?, _ field: String) throws(ByteError) -> Int? {
    let page = try count(page ?? Int(UInt32.max), field)
    return page == Int(UInt32.max) ? nil : page
  }

  /// Codes a size, from a thousandth to a billion of its unit.
  mutating func size(_ size: Double, _ field: String) throws(ByteError) -> Double {
    try within(0.001, 1e9, try double(size, field), field)
  }

  mutating func box(_ box: Box, _ field: String) throws(ByteError) -> Box {
    let (left, top) = (try number(box.left, field), try number(box.top, field))
    let (right, bottom) = (try number(box.right, field), try number(box.bottom, field))
    try check(left <= right && top <= bottom, .invalid(field: field))
    return Box(left: left, top: top, right: right, bottom: bottom)
  }

  mutating func string(_ text: String, _ field: String) throws(ByteError) -> String {
    try utf8(text, field, count: try count(text.utf8.count, field))
  }

  /// Codes a text, which a reader makes one line up to a limit.
  mutating func line(
    _ text: String,
    _ field: String,
    _ limit: PressText.Limit
  ) throws(ByteError) -> String {
    let text = try string(text, field)
    return isReader ? PressText.line(text, limit) : text
  }

  /// Codes bytes, which follow their count.
  mutating func block(_ block: [UInt8], _ field: String) throws(ByteError) -> [UInt8] {
    let count = try count(block.count, field)
    guard !isReader else { return [UInt8](try slice(count, field)) }
    bytes.append(contentsOf: block)
    return block
  }

  mutating func list<Item>(
    _ items: [Item],
    _ field: String,
    atMost limit: Int,
    bytesEach: Int,
    blank: @autoclosure () -> Item,
    _ code: (inout PressCoder, Item) throws(ByteError) -> Item
  ) throws(ByteError) -> [Item] {
    try list(
      items,
      field,
      UInt32.self,
      limit: isReader ? limit : .max,
      bytesEach: bytesEach,
      blank: blank(),
      code
    )
  }
}
