import Fabric
import Motion
import Scene
import Testing
import Wire

@testable import Rooms

@Suite("Books with very long titles")
struct LongTextTests {
  /// Returns a number of books on one shelf, with titles and authors of 1.9 KB each.
  private static func catalogue(_ count: Int) -> Catalogue {
    var catalogue = Catalogue.sample([[Int](repeating: 3, count: count)])
    for book in catalogue.collections[0].books.indices {
      catalogue.collections[0].books[book].title = String(repeating: "t", count: 1900)
      catalogue.collections[0].books[book].author = String(repeating: "ü", count: 950)
    }
    return catalogue
  }

  @Test("a reader that joins after all books were seen gets them in messages of bounded length")
  func joining() throws {
    var rooms = ServedRooms(catalogue: Self.catalogue(150))
    var effects = Sent()
    var (now, longest) = (100.0, 0)
    var decoder = FrameDecoder()
    func pass(_ seconds: Double) {
      let end = now + seconds
      while let wake = rooms.wakeTime, wake <= end {
        now = max(now, wake)
        rooms.wake(now: now, into: &effects)
      }
      now = end
    }
    func handle(as id: MemberID) throws {
      for bytes in effects.messages(to: id) {
        longest = max(longest, bytes.count)
        try decoder.apply(ServerMessage(decoding: bytes))
      }
      effects.removeAll()
    }
    rooms.join(MemberID(1), room: "R", now: now, into: &effects)
    rooms.handle(.key(.enter), from: MemberID(1), now: now, into: &effects)
    pass(1)
    for _ in 0..<150 {
      rooms.handle(.key(.arrowRight), from: MemberID(1), now: now, into: &effects)
      pass(1)
    }
    try handle(as: MemberID(1))
    decoder = FrameDecoder()
    rooms.join(MemberID(2), room: "R", now: now, into: &effects)
    try handle(as: MemberID(2))
    #expect(decoder.elements.count { $0.value.kind == .cover } == 150)
    #expect(longest <= WireLimits.elementsBytes)
  }
}
