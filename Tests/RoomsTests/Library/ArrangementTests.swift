import Fabric
import Motion
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

/// A reader alone in a room with these shelves.
private struct Desk {
  var rooms = ServedRooms(catalogue: shelves, notes: true)
  var effects = Sent()
  let id = MemberID(1)

  init() { rooms.join(id, room: "R", now: 10, into: &effects) }

  var stage: Stage? { rooms.room(named: "R")?.stage }
  /// The libraries that were shown since the effects were last cleared.
  var exchanges: [LibraryOutline] {
    effects.list.compactMap {
      if case .noteLibrary(let library, _, _) = $0 { library } else { nil }
    }
  }

  mutating func say(_ message: ClientMessage, now: Double) {
    rooms.handle(message, from: id, now: now, into: &effects)
    arrange(now: now)
  }

  mutating func touch(_ phase: PointerPhase, y: Double, now: Double) {
    let sample = PointerSample(id: 0, phase: phase, x: 500, y: y)
    say(.pointers(Pointers(target: 0, samples: [sample])), now: now)
  }

  mutating func replace(_ catalogue: Catalogue, now: Double) {
    rooms.replace(catalogue: catalogue, now: now, into: &effects)
    arrange(now: now)
  }

  /// Runs everything that is due by a given time.
  mutating func pass(_ end: Double) {
    while let wake = rooms.wakeTime, wake <= end {
      rooms.wake(now: wake, into: &effects)
      arrange(now: wake)
    }
  }

  private mutating func arrange(now: Double) {
    rooms.arrange(asked: effects.list, now: now, into: &effects)
  }
}

@Suite("Arranging a library")
struct ArrangementTests {
  private func ids(_ catalogue: Catalogue) -> [[String]] {
    catalogue.collections.map { $0.books.map(\.id) }
  }

  @Test("books are sorted on their shelves, in the way of each order")
  func orders() {
    let wanted: [(Arrangement.Order, [String])] = [
      (.shelved, ["c", "a", "b"]), (.title, ["a", "b", "c"]), (.added, ["a", "b", "c"]),
      (.lastRead, ["b", "c", "a"]),
    ]
    for (order, books) in wanted {
      #expect(ids(shelves.arranged(Arrangement(order: order))) == [books, ["d"]])
    }
  }

  @Test("a filter ignores case and accents, requires every word, and removes empty shelves")
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

  @Test("a room shows the books found, says if there are none, and then shows all again")
  func room() throws {
    var desk = Desk()
    var decoder = FrameDecoder()
    func shown(_ filter: String, now: Double) throws -> (titles: [String], caption: Caption?) {
      desk.say(.arrange(Arrangement(filter: filter)), now: now)
      var caption: Caption?
      for bytes in desk.effects.messages(to: desk.id) {
        let message = try ServerMessage(decoding: bytes)
        try decoder.apply(message)
        if case .caption(let words) = message { caption = words }
      }
      desk.effects.removeAll()
      let titles = decoder.latest?.shown.compactMap { decoder.elements[$0.id]?.title } ?? []
      return (titles, caption)
    }
    #expect(try shown("", now: 11).titles == ["X", "Y"])
    let one = try shown("deich", now: 12)
    #expect(one.titles == ["Y"] && one.caption?.arrangement.filter == "deich")
    let nothing = try shown("zebra", now: 13)
    #expect(nothing.titles.isEmpty && nothing.caption?.flags == .findsNothing)
    #expect(nothing.caption?.arrangement.filter == "zebra")
    #expect(try shown("", now: 14).titles == ["X", "Y"])
    desk.pass(20)
    #expect(desk.rooms.wakeTime == nil)
  }

  @Test("reading does not reorder the books in front of the reader, returning to the list does")
  func lastRead() {
    var desk = Desk()
    func orders() -> [[String]] { desk.exchanges.map { $0.collections[0].books.map(\.id) } }
    desk.say(.arrange(Arrangement(order: .lastRead)), now: 11)
    #expect(orders() == [["b", "c", "a"]])
    desk.effects.removeAll()
    desk.say(.key(.enter), now: 12)
    desk.pass(13)
    var read = shelves
    read.collections[0].books[1].lastRead = 20
    desk.replace(read, now: 14)
    #expect(orders().isEmpty)
    desk.say(.key(.escape), now: 15)
    desk.pass(18)
    #expect(orders() == [["a", "b", "c"]])
  }

  @Test("a book that is removed is closed before its shelf is shown without it")
  func vanished() {
    var desk = Desk()
    desk.say(.go(book: "c", opens: true, page: 3), now: 11)
    desk.pass(20)
    #expect(desk.effects.list.contains(.bookOpened(book: "c", room: "R")))
    desk.effects.removeAll()
    var without = shelves
    without.collections[0].books.removeFirst()
    desk.replace(without, now: 20)
    #expect(desk.stage?.screen == .shelf && desk.effects.inputs == [.key(.escape)])
    desk.pass(30)
    #expect(desk.stage?.isSettled(at: 30) == true && desk.rooms.wakeTime == nil)
    #expect(!desk.exchanges.isEmpty)
  }

  @Test("a library that changes while a finger holds something waits for at most 30 seconds")
  func late() {
    var desk = Desk()
    desk.touch(.down, y: 300, now: 11)
    desk.touch(.move, y: 200, now: 11.1)
    desk.replace(.varied, now: 11.2)
    #expect(desk.exchanges.isEmpty && (desk.rooms.wakeTime ?? .infinity) <= 13.2)
    var time = 11.2
    while let wake = desk.rooms.wakeTime, desk.exchanges.isEmpty {
      #expect(desk.stage?.isDriven == true, "\(time)")
      time = wake
      desk.pass(time)
    }
    #expect(!desk.exchanges.isEmpty && time > 41 && time < 44)
    #expect(desk.stage?.isSettled(at: time) == true)
  }

  @Test("a library that changes between a tap's touch and its lift does not redirect the tap")
  func tapped() {
    var desk = Desk()
    desk.touch(.down, y: 200, now: 11)
    var more = shelves
    more.collections[1].books.append(more.collections[0].books[0])
    desk.replace(more, now: 11.05)
    desk.touch(.up, y: 200, now: 11.1)
    #expect(desk.stage?.screen == .shelf)
    desk.pass(20)
    #expect(desk.exchanges == [more.outline] && desk.rooms.wakeTime == nil)
  }

  @Test("a finger that rests and moves nothing delays a library for at most 30 seconds")
  func still() {
    var desk = Desk()
    desk.touch(.down, y: 200, now: 11)
    desk.replace(.varied, now: 11.2)
    desk.pass(41)
    #expect(desk.exchanges.isEmpty)
    desk.pass(44)
    #expect(desk.exchanges == [Catalogue.varied.outline] && desk.rooms.wakeTime == nil)
  }
}
