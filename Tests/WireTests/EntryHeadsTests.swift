import Bytes
import Scene
import TestVectors
import Testing

@testable import Wire

@Suite("The beginnings of entries")
struct EntryHeadsTests {
  @Test("arrive as they were sent, for any ids, parts and heads")
  func roundTrip() throws {
    var numbers = SplitMix64(seed: 9)
    for _ in 0..<200 {
      var (sender, receiver) = (EntryHeads(), EntryHeads())
      for _ in 0..<100 {
        let far = Bool.random(using: &numbers)
        let id = UInt64.random(in: 0...(far ? ElementNumbers.max : 3), using: &numbers)
        let part = ElementPart(rawValue: .random(in: 0...2, using: &numbers))
        let head = EntryHead(
          mask: .random(in: 0...2, using: &numbers),
          flags: .random(in: 0...1, using: &numbers)
        )
        var bytes: [UInt8] = []
        let (number, code) = sender.next(id, part, head)
        bytes.appendGroups(number)
        let received = try bytes.withUnsafeBytes { pointer in
          var reader = ByteCoder<WireError>(reading: pointer)
          return try reader.groups(0, "id")
        }
        let begun = receiver.start(received)
        let start = try #require(begun)
        #expect(start.id == id && start.hasPart == (part != .whole) && start.code == code)
        let arrived = receiver.head(code, code == .new ? head : EntryHead(mask: 99))
        #expect(arrived == head)
      }
    }
  }

  @Test("name a head that was sent before, if it is one of the last two different ones")
  func codes() {
    var heads = EntryHeads()
    let (a, b, c) = (EntryHead(mask: 1), EntryHead(mask: 2), EntryHead(mask: 3))
    let codes = [a, a, b, a, b, b, c, a, c, b].map { heads.next(0, .whole, $0).code }
    #expect(
      codes == [.new, .last, .new, .other, .other, .last, .new, .new, .other, .new]
    )
  }

  @Test("are rejected with an id or a code that does not exist")
  func invalid() {
    var heads = EntryHeads()
    // The code 3, the id -1, and the first id that is too large.
    for number in [3, 1 << 3, (ElementNumbers.max + 1) << 4] {
      let isValid = heads.start(number) != nil
      #expect(!isValid, "\(number)")
    }
    let greatest = heads.start(ElementNumbers.max << 4)?.id
    #expect(greatest == ElementNumbers.max)
  }
}
