import Geometry
import Rooms
import Scene
import Staging
import Testing
import Wire

private func book(
  _ id: String,
  _ title: String,
  added: Double = 0,
  read: Double? = nil
)
  -> CatalogueBook
{
  CatalogueBook(
    id: id,
    title: title,
    author: id == "b" ? "Åse Ødegård" : "",
    pageURLs: PageAddresses((0..<12).map { "/b/\(id)/\($0)" }),
    pageSize: Size(width: 3, height: 4),
    progression: .leftToRight,
    added: added,
    lastRead: read
  )
}

private let shelves = Catalogue(collections: [
  CatalogueCollection(
    id: "x",
    title: "X",
    ledgeURL: "",
    books: [
      book("c", "Crab", added: 1, read: 5), book("a", "Ärger", added: 3),
      book("b", "Boat", added: 2, read: 9),
    ]
  ),
  CatalogueCollection(id: "y", title: "Y", ledgeURL: "", books: [book("d", "Deich")]),
])

@Suite("Arranging a library")
struct ArrangementTests {
  private func ids(_ catalogue: Catalogue) -> [[String]] {
    catalogue.collections.map { $0.books.map(\.id) }
  }

  @Test("books are sorted on their shelves, each order its own way")
  func orders() {
    let wanted: [(Arrangement.Order, [String])] = [
      (.shelved, ["c", "a", "b"]), (.title, ["a", "b", "c"]), (.added, ["a", "b", "c"]),
      (.lastRead, ["b", "c", "a"]),
    ]
    for (order, books) in wanted {
      #expect(ids(shelves.arranged(Arrangement(order: order))) == [books, ["d"]])
    }
  }

  @Test("a filter finds capitals and accents alike, each word of it, and drops empty shelves")
  func filters() {
    let wanted = [
      ("", [["c", "a", "b"], ["d"]]), ("ARGER", [["a"]]), ("ärg", [["a"]]), ("ase", [["b"]]),
      ("ødegard boat", [["b"]]), ("boat crab", []), ("de", [["b"], ["d"]]),
    ]
    for (filter, found) in wanted {
      #expect(ids(shelves.arranged(Arrangement(filter: filter))) == found, "\(filter)")
    }
    #expect(ids(shelves.arranged(Arrangement(filter: "deich"), keeping: "c")) == [["c"], ["d"]])
  }

  @Test("a room shows what was found, says when that is nothing, and all again")
  func room() throws {
    var rooms = Rooms(catalogue: shelves, notes: true)
    var effects = Effects()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    var decoder = FrameDecoder()
    func shown(_ filter: String, now: Double) throws -> (titles: [String], caption: Caption?) {
      rooms.hear(.arrange(Arrangement(filter: filter)), from: id, now: now, into: &effects)
      var caption: Caption?
      for bytes in effects.messages(to: id) {
        let message = try ServerMessage(decoding: bytes)
        try decoder.apply(message)
        if case .caption(let words) = message { caption = words }
      }
      effects.removeAll()
      let titles = decoder.latest?.shown.compactMap { decoder.elements[$0.id]?.title } ?? []
      return (titles, caption)
    }
    #expect(try shown("", now: 11).titles == ["X", "Y"])
    let one = try shown("deich", now: 12)
    #expect(one.titles == ["Y"] && one.caption?.arrangement.filter == "deich")
    let nothing = try shown("zebra", now: 13)
    #expect(nothing.titles.isEmpty && nothing.caption?.flags == .findsNothing)
    #expect(nothing.caption?.title.contains("zebra") == true)
    #expect(try shown("", now: 14).titles == ["X", "Y"])
    #expect(rooms.wakeTime == nil)
  }

