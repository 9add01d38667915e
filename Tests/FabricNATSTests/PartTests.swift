import Fabric
import TestVectors
import Testing

@testable import FabricNATS

@Suite("Parts of messages")
struct PartTests {
  private func part(_ number: UInt64, _ part: UInt16, of count: UInt16, _ bytes: [UInt8]) -> [UInt8]
  {
    var all: [UInt8] = []
    Envelope(sender: NodeID(5), number: number, part: part, partCount: count).encode(into: &all)
    return all + bytes
  }

  private func take(_ reassembly: inout Reassembly, _ bytes: [UInt8]) -> [Reassembly.Event] {
    bytes.withUnsafeBytes { reassembly.receive($0) }
  }

  @Test("parts are joined, gaps are counted once, and foreign bytes are ignored")
  func gaps() {
    let node = NodeID(5)
    var reassembly = Reassembly(messageBytesMax: 100, expectsFirst: true)
    #expect(take(&reassembly, part(1, 0, of: 1, [1])) == [.message([1], from: node)])
    #expect(take(&reassembly, part(2, 0, of: 2, [1])) == [] && reassembly.partialBytes == 1)
    #expect(take(&reassembly, part(2, 1, of: 2, [2])) == [.message([1, 2], from: node)])
    #expect(take(&reassembly, part(5, 0, of: 2, [1])) == [.dropped(2, from: node)])
    #expect(
      take(&reassembly, part(6, 0, of: 1, [3])) == [
        .dropped(1, from: node), .message([3], from: node),
      ]
    )
    // The first part is missing, so the rest is of no use; it is counted once.
    #expect(take(&reassembly, part(7, 1, of: 3, [1])) == [.dropped(1, from: node)])
    #expect(take(&reassembly, part(7, 2, of: 3, [1])) == [])
    #expect(take(&reassembly, part(8, 0, of: 1, [4])) == [.message([4], from: node)])
    // The sender begins anew.
    #expect(take(&reassembly, part(1, 0, of: 1, [5])) == [.message([5], from: node)])
    #expect(reassembly.partialBytes == 0)
    #expect(take(&reassembly, []) == [] && take(&reassembly, part(0, 0, of: 1, [])) == [])
    #expect(take(&reassembly, part(3, 2, of: 2, [])) == [])
  }

  @Test(
    "a number at the end of its range counts as the largest gap, and the next one as a new start"
  )
  func extremes() {
    let node = NodeID(5)
    for first in [part(1, 0, of: 2, [1]), part(1, 0, of: 1, [1])] {
      var reassembly = Reassembly(messageBytesMax: 100, expectsFirst: true)
      _ = take(&reassembly, first)
      let events = take(&reassembly, part(.max, 0, of: .max, [2]))
      guard case .dropped(let lost, node) = events.first, events.count == 1 else {
        Issue.record("\(events)")
        continue
      }
      #expect((Reassembly.gapMax - 1...Reassembly.gapMax).contains(lost))
      #expect(take(&reassembly, part(.max, .max - 1, of: .max, [2])) == [.dropped(1, from: node)])
      #expect(take(&reassembly, part(1, 0, of: 1, [3])) == [.message([3], from: node)])
    }
    var unknown = Reassembly(messageBytesMax: 100, expectsFirst: false)
    #expect(take(&unknown, part(.max, 0, of: 1, [4])) == [.message([4], from: node)])
  }

  @Test("a message that is too large is given up, and nothing of it is kept")
  func bounds() {
    var reassembly = Reassembly(messageBytesMax: 10, expectsFirst: false)
    #expect(take(&reassembly, part(40, 0, of: 3, [1, 2, 3, 4, 5, 6])) == [])
    #expect(
      take(&reassembly, part(40, 1, of: 3, [1, 2, 3, 4, 5])) == [.dropped(1, from: NodeID(5))]
    )
    #expect(take(&reassembly, part(40, 2, of: 3, [1])) == [] && reassembly.partialBytes == 0)
    var queue = SendQueue(bytesMax: 10, messageBytesMax: 8)
    #expect(queue.add([1, 2, 3, 4], to: nil) == 0 && queue.add([5, 6, 7, 8], to: nil) == 0)
    #expect(queue.add([UInt8](repeating: 0, count: 9), to: nil) == 1)
    #expect(queue.add([9, 9, 9, 9], to: nil) == 1 && queue.byteCount == 8)
    #expect(queue.dequeue()?.number == 2 && queue.dequeue()?.number == 4 && queue.dequeue() == nil)
    for round in 0..<5000 {
      #expect(queue.add([1], to: NodeID(UInt64(round % 3))) == 0)
      if round % 2 == 1 { while queue.dequeue() != nil {} }
    }
    #expect(queue.count == 0 && queue.byteCount == 0)
  }

  @Test("random damage never stops an reassembly or makes it keep too much")
  func damage() {
    for seed in seeds(1...20) {
      var random = SplitMix64(seed: seed)
      var reassembly = Reassembly(messageBytesMax: 50, expectsFirst: true)
      for _ in 0..<2000 {
        let count = UInt16.random(in: 0...4, using: &random)
        let bytes = [UInt8](repeating: 1, count: Int.random(in: 0...30, using: &random))
        var all: [UInt8] = []
        Envelope(
          sender: NodeID(UInt64.random(in: 0...9, using: &random)),
          number: random.happens(0.1)
            ? UInt64.max - UInt64.random(in: 0...2, using: &random)
            : UInt64.random(in: 0...5, using: &random),
          part: UInt16.random(in: 0...4, using: &random),
          partCount: count
        ).encode(into: &all)
        let length = random.happens(0.1) ? Int.random(in: 0...21, using: &random) : 21
        _ = take(&reassembly, all.prefix(length) + bytes)
        #expect((0...200).contains(reassembly.partialBytes), "SEED=\(seed)")
      }
    }
  }

  @Test("every key has a token that NATS allows, and only its own")
  func keys() {
    let keys = ["a", "A-b_9", "a.b", "ö", "=", "==3D", "=3D", " ", "*", ">", "\u{0}"]
    #expect(Set(keys.map(RecordKey.token)).count == keys.count)
    #expect(RecordKey.token("a.b ö=") == "a=2Eb=20=C3=B6=3D")
    for key in keys {
      let token = RecordKey.token(key)
      #expect(token?.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x2a && $0 != 0x2e } == true)
    }
    #expect(
      RecordKey.token("") == nil && RecordKey.token(String(repeating: "ö", count: 101)) == nil
    )
  }
}
