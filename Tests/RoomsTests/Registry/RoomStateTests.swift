import Fabric
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

  /// The spreads of the states and places that were stored since the last call.
  private mutating func takeSpreads() -> [Int?] {
    defer { sent.removeAll() }
    return sent.list.compactMap { effect in
      switch effect {
      case .keepState(let state): .some(state.places.last?.spread)
      case .keepRoomPlace(let place): .some(place.bookmark?.spread)
      default: nil
      }
    }
  }

  /// The last state and the last place that were stored since the last call.
  private mutating func takeStored() -> (state: RoomState?, place: RoomPlace?) {
    defer { sent.removeAll() }
    return sent.list.reduce(into: (nil, nil)) { last, effect in
      if case .keepState(let state) = effect { last.0 = state }
      if case .keepRoomPlace(let place) = effect { last.1 = place }
    }
  }

  @Test("a turn is stored while its leaf flies, also right after another turn")
  mutating func turns() throws {
    let spread = try #require(takeSpreads().last ?? nil)
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 10.03, into: &sent)
    #expect(takeSpreads() == [spread + 1])
    #expect(rooms.room(named: "R")?.stage.isSettled(at: 10.03) == false)
    rooms.handle(.key(.arrowRight), from: anna, now: 10.04, into: &sent)
    rooms.pass(to: 10.1, into: &sent)
    #expect(takeSpreads() == [])
    rooms.pass(to: 10.14, into: &sent)
    #expect(takeSpreads() == [spread + 2])
    #expect(rooms.room(named: "R")?.stage.isSettled(at: 10.14) == false)
    rooms.pass(to: 20, into: &sent)
    #expect(takeSpreads() == [])
  }

  @Test("a turn stores the place alone, as soon in a full room as in any")
  mutating func crowds() throws {
    for number in 2...200 as ClosedRange<UInt32> {
      rooms.join(MemberID(number), room: "R", now: 10, into: &sent)
    }
    rooms.pass(to: 20, into: &sent)
    let spread = try #require(takeSpreads().last ?? nil)
    for turn in 1...3 {
      let now = 20 + 0.1 * Double(turn)
      rooms.handle(.key(.arrowRight), from: anna, now: now, into: &sent)
      rooms.pass(to: now + 0.03, into: &sent)
      let (state, place) = takeStored()
      #expect(state == nil)
      #expect(place?.bookmark?.spread == spread + turn)
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
      if takeStored().state != nil { times.append(now) }
    }
    let waits = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(waits.count >= 4)
    #expect(waits.allSatisfy { 0.099 < $0 && $0 < 0.53 })
    #expect(waits == waits.sorted())
  }

  @Test("a state with the last place opens the book where it was, and closed if it was closed")
  mutating func continued() throws {
    let stored = takeStored()
    var state = try #require(stored.state)
    state.follow(try #require(stored.place))
    let spread = try #require(state.places.last?.spread)
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 15, into: &sent)
    let place = try #require(takeStored().place)
    let before = state
    state.follow(place)
    #expect(state.places.last?.spread == spread + 1)
    #expect(state.openBook == before.openBook)
    rooms.handle(.key(.escape), from: anna, now: 20, into: &sent)
    rooms.pass(to: 30, into: &sent)
    state.follow(try #require(takeStored().place))
    #expect(state.openBook == nil)

    var another = RoomRegistry(catalogue: .varied)
    var turn = Turn(environment: .counted())
    var opened = before
    opened.follow(place)
    another.restore(opened, in: &turn)
    #expect(another.room(named: "R")?.stage.spread == spread + 1)
  }

  @Test("a place that continues another state, or belongs to another room, is ignored")
  mutating func outdated() throws {
    let state = try #require(takeStored().state)
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 15, into: &sent)
    let place = try #require(takeStored().place)
    rooms.handle(.raise(true), from: anna, now: 20, into: &sent)
    rooms.join(MemberID(2), room: "R", now: 20, into: &sent)
    rooms.pass(to: 25, into: &sent)
    var newer = try #require(takeStored().state)
    let whole = newer
    newer.follow(place)
    #expect(newer == whole)
    var other = state
    other.follow(RoomPlace(room: "Q", stateTime: state.time, bookmark: nil, openBook: nil))
    #expect(other == state)
  }

  @Test("what could not be stored is stored again, whole")
  mutating func failures() throws {
    rooms.pass(to: 9, into: &sent)
    sent.removeAll()
    rooms.handle(.key(.arrowRight), from: anna, now: 10, into: &sent)
    rooms.pass(to: 10.5, into: &sent)
    let spread = try #require(takeStored().place?.bookmark?.spread)
    rooms.registry.stateNotStored(of: "R", now: 10.5)
    rooms.registry.stateNotStored(of: "unknown", now: 10.5)
    rooms.pass(to: 12.4, into: &sent)
    #expect(takeSpreads() == [])
    rooms.pass(to: 12.6, into: &sent)
    #expect(takeStored().state?.places.last?.spread == spread)
    rooms.pass(to: 20, into: &sent)
    #expect(takeSpreads() == [])
  }

  @Test("a process that continues a room stores its state at once")
  mutating func taken() throws {
    let state = try #require(takeStored().state)
    var environment = Environment.counted(libraryKey: .libraryKey)
    environment.keepsStates = true
    var others = ServedRooms(RoomRegistry(catalogue: .varied), environment: environment)
    let restored = state
    others.host(now: 5, into: &sent) { rooms, turn in rooms.restore(restored, in: &turn) }
    others.pass(to: 5.1, into: &sent)
    #expect(takeStored().state?.people.map(\.id) == state.people.map(\.id))
  }
}