  @Test("reading does not put books in another order under the reader, coming to the list does")
  func lastRead() {
    var rooms = Rooms(catalogue: shelves, notes: true)
    var effects = Effects()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    rooms.hear(.arrange(Arrangement(order: .lastRead)), from: id, now: 11, into: &effects)
    func exchanges() -> [[String]] {
      effects.list.compactMap {
        if case .noteLibrary(let library, _, _) = $0 {
          library.collections[0].books.map(\.id)
        } else {
          nil
        }
      }
    }
    #expect(exchanges() == [["b", "c", "a"]])
    effects.removeAll()
    rooms.hear(.key(.enter), from: id, now: 12, into: &effects)
    rooms.wake(now: 13, into: &effects)
    var read = shelves
    read.collections[0].books[1].lastRead = 20
    rooms.replace(catalogue: read, now: 14, into: &effects)
    #expect(exchanges().isEmpty)
    rooms.hear(.key(.escape), from: id, now: 15, into: &effects)
    for step in 1...30 { rooms.wake(now: 15 + Double(step) / 10, into: &effects) }
    #expect(exchanges() == [["a", "b", "c"]])
  }

  @Test("a book that is taken away is closed before its shelf is shown without it")
  func vanished() {
    var rooms = Rooms(catalogue: shelves, notes: true)
    var effects = Effects()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    rooms.hear(.go(book: "c", opens: true, page: 3), from: id, now: 11, into: &effects)
    func pass(_ end: Double) {
      while let wake = rooms.wakeTime, wake <= end { rooms.wake(now: wake, into: &effects) }
    }
    pass(20)
    #expect(effects.list.contains(.bookOpened(book: "c", room: "R")))
    effects.removeAll()
    var without = shelves
    without.collections[0].books.removeFirst()
    rooms.replace(catalogue: without, now: 20, into: &effects)
    #expect(rooms.room(named: "R")?.stage.screen == .shelf && effects.inputs == [.key(.escape)])
    pass(30)
    #expect(rooms.room(named: "R")?.stage.isSettled(at: 30) == true && rooms.wakeTime == nil)
    #expect(effects.list.contains { if case .noteLibrary = $0 { true } else { false } })
  }

  @Test("a library that changes while a finger holds something waits for it, 30 seconds at most")
  func late() {
    var rooms = Rooms(catalogue: shelves, notes: true)
    var effects = Effects()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    let finger = PointerSample(id: 0, phase: .down, x: 500, y: 300)
    rooms.hear(.pointers(Pointers(target: 0, samples: [finger])), from: id, now: 11, into: &effects)
    let moved = PointerSample(id: 0, phase: .move, x: 500, y: 200)
    rooms.hear(
      .pointers(Pointers(target: 0, samples: [moved])),
      from: id,
      now: 11.1,
      into: &effects
    )
    rooms.replace(catalogue: .varied, now: 11.2, into: &effects)
    func isExchanged() -> Bool {
      effects.list.contains { if case .noteLibrary = $0 { true } else { false } }
    }
    #expect(!isExchanged() && rooms.wakeTime == 13.2)
    var time = 11.2
    while let wake = rooms.wakeTime, !isExchanged() {
      #expect(rooms.room(named: "R")?.stage.isDriven == true, "\(time)")
      time = wake
      rooms.wake(now: time, into: &effects)
    }
    #expect(isExchanged() && time > 41 && time < 44)
    #expect(rooms.room(named: "R")?.stage.isSettled(at: time) == true)
  }

  @Test("a library that changes between a tap's touch and its lift does not take the tap")
  func tapped() {
    var rooms = Rooms(catalogue: shelves, notes: true)
    var effects = Effects()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    func touch(_ phase: PointerPhase, now: Double) {
      let sample = PointerSample(id: 0, phase: phase, x: 500, y: 200)
      let pointers = Pointers(target: 0, samples: [sample])
      rooms.hear(.pointers(pointers), from: id, now: now, into: &effects)
    }
    touch(.down, now: 11)
    var more = shelves
    more.collections[1].books.append(more.collections[0].books[0])
    rooms.replace(catalogue: more, now: 11.05, into: &effects)
    touch(.up, now: 11.1)
    #expect(rooms.room(named: "R")?.stage.screen == .shelf)
    while let wake = rooms.wakeTime, wake < 20 { rooms.wake(now: wake, into: &effects) }
    #expect(effects.list.contains { if case .noteLibrary = $0 { true } else { false } })
    #expect(rooms.wakeTime == nil)
  }
}
