import Fabric
import Motion
import Notices
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Gateway
@testable import Rooms

@Suite("The rooms of a process")
struct RoomRegistryTests {
  let a = MemberID(1)
  var rooms = ServedRooms(catalogue: .varied)
  var effects = Sent()

  /// Returns the code and the text of the last error message to a member.
  func error(to id: MemberID) throws -> (code: UInt16, notice: Notice)? {
    for bytes in effects.messages(to: id).reversed() {
      if case .error(let code, let notice) = try ServerMessage(decoding: bytes) {
        return (code, notice)
      }
    }
    return nil
  }

  @Test("the first message is hello")
  mutating func helloFirst() {
    rooms.opened(a, now: 0)
    rooms.handle(.key(.enter), from: a, now: 0, into: &effects)
    #expect(effects.closes(of: a) == [1008])
  }

  @Test("a second hello closes the connection")
  mutating func helloOnce() {
    rooms.join(a, room: "R", now: 0, into: &effects)
    #expect(effects.closes(of: a) == [])
    rooms.handle(.hello(Hello(room: "R", viewport: .plain)), from: a, now: 1, into: &effects)
    #expect(effects.closes(of: a) == [1008])
  }

  @Test("a hello arrives within ten seconds")
  mutating func helloInTime() {
    rooms.opened(a, now: 5)
    #expect(rooms.wakeTime == 15)
    rooms.wake(now: 15, into: &effects)
    #expect(effects.closes(of: a) == [1008])
    #expect(rooms.wakeTime == nil)
  }

  @Test("no deadline remains for a member that has said hello or has left")
  mutating func noStranger() {
    rooms.join(a, room: "R", now: 0, into: &effects)
    rooms.opened(MemberID(2), now: 0)
    rooms.leave(MemberID(2), now: 1, into: &effects)
    rooms.pass(to: 4, into: &effects)
    #expect(rooms.wakeTime == nil)
  }

  @Test("a bad room name is reported and closes the connection with 4002")
  mutating func badName() throws {
    rooms.join(a, room: "no spaces", now: 0, into: &effects)
    #expect(effects.closes(of: a) == [4002])
    #expect(try error(to: a)?.code == 4002)
    #expect(try error(to: a)?.notice.message.contains("\"no spaces\"") == true)
  }

  @Test("another version is reported and closes the connection with 4001")
  mutating func wrongVersion() throws {
    var hello = ClientMessage.hello(Hello(viewport: .plain)).encoded()
    hello[1] = 9
    rooms.opened(a, now: 0)
    rooms.handle(bytes: hello, from: a, now: 0, into: &effects)
    #expect(effects.closes(of: a) == [4001])
    #expect(try error(to: a)?.notice.message.contains("9") == true)
  }

  @Test("eight malformed messages are reported, and the ninth closes the connection with 4003")
  mutating func tooManyErrors() throws {
    rooms.join(a, room: "R", now: 0, into: &effects)
    for _ in 0..<Intake.errorsMax {
      rooms.handle(bytes: [0x04, 99], from: a, now: 1, into: &effects)
      #expect(try error(to: a)?.code == 4003)
    }
    #expect(effects.closes(of: a) == [])
    rooms.handle(bytes: [0x77], from: a, now: 1, into: &effects)
    #expect(effects.closes(of: a) == [4003])
  }

  @Test("a malformed first message is reported and closes the connection with 4000")
  mutating func malformedHello() throws {
    rooms.opened(a, now: 0)
    rooms.handle(bytes: [0x01, WireVersion.current], from: a, now: 0, into: &effects)
    #expect(effects.closes(of: a) == [4000])
    #expect(try error(to: a)?.notice.message.contains("room") == true)
  }

