import Fabric
import Foundation
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("States with which rooms continue in other processes")
struct RoomStateTests {
  private let anna = MemberID(1)
  private var rooms: ServedRooms
  private var sent = Sent()

  init() {
    var environment = Environment.counted(libraryKey: .libraryKey)
    environment.keepsStates = true
    rooms = ServedRooms(RoomRegistry(catalogue: .varied), environment: environment)
    rooms.join(anna, room: "R", now: 0, into: &sent)
    rooms.handle(.go(book: "0/4", opens: true, page: 20), from: anna, now: 1, into: &sent)
    rooms.pass(to: 9, into: &sent)
  }

  /// The spreads of the bookmarks that were stored since the last call.
  private mutating func takeSpreads() -> [Int] {
    defer { sent.removeAll() }
    return sent.list.compactMap { effect in
      if case .keepBookmark(let bookmark, _) = effect { bookmark.spread } else { nil }
    }
  }

  /// The last state that was stored since the last call.
  private mutating func takeState() -> RoomState? {
    defer { sent.removeAll() }
    return sent.list.reduce(nil) { last, effect in
      if case .keepState(let state) = effect { state } else { last }
    }
  }

  @Test("a turn is stored while its leaf flies, also right after another turn")
  mutating func turns() throws {
    let spread = try #require(takeSpreads().last)
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 10.051, into: &sent)
    #expect(takeSpreads() == [spread + 1])
    #expect(rooms.room(named: "R")?.stage.isSettled(at: 10.051) == false)
    rooms.handle(.key(.arrowRight), from: anna, now: 10.06, into: &sent)
    rooms.pass(to: 10.1, into: &sent)
    #expect(takeSpreads() == [])
    rooms.pass(to: 10.111, into: &sent)
    #expect(takeSpreads() == [spread + 2])
    rooms.pass(to: 20, into: &sent)
    #expect(takeSpreads() == [])
  }

  @Test("a turn stores the owner's bookmark alone, with its time, as soon in a full room as in any")
  mutating func crowds() throws {
    for number in 2...200 as ClosedRange<UInt32> {
      rooms.join(MemberID(number), room: "R", now: 10, into: &sent)
    }
    rooms.pass(to: 20, into: &sent)
    sent.removeAll()
    for turn in 1...3 {
      let now = 20 + 0.1 * Double(turn)
      rooms.handle(.key(.arrowRight), from: anna, now: now, into: &sent)
      rooms.pass(to: now + 0.06, into: &sent)
      let stored = rooms.registry.bookmarks(of: .of("R")).last
      #expect(sent.list == stored.map { [.keepBookmark($0, of: .of("R"))] })
      let time = try #require(stored).time - Environment.counted().unixOffset
      #expect(now..<now + 0.06 ~= time)
      sent.removeAll()
    }
  }

  @Test("the more people a state names, the less often it is stored")
  mutating func manyJoin() {
    var times: [Double] = []
    sent.removeAll()
    for number in 2...1000 as ClosedRange<UInt32> {
      let now = 10 + 0.002 * Double(number)
      rooms.join(MemberID(number), room: "R", now: now, into: &sent)
      rooms.pass(to: now, into: &sent)
      if takeState() != nil { times.append(now) }
    }
    let waits = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(waits.count >= 4)
    #expect(waits.allSatisfy { 0.099 < $0 && $0 < 0.53 })
    #expect(waits == waits.sorted())
  }

  @Test("a state opens the book at the owner's bookmark, and keeps it closed if it was closed")
  mutating func continued() throws {
    let opened = try #require(takeState())
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 15, into: &sent)
    #expect(takeState() == nil)
    let owner = ReaderRecord(
      id: .of("R"),
      room: "R",
      bookmarks: rooms.registry.bookmarks(of: .of("R"))
    )
    rooms.handle(.key(.escape), from: anna, now: 20, into: &sent)
    rooms.pass(to: 30, into: &sent)
    let closed = try #require(takeState())
    #expect(opened.openBook == "0/4" && closed.openBook == nil)

    for state in [opened, closed] {
      var another = RoomRegistry(catalogue: .varied)
      var turn = Turn(environment: .counted())
      another.directory.learn(owner, at: 0)
      another.restore(state, in: &turn)
      let stage = try #require(another.room(named: "R")?.stage)
      #expect(stage.openBook == state.openBook)
      #expect(stage.leftSpread(ofBook: 4, in: 0) == owner.bookmarks.last?.spread)
    }
  }

  @Test("of two bookmarks of a book, whichever process stored them, the newer one holds")
  func newest() {
    let directory = RoomDirectory(unixOffset: 0)
    func learn(_ spread: Int, _ time: Double) -> Int? {
      let bookmark = Bookmark(book: "b", spread: spread, time: time)
      directory.learn(ReaderRecord(id: .of("R"), room: "R", bookmarks: [bookmark]), at: 0)
      return directory.bookmarks(of: .of("R")).last?.spread
    }
    #expect(learn(3, 100) == 3)
    #expect(learn(5, 101) == 5)
    #expect(learn(4, 100.5) == 5)
    // The same place at a later time is newer than what lies between.
    #expect(learn(5, 300) == 5)
    #expect(learn(7, 200) == 5)
  }

  @Test("what the owner of a room writes holds, even after one whose clock was ahead")
  func clocksApart() throws {
    let directory = RoomDirectory(unixOffset: 0)
    let (early, ahead) = (
      Bookmark(book: "a", spread: 1, time: 5), Bookmark(book: "b", spread: 1, time: 1e12)
    )
    directory.learn(ReaderRecord(id: .of("R"), room: "R", bookmarks: [ahead, early]), at: 0)
    #expect(directory.bookmarks(of: .of("R")) == [early, ahead])
    let turned = Bookmark(book: "b", spread: 2, time: 100)
    let noted = try #require(directory.note(turned, of: .of("R"), at: 0))
    #expect(noted.spread == 2 && noted.time > 1e12)
    #expect(directory.note(turned, of: .of("R"), at: 0) == nil)
    #expect(directory.bookmarks(of: .of("R")).last == noted)
    let other = try #require(
      directory.note(Bookmark(book: "a", spread: 2, time: 101), of: .of("R"), at: 0)
    )
    #expect(other.time > noted.time && directory.bookmarks(of: .of("R")).last == other)
  }

  @Test("a bookmark that another process stored has a spread and a time that a book can have")
  func hostileBookmarks() throws {
    for time in [Double.infinity, .nan, -1, 1e300] {
      let mark = Bookmark(book: "a", spread: .max, time: time)
      #expect(mark.time.isFinite && mark.time >= 0 && mark.spread < 1 << 30)
      #expect((try? JSONEncoder().encode(mark)) != nil)
    }
    #expect(Bookmark(book: "a", spread: .min).spread == 0)
  }

  @Test("a room that is lost, or may be, stores no bookmark any more")
  mutating func lost() {
    sent.removeAll()
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.registry.setPaused(true, room: "R")
    rooms.pass(to: 12, into: &sent)
    #expect(takeSpreads() == [])
    rooms.host(now: 12, into: &sent) { rooms, turn in
      _ = rooms.handOver("R", isLost: true, in: &turn)
    }
    #expect(takeSpreads() == [])
  }

  @Test("a room that is handed over stores its last turn first, and only what has moved")
  mutating func handedOver() throws {
    let spread = try #require(takeSpreads().last)
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.host(now: 10.01, into: &sent) { rooms, turn in _ = rooms.handOver("R", in: &turn) }
    #expect(takeSpreads() == [spread + 1])
  }

  @Test("a state can be made as small as necessary, whatever its people may do")
  mutating func small() throws {
    for number in 2...100 as ClosedRange<UInt32> {
      rooms.join(MemberID(number), room: "R", now: 10, into: &sent)
    }
    rooms.pass(to: 12, into: &sent)
    var state = try #require(takeState())
    #expect(state.people.count == 100 && state.presenter == 1)
    let grants: [Grant] = [.host, .follow, .present]
    for index in state.people.indices { state.people[index].grant = grants[index % 3] }
    state.presenter = 50
    state.asking = [2, 3, 98]
    state.removeHalfOfPeople()
    #expect(state.people.count == 50)
    #expect(state.people.allSatisfy { $0.grant >= .present || $0.id == 50 })
    #expect(state.people.map(\.id) == state.people.map(\.id).sorted())
    #expect(state.asking == [3])
    state.removeHalfOfPeople()
    #expect(state.people.count == 25)
    #expect(state.people.allSatisfy { $0.grant == .host || $0.id == 50 })
    for count in [12, 6, 3, 1] {
      state.removeHalfOfPeople()
      #expect(state.people.count == count && state.people.contains { $0.id == 50 })
    }
    state.removeHalfOfPeople()
    #expect(state.people.isEmpty)
  }

  @Test("what could not be stored is stored again, whole")
  mutating func failures() throws {
    let people = try #require(takeState()).people
    rooms.registry.stateNotStored(of: "R", now: 10.5)
    rooms.registry.stateNotStored(of: "unknown", now: 10.5)
    rooms.pass(to: 12.4, into: &sent)
    #expect(takeState() == nil)
    rooms.pass(to: 12.6, into: &sent)
    #expect(takeState()?.people == people)
    rooms.pass(to: 20, into: &sent)
    #expect(takeState() == nil)
  }

  @Test("a process that continues a room stores its state at once")
  mutating func taken() throws {
    let state = try #require(takeState())
    var environment = Environment.counted(libraryKey: .libraryKey)
    environment.keepsStates = true
    var others = ServedRooms(RoomRegistry(catalogue: .varied), environment: environment)
    let restored = state
    others.host(now: 5, into: &sent) { rooms, turn in rooms.restore(restored, in: &turn) }
    others.pass(to: 5.1, into: &sent)
    #expect(takeState()?.people.map(\.id) == state.people.map(\.id))
  }
}
