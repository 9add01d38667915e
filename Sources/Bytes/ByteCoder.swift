/// Reads or writes the fields of messages.
///
/// One description of the fields of a message serves both directions, so that they cannot differ.
/// Each function is given the present value of a field. A coder that writes appends it and returns
/// it; a coder that reads ignores it and returns the value that it reads:
///
/// ```swift
/// func coded(by c: inout ByteCoder<ByteError>) throws(ByteError) -> Size {
///   try Size(width: c.double(width, "width"), height: c.double(height, "height"))
/// }
/// ```
/// Numbers are little-endian. Every read is checked against the end of the message, and memory is
/// reserved only for items that the message can contain. A coder that writes throws nothing.
/// Everything is inlinable, because code that is not specialized would allocate for each field, and
/// public, because the compiler does not pass on the bodies of functions with package access.
public struct ByteCoder<Fault: ByteFault> {
  @usableFromInline let input: UnsafeRawBufferPointer
  /// Whether it reads.
  public let isReader: Bool
  @usableFromInline var place = 0
  /// The offset of the next byte to read.
  @inlinable public var offset: Int { place }
  /// The bytes that were written.
  public var bytes: [UInt8] = []
  /// The position in ``bytes`` before which lists end.
  public var end = Int.max

  /// Creates a coder that reads; the bytes must outlive it.
  @inlinable public init(reading bytes: UnsafeRawBufferPointer) {
    (input, isReader) = (bytes, true)
  }

  @inlinable init(writing bytes: consuming [UInt8], end: Int) {
    (input, isReader) = (UnsafeRawBufferPointer(start: nil, count: 0), false)
    (self.bytes, self.end) = (bytes, end)
  }

  /// Decodes a whole message.
  @inlinable public static func read<Message>(
    _ bytes: UnsafeRawBufferPointer,
    _ read: (inout ByteCoder) throws(Fault) -> Message
  ) throws(Fault) -> Message {
    var coder = ByteCoder(reading: bytes)
    let message = try read(&coder)
    try coder.finish()
    return message
  }

  /// Decodes a whole message from an array.
  @inlinable public static func read<Message>(
    _ bytes: [UInt8],
    _ read: (inout ByteCoder) throws(Fault) -> Message
  ) throws(Fault) -> Message {
    try bytes.withUnsafeBytes { buffer in
      Result { () throws(Fault) in try Self.read(buffer, read) }
    }.get()
  }

  /// Appends the fields of a message to bytes; lists end before a number of bytes.
  @inlinable public static func append(
    to bytes: inout [UInt8],
    limit: Int = .max,
    _ write: (inout ByteCoder) throws(Fault) -> Void
  ) {
    let (end, isOver) = bytes.count.addingReportingOverflow(limit)
    var coder = ByteCoder(writing: bytes, end: isOver ? .max : end)
    // With a second reference to it, the buffer would be copied.
    bytes = []
    do { try write(&coder) } catch { assertionFailure("A coder that writes threw \(error).") }
    bytes = coder.bytes
  }
}

// MARK: Checks

extension ByteCoder {
  /// Throws an error if a value that was read is wrong.
  @inlinable @inline(__always) public func check(
    _ holds: @autoclosure () -> Bool,
    _ fault: @autoclosure () -> Fault
  ) throws(Fault) {
    if isReader, !holds() { throw fault() }
  }

  /// Checks the range of a number that was read.
  @inlinable @inline(__always) public func within(
    _ lowest: Double,
    _ highest: Double,
    _ value: Double,
    _ field: String
  ) throws(Fault) -> Double {
    try check(
      value >= lowest && value <= highest,
      Fault(.outOfRange(field: field, value: value, lowest: lowest, highest: highest))
    )
    return value
  }

  /// Checks that enough bytes are left to read.
  @inlinable @inline(__always) public func require(_ needed: Int, _ field: String) throws(Fault) {
    let available = input.count - offset
    try check(
      available >= needed,
      Fault(.truncated(field: field, offset: offset, needed: needed, available: available))
    )
  }

