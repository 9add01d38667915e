import Bytes
import Motion
import Scene
import TestVectors
import Testing

@testable import Wire

@Suite("Entries that receivers derive")
struct DerivedEntriesTests {
  private static func bits(_ matrix: WireMatrix) -> [UInt32] {
    (0..<16).map { matrix[$0].bitPattern }
  }

  /// Sends a matrix after another, as a delta or in full, and returns what arrives.
  private static func sent(
    _ matrix: Transform3D,
    after last: Transform3D?
  ) throws -> (matrix: WireMatrix, bytes: Int) {
    let key = ElementKey(kind: .page, item: 0)
    func frame(_ transform: Transform3D) -> Frame {
      let placement = Placement(key: key, transform: transform, opacity: 1, shade: 0, z: 0)
      return Frame(screen: .book, isSettled: false, placements: [placement])
    }
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    for bytes in encoder.introduce([Samples.element(key)]) {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    var bytes: [UInt8] = []
    encoder.snapshot(of: frame(last ?? matrix), number: 0, time: 0, into: &bytes)
    try decoder.apply(ServerMessage(decoding: bytes))
    if last != nil {
      bytes = []
      encoder.delta(of: frame(matrix), number: 1, time: 0, into: &bytes)
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    return (try #require(decoder.latest?.shown.first).matrix, bytes.count)
  }

  @Test("arrive with the bits that would have been sent, whatever the matrices")
  func exact() throws {
    var numbers = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let last = RandomMatrix.any(&numbers)
      var matrix = RandomMatrix.any(&numbers)
      // Some matrices differ in a few entries only.
      if Bool.random(using: &numbers) {
        for entry in 0..<16 where Bool.random(using: &numbers) { matrix[entry] = last[entry] }
      }
      let isFull = Bool.random(using: &numbers)
      let arrived = try Self.sent(matrix, after: isFull ? nil : last).matrix
      #expect(Self.bits(arrived) == Self.bits(WireMatrix(matrix)), "\(matrix) after \(last)")
    }
  }

  @Test("leave two numbers of a turn about the spine, whatever its angle")
  func turnSize() throws {
    for angle in stride(from: -1.5, through: 1.5, by: 0.001) {
      let turn = Samples.turn(angle)
      // The head of the frame; the element, the mask and the flags; m11 and m13.
      #expect(try Self.sent(turn, after: Samples.turn(2)).bytes == 16 + 3 + 8, "\(angle)")
    }
  }

  @Test("leave nine numbers of a strip that curls from a corner")
  func stripSize() throws {
    var numbers = SplitMix64(seed: 6)
    for _ in 0..<1000 {
      let (old, new) = (RandomMatrix.strip(&numbers), RandomMatrix.strip(&numbers))
      #expect(try Self.sent(new, after: old).bytes == 16 + 4 + 9 * 4)
    }
  }

  @Test("are rounded as the receiver derives them, which changes them by their last bit at most")
  func rounding() {
    var numbers = SplitMix64(seed: 7)
    var changed = 0
    for _ in 0..<20_000 {
      let matrix = RandomMatrix.any(&numbers)
      let rounded = WireMatrix(matrix)
      for entry in 0..<16 {
        let plain = Float(matrix[entry]) + 0
        guard rounded[entry] != plain else { continue }
        #expect(entry % 4 == 3 && abs(rounded[entry] - plain) <= plain.ulp)
        changed += 1
      }
    }
    #expect(changed > 1000)
  }

  @Test("of an entry with any mask are added to it, and all other entries stay as they were")
  func anyMask() throws {
    var numbers = SplitMix64(seed: 8)
    var shortened = 0
    for _ in 0..<20_000 {
      var entry = FrameEntry(id: 1)
      let matrix = WireMatrix(RandomMatrix.any(&numbers))
      entry.matrixMask = .random(in: 0...UInt16.max, using: &numbers)
      if Bool.random(using: &numbers) {
        entry.matrixMask |= matrix.mask(differingFrom: .identity)
      }
      for k in 0..<16 where entry.matrixMask &>> UInt16(k) & 1 != 0 { entry.matrix[k] = matrix[k] }
      let update = FrameUpdate(
        number: 1,
        time: 0,
        screen: .book,
        isSettled: false,
        entries: [entry]
      )
      let bytes = ServerMessage.delta(update).encoded()
      #expect(try ServerMessage(decoding: bytes) == .delta(update))
      if bytes.count < 17 + 4 * entry.matrixMask.nonzeroBitCount { shortened += 1 }
    }
    #expect(shortened > 1000)
  }

  @Test("are not derived without a flag, nor from entries that are not sent")
  func flags() throws {
    func entry(_ mask: UInt8, _ flags: UInt8, _ values: Float...) throws -> FrameEntry {
      var bytes: [UInt8] = [0x84] + [UInt8](repeating: 0, count: 13) + [1, 0, 16, mask, flags]
      for value in values { bytes.append32(value.bitPattern) }
      guard case .delta(let update) = try ServerMessage(decoding: bytes) else {
        throw WireError.bytes(.empty)
      }
      return update.entries[0]
    }
    #expect(try entry(0b10, 0, 0.5).matrixMask == 1 << 2)
    let turned = try entry(0b10, 32, 0.5)
    #expect(turned.matrixMask == 1 << 2 | 1 << 8 && turned.matrix[8] == -0.5)
    let deep = try entry(0b10, 64, 0.5)
    #expect(deep.matrixMask == 1 << 2 | 1 << 3 && deep.matrix[3] == Float(-0.00025))
    let both = try entry(0b1, 96, 0.5)
    #expect(both.matrixMask == 1 | 1 << 10 | 1 << 11 && both.matrix[11] == Float(-0.00025))
    let far = try entry(0b1000, 96, 1000)
    #expect(far.matrixMask == 1 << 14 | 1 << 15 && far.matrix[15] == 0.5)
    // An entry that is sent is never derived.
    let sent = try entry(0b10_0010, 32, 0.5, 3)
    #expect(sent.matrixMask == 1 << 2 | 1 << 8 && sent.matrix[8] == 3)
    // A zero has no sign.
    let zero = try entry(0b10, 96, -0.0)
    #expect(zero.matrix[8].sign == .plus && zero.matrix[3].sign == .plus)
  }

  @Test("of a mask with more than sixteen bits are rejected")
  func longMask() {
    let bytes: [UInt8] = [0x84] + [UInt8](repeating: 0, count: 13) + [1, 0, 16, 0x80, 0x80, 4, 0]
    #expect(throws: WireError.bytes(.tooLarge(field: "mask", offset: 17))) {
      try ServerMessage(decoding: bytes)
    }
  }
}