  @Test("no sequence of bytes traps the registry")
  mutating func anyBytes() {
    var random = SplitMix64(seed: 3)
    for turn in 0..<5000 {
      let id = MemberID(UInt32(turn))
      if turn.isMultiple(of: 2) { rooms.join(id, room: "R", now: 0, into: &effects) }
      let count = Int.random(in: 0...40, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      if count > 0 { bytes[0] = UInt8.random(in: 0...9, using: &random) }
      rooms.handle(bytes: bytes, from: id, now: 1, into: &effects)
      rooms.leave(id, now: 1, into: &effects)
      effects.removeAll()
    }
  }

  @Test("a full room rejects a member with 4004 and keeps its members")
  mutating func roomFull() {
    for number in 1...UInt32(Room.membersMax) {
      rooms.join(MemberID(number), room: "R", now: 0, into: &effects)
      effects.removeAll()
    }
    let late = MemberID(5000)
    rooms.join(late, room: "R", now: 1, into: &effects)
    #expect(effects.closes(of: late) == [4004])
    #expect(rooms.memberCount == Room.membersMax)
  }

  @Test("a member that names no room gets a new one")
  mutating func freshRoom() {
    rooms.join(a, room: "", now: 0, into: &effects)
    rooms.join(MemberID(2), room: "", now: 0, into: &effects)
    #expect(rooms.room(named: "FRESH1")?.memberCount == 1)
    #expect(rooms.roomCount == 2)
  }

  @Test("an empty room is kept until a thousand other rooms became empty later")
  mutating func eviction() {
    rooms.join(a, room: "FIRST", now: 0, into: &effects)
    _ = press([.enter, .enter, .arrowRight], from: 1, until: 6)
    rooms.leave(a, now: 7, into: &effects)
    #expect(rooms.roomCount == 0)
    #expect(rooms.room(named: "FIRST")?.stage.screen == .book)
    for number in 1...RoomRegistry.emptyRoomsMax {
      let id = MemberID(UInt32(10 + number))
      rooms.join(id, room: "R\(number)", now: 8, into: &effects)
      rooms.leave(id, now: 8 + Double(number), into: &effects)
      effects.removeAll()
    }
    #expect(rooms.room(named: "FIRST") == nil)
    #expect(rooms.room(named: "R1") != nil)
    #expect(rooms.registry.bookmarks(in: "FIRST") == ["FIRST": [Bookmark(book: "0/0", spread: 1)]])
    var now = 2000.0
    while let wake = rooms.wakeTime, now < 3000 {
      now = max(now + 1, wake)
      rooms.wake(now: now, into: &effects)
    }
    #expect(rooms.wakeTime == nil)
    rooms.join(a, room: "FIRST", now: now, into: &effects)
    #expect(rooms.room(named: "FIRST")?.stage.screen == .collections)
    #expect(rooms.room(named: "FIRST")?.stage.bookmarks == [Bookmark(book: "0/0", spread: 1)])
  }

  @Test("a room starts with its books where they were left")
  mutating func places() {
    rooms = ServedRooms(catalogue: .varied, bookmarks: ["R": [Bookmark(book: "0/0", spread: 3)]])
    rooms.join(a, room: "R", now: 0, into: &effects)
    #expect(rooms.registry.bookmarks(in: "R") == ["R": [Bookmark(book: "0/0", spread: 3)]])
  }

  /// Sends keys, one second apart, wakes the rooms when due, and returns the times at which places
  /// were to be stored.
  mutating func press(_ keys: [Key], from start: Double, until end: Double) -> [Double] {
    var asked: [Double] = []
    func note(_ time: Double, _ effects: inout Sent) {
      if effects.list.contains(where: { if case .keepBookmark = $0 { true } else { false } }) {
        asked.append(time)
      }
      effects.removeAll()
    }
    for (index, key) in keys.enumerated() {
      let time = start + Double(index)
      while let wake = rooms.wakeTime, wake < time {
        rooms.wake(now: wake, into: &effects)
        note(wake, &effects)
      }
      rooms.handle(.key(key), from: a, now: time, into: &effects)
      note(time, &effects)
    }
    while let wake = rooms.wakeTime, wake <= end {
      rooms.wake(now: wake, into: &effects)
      note(wake, &effects)
    }
    return asked
  }

  @Test("a changed place is stored within a fifth of a second, and no other place is")
  mutating func keepingPlaces() {
    rooms.join(a, room: "R", now: 0, into: &effects)
    #expect(press([.enter, .end, .home, .enter], from: 1, until: 10) == [])
    let asked = press(Array(repeating: .arrowRight, count: 5), from: 11, until: 100)
    #expect(asked.count == 5)
    for (index, time) in asked.enumerated() {
      #expect(time > 11 + Double(index) && time <= 11.2 + Double(index))
    }
    #expect(rooms.registry.bookmarks(in: "R") == ["R": [Bookmark(book: "0/0", spread: 5)]])
    #expect(rooms.wakeTime == nil)
  }

  @Test(
    "a library that was replaced, or is no longer shown, is passed out for release"
  )
  mutating func releasing() throws {
    rooms.join(a, room: "R", now: 0, into: &effects)
    let before = rooms.library
    effects.removeAll()
    var next = Catalogue.varied
    next.collections[0].books.removeLast()
    rooms.replace(catalogue: next, now: 1, into: &effects)
    while let wake = rooms.wakeTime { rooms.wake(now: wake, into: &effects) }
    #expect(effects.list.count { $0 == .release(before) } == 2)
    #expect(rooms.room(named: "R")?.shared.selection.shown == rooms.library)
  }

  @Test("a new room is recorded once, before its first frame, with its restored bookmarks")
  mutating func openings() {
    rooms = ServedRooms(
      catalogue: .varied,
      notes: true,
      bookmarks: [
        "R": [
          Bookmark(book: "0/4", spread: 7), Bookmark(book: "0/0", spread: 99),
          Bookmark(book: "9/9", spread: 9),
        ]
      ]
    )
    rooms.join(a, room: "R", now: 5, into: &effects)
    // A place beyond a book's end becomes the end. A place in a missing book is kept, because the
    // book may return.
    let places = [
      Bookmark(book: "0/0", spread: 5), Bookmark(book: "0/4", spread: 7),
      Bookmark(book: "9/9", spread: 9),
    ]
    #expect(effects.list.first == .noteOpening(bookmarks: places, library: nil, room: "R", time: 5))
    effects.removeAll()
    rooms.join(MemberID(2), room: "R", now: 6, into: &effects)
    rooms.join(MemberID(3), room: "S", now: 7, into: &effects)
    let noted = effects.list.filter { if case .noteOpening = $0 { true } else { false } }
    #expect(noted == [.noteOpening(bookmarks: [], library: nil, room: "S", time: 7)])
  }
}
