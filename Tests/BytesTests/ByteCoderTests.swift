import Bytes
import TestVectors
import Testing

/// A message with a field of each form.
private struct Sample: Equatable {
  enum Direction: UInt8, CaseIterable {
    case left = 1
    case right
  }

  var number: UInt16 = 0
  var groups: UInt64 = 0
  var share = 0.0
  var time = 0.0
  var isOn = false
  var direction = Direction.left
  var items: [UInt32] = []

  func coded(by c: inout ByteCoder<ByteError>) throws(ByteError) -> Sample {
    try Sample(
      number: c.number(number, "number"),
      groups: c.groups(groups, "groups", limit: 1 << 52),
      share: c.float(share, "share", 0, 1),
      time: c.double(time, "time"),
      isOn: c.flag(isOn, "isOn"),
      direction: c.choice(direction, "direction"),
      items: c.list(items, "items", UInt8.self, limit: 5, bytesEach: 4, blank: 0) {
        c,
        item throws(ByteError) in try c.number(item, "item")
      }
    )
  }

  /// The bytes of the sample, whose lists end after a number of bytes.
  func bytes(limit: Int = .max) -> [UInt8] {
    var bytes: [UInt8] = []
    ByteCoder<ByteError>.append(to: &bytes, limit: limit) { writer throws(ByteError) in
      _ = try coded(by: &writer)
    }
    return bytes
  }

  init(
    number: UInt16 = 0,
    groups: UInt64 = 0,
    share: Double = 0,
    time: Double = 0,
    isOn: Bool = false,
    direction: Direction = .left,
    items: [UInt32] = []
  ) {
    (self.number, self.groups, self.share, self.time) = (number, groups, share, time)
    (self.isOn, self.direction, self.items) = (isOn, direction, items)
  }

  init(decoding bytes: [UInt8]) throws(ByteError) {
    self = try ByteCoder<ByteError>.read(bytes) { reader throws(ByteError) in
      try Sample().coded(by: &reader)
    }
  }
}

@Suite("The fields of messages")
struct ByteCoderTests {
  private let sample = Sample(
    number: 0x1234,
    groups: 300,
    share: 0.5,
    time: -2.5,
    isOn: true,
    direction: .right,
    items: [1, 2, 3]
  )

  @Test("are little-endian, and are decoded as they were encoded")
  func layout() throws {
    let bytes = sample.bytes()
    // swift-format-ignore
    #expect(bytes == [
      0x34, 0x12, 0xac, 0x02, 0, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 4, 0xc0, 1, 2,
      3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0,
    ])
    #expect(try Sample(decoding: bytes) == sample)
  }

  @Test("are rejected at every length except their own")
  func lengths() {
    let bytes = sample.bytes()
    for length in bytes.indices {
      #expect(throws: ByteError.self) { try Sample(decoding: Array(bytes[..<length])) }
    }
    let trailing = ByteError.trailingBytes(offset: bytes.count, count: 1)
    #expect(throws: trailing) { try Sample(decoding: bytes + [0]) }
  }

  @Test("that are wrong are named, with the value")
  func faults() {
    func error(_ change: (inout [UInt8]) -> Void) -> ByteError? {
      var bytes = sample.bytes()
      change(&bytes)
      do { _ = try Sample(decoding: bytes) } catch { return error }
      return nil
    }
    #expect(error { $0[3] = 0 } == .notShortest(field: "groups", offset: 2))
    let share = ByteError.outOfRange(field: "share", value: 2, lowest: 0, highest: 1)
    #expect(error { $0.replaceSubrange(4..<8, with: [0, 0, 0, 0x40]) } == share)
    #expect(error { $0.replaceSubrange(6..<8, with: [0x80, 0x7f]) } == .notFinite(field: "share"))
    #expect(error { $0[16] = 2 } == .unknownValue(field: "isOn", value: 2))
    #expect(error { $0[17] = 3 } == .unknownValue(field: "direction", value: 3))
    #expect(error { $0[18] = 6 } == .tooMany(field: "items", count: 6, limit: 5))
    let missing = ByteError.truncated(field: "items", offset: 19, needed: 16, available: 12)
    #expect(error { $0[18] = 4 } == missing)
  }

  @Test("in lists end before the limit of their message")
  func truncatedLists() throws {
    for limit in 0...40 {
      let bytes = sample.bytes(limit: limit)
      let count = max(0, min(3, (limit - 19) / 4))
      #expect(bytes.count == 19 + 4 * count, "\(limit)")
      #expect(try Sample(decoding: bytes).items == Array(sample.items.prefix(count)))
    }
  }

  @Test("of any bytes are read without a trap")
  func garbage() {
    var random = SplitMix64(seed: 28)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard let sample = try? Sample(decoding: bytes) else { continue }
      #expect(sample.bytes() == bytes)
    }
  }

  @Test("are appended in place")
  func appends() {
    var bytes: [UInt8] = [9]
    bytes.reserveCapacity(100)
    let before = bytes.withUnsafeBufferPointer { $0.baseAddress }
    ByteCoder<ByteError>.append(to: &bytes) { writer throws(ByteError) in
      _ = try writer.number(UInt8(7), "seven")
    }
    #expect(bytes == [9, 7] && bytes.withUnsafeBufferPointer { $0.baseAddress } == before)
  }
}