  /// Checks that no bytes are left to read.
  @inlinable public func finish() throws(Fault) {
    let count = input.count - offset
    try check(count == 0, Fault(.trailingBytes(offset: offset, count: count)))
  }
}

// MARK: Numbers

extension ByteCoder {
  /// Codes a number in as many bytes as its type has.
  @inlinable @inline(__always)
  public mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ value: Number,
    _ field: String
  ) throws(Fault) -> Number {
    let size = MemoryLayout<Number>.size
    guard isReader else {
      for place in 0..<size {
        bytes.append(UInt8(truncatingIfNeeded: value &>> Number(truncatingIfNeeded: 8 * place)))
      }
      return value
    }
    try require(size, field)
    defer { place += size }
    return Number(littleEndian: input.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// Codes a number in at most eight groups of seven bits, in its shortest form.
  ///
  /// A number beyond the limit is not read.
  @inlinable public mutating func groups(
    _ value: UInt64,
    _ field: String,
    limit: UInt64 = .max
  ) throws(Fault) -> UInt64 {
    guard isReader else {
      bytes.appendGroups(value)
      return value
    }
    let start = offset
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 56, by: 7) {
      let byte = try number(UInt8(0), field)
      value |= UInt64(byte & 0x7f) &<< shift
      guard byte & 0x80 == 0 else { continue }
      guard byte != 0 || shift == 0 else { throw Fault(.notShortest(field: field, offset: start)) }
      guard value <= limit else { break }
      return value
    }
    throw Fault(.tooLarge(field: field, offset: start))
  }

  /// Codes a finite number in four bytes.
  @inlinable @inline(__always) public mutating func float(
    _ value: Float,
    _ field: String
  ) throws(Fault) -> Float {
    let value = Float(bitPattern: try number(value.bitPattern, field))
    try check(value.isFinite, Fault(.notFinite(field: field)))
    return value
  }

  /// Codes a finite number with the precision of four bytes.
  @inlinable @inline(__always) public mutating func float(
    _ value: Double,
    _ field: String
  ) throws(Fault) -> Double {
    Double(try float(Float(value), field))
  }

  /// Codes a number with the precision of four bytes that has a range.
  @inlinable @inline(__always) public mutating func float(
    _ value: Double,
    _ field: String,
    _ lowest: Double,
    _ highest: Double
  ) throws(Fault) -> Double {
    try within(lowest, highest, try float(value, field), field)
  }

  /// Codes a finite number in eight bytes.
  @inlinable @inline(__always) public mutating func double(
    _ value: Double,
    _ field: String
  ) throws(Fault) -> Double {
    let value = Double(bitPattern: try number(value.bitPattern, field))
    try check(value.isFinite, Fault(.notFinite(field: field)))
    return value
  }

  /// Codes a byte of flags, of which only known ones are read.
  @inlinable @inline(__always) public mutating func flags(
    _ value: UInt8,
    _ field: String,
    known: UInt8
  ) throws(Fault) -> UInt8 {
    let value = try number(value, field)
    try check(value & ~known == 0, Fault(.unknownValue(field: field, value: value)))
    return value
  }

  /// Codes 1 for true and 0 for false.
  @inlinable @inline(__always) public mutating func flag(
    _ value: Bool,
    _ field: String
  ) throws(Fault) -> Bool {
    try flags(value ? 1 : 0, field, known: 1) == 1
  }

  /// Codes one byte of an enumeration.
  @inlinable @inline(__always) public mutating func choice<Choice: RawRepresentable>(
    _ value: Choice,
    _ field: String
  ) throws(Fault) -> Choice where Choice.RawValue == UInt8 {
    let byte = try number(value.rawValue, field)
    guard let choice = Choice(rawValue: byte) else {
      throw Fault(.unknownValue(field: field, value: byte))
    }
    return choice
  }

  /// Reads the type of a message, its first byte.
  @inlinable public mutating func kind<Kind: RawRepresentable>(
    _ type: Kind.Type
  ) throws(Fault) -> Kind where Kind.RawValue == UInt8 {
    try check(offset < input.count, Fault(.empty))
    let byte = try number(UInt8(0), "type")
    guard let kind = Kind(rawValue: byte) else { throw Fault(.unknownType(byte)) }
    return kind
  }
}

