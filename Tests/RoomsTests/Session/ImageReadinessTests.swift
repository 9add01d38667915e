import Fabric
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("Waiting for a page's images")
struct ImageTests {
  @Test("a leaf waits until the presenter's page is ready, and for no other member")
  func waits() throws {
    var rooms = ServedRooms(catalogue: .varied, notes: true)
    var effects = Sent()
    let (a, b) = (MemberID(1), MemberID(2))
    rooms.join(a, room: "R", now: 10, reportsImages: true, into: &effects)
    rooms.join(b, room: "R", now: 10, into: &effects)
    for now in [11.0, 13] {
      rooms.handle(.key(.enter), from: a, now: now, into: &effects)
      rooms.wake(now: now + 1.9, into: &effects)
    }
    var decoder = FrameDecoder()
    for bytes in effects.messages(to: a) where bytes[0] == 0x82 {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    rooms.handle(.key(.arrowRight), from: a, now: 20, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == true)
    let captions = try effects.messages(to: b).filter { $0[0] == 0x89 }
      .map { try ServerMessage(decoding: $0) }
    guard case .caption(let caption) = captions.last else { return }
    #expect(caption.flags.contains(.waitsForImages) && caption.page == 3)
    for bytes in effects.messages(to: a) where bytes[0] == 0x82 {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    let ids = decoder.elements.values.filter { $0.kind == .page }.map(\.id)
    rooms.handle(.ready(ids), from: b, now: 20.2, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == true)
    rooms.handle(.ready(ids), from: a, now: 20.3, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == false)
    for step in 0..<30 { rooms.wake(now: 20.3 + Double(step) / 10, into: &effects) }
    // A member that reports no images turns at once.
    rooms.handle(.key(.arrowRight), from: b, now: 25, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == false)
  }

  @Test("a presenter that leaves is not waited for")
  func leaves() {
    var rooms = ServedRooms(catalogue: .varied, notes: true)
    var effects = Sent()
    let (a, b) = (MemberID(1), MemberID(2))
    rooms.join(a, room: "R", now: 10, reportsImages: true, into: &effects)
    rooms.join(b, room: "R", now: 10, into: &effects)
    rooms.handle(.go(book: "0/0", opens: true, page: 1), from: a, now: 11, into: &effects)
    for step in 0..<50 { rooms.wake(now: 11 + Double(step) / 10, into: &effects) }
    rooms.handle(.jump(page: 9), from: a, now: 20, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == true)
    rooms.leave(a, now: 20.1, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isWaiting == false)
  }
}

@Suite("The images that members have decoded")
struct DecodedImagesTests {
  let a = MemberID(1)
  let b = MemberID(2)
  let page = ElementKey(kind: .page, item: 8, page: 3)

  @Test("the same question is new once, and again after each image, spread or member")
  func news() {
    var images = ImageReadiness()
    var news = images.isNews(of: a, book: "x", spread: 3)
    #expect(news)
    news = images.isNews(of: a, book: "x", spread: 3)
    #expect(!news)
    images.note(page, by: b)
    news = images.isNews(of: a, book: "x", spread: 3)
    #expect(!news, "another member's images do not matter")
    images.note(page, by: a)
    for (id, spread) in [(a, 3), (a, 4), (b, 4)] {
      news = images.isNews(of: id, book: "x", spread: spread)
      #expect(news)
    }
    images.tellAnew()
    news = images.isNews(of: b, book: "x", spread: 4)
    #expect(news)
  }

  @Test("a page counts for the member that decoded it until it is retired or the member leaves")
  func decoded() {
    var images = ImageReadiness()
    images.note(page, by: a)
    #expect(images.hasDecoded(page, a) && !images.hasDecoded(page, b))
    #expect(images.only(a).hasDecoded(page, a) && !images.only(b).hasDecoded(page, a))
    images.retire { _ in true }
    #expect(images.hasDecoded(page, a))
    images.retire { _ in false }
    #expect(!images.hasDecoded(page, a))
    images.note(page, by: a)
    images.remove(a)
    #expect(!images.hasDecoded(page, a))
  }
}