// MARK: Texts and lists

/// A part of a message that occurs in lists.
public protocol ByteCoded {
  /// The errors of the protocol.
  associatedtype Fault: ByteFault
  /// Any value, which is replaced when one is read.
  static var blank: Self { get }
  /// Codes its fields, and returns what was read or written.
  func coded(by c: inout ByteCoder<Fault>) throws(Fault) -> Self
}

extension ByteCoder {
  /// Reads the next bytes.
  @inlinable public mutating func slice(
    _ count: Int,
    _ field: String
  ) throws(Fault) -> UnsafeRawBufferPointer {
    try require(count, field)
    defer { place += count }
    return UnsafeRawBufferPointer(rebasing: input[offset..<offset + count])
  }

  /// Codes the bytes of a text, which follow their count.
  @inlinable public mutating func utf8(
    _ text: String,
    _ field: String,
    count: Int
  ) throws(Fault) -> String {
    guard isReader else {
      bytes.append(contentsOf: text.utf8)
      return text
    }
    let start = offset
    guard let text = String(validating: try slice(count, field), as: UTF8.self) else {
      throw Fault(.notUTF8(field: field, offset: start))
    }
    return text
  }

  /// Codes the number of items that follow, which have a minimum size.
  ///
  /// More items than the limit are not read, and of more than that only the first ones are written.
  @inlinable public mutating func count<Count: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int,
    _ field: String,
    _ type: Count.Type,
    limit: Int = .max,
    bytesEach: Int
  ) throws(Fault) -> Int {
    let written = min(count, limit, Int(clamping: Count.max))
    let count = Int(clamping: try number(Count(truncatingIfNeeded: written), field))
    try check(count <= limit, Fault(.tooMany(field: field, count: count, limit: limit)))
    let (size, isOver) = count.multipliedReportingOverflow(by: bytesEach)
    try require(isOver ? .max : size, field)
    return count
  }

  /// Codes items, which follow their number, and returns those that were coded.
  ///
  /// Items that end less than a number of bytes before ``end`` are not written. The blank is any
  /// item, from which the closure codes those that are read.
  @inlinable public mutating func list<Item, Count: FixedWidthInteger & BitwiseCopyable>(
    _ items: [Item],
    _ field: String,
    _ type: Count.Type,
    limit: Int = .max,
    bytesEach: Int,
    leaving: Int = 0,
    blank: @autoclosure () -> Item,
    _ code: (inout ByteCoder, Item) throws(Fault) -> Item
  ) throws(Fault) -> [Item] {
    let head = bytes.count
    let count = try self.count(items.count, field, type, limit: limit, bytesEach: bytesEach)
    guard count > 0 else { return [] }
    guard isReader else {
      for place in 0..<count {
        let start = bytes.count
        _ = try code(&self, items[place])
        guard bytes.count > end &- leaving else { continue }
        bytes.removeLast(bytes.count - start)
        // The count is corrected in place.
        for byte in 0..<MemoryLayout<Count>.size {
          bytes[head + byte] = UInt8(truncatingIfNeeded: place >> (8 * byte))
        }
        return Array(items.prefix(place))
      }
      return count == items.count ? items : Array(items.prefix(count))
    }
    let blank = blank()
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try code(&self, blank)) }
    return items
  }

  /// Codes items, which follow their number, and returns those that were coded.
  @inlinable
  public mutating func list<
    Item: ByteCoded,
    Count: FixedWidthInteger & BitwiseCopyable
  >(
    _ items: [Item],
    _ field: String,
    _ type: Count.Type,
    limit: Int = .max,
    bytesEach: Int,
    leaving: Int = 0
  ) throws(Fault) -> [Item] where Item.Fault == Fault {
    try list(
      items,
      field,
      type,
      limit: limit,
      bytesEach: bytesEach,
      leaving: leaving,
      blank: .blank
    ) { c, item throws(Fault) in try item.coded(by: &c) }
  }
}
