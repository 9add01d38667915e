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
    var environment = RoomEnvironment.counted()
    environment.keepsStates = true
    rooms = ServedRooms(RoomRegistry(library: ShownLibrary(.varied), environment: environment))
    rooms.join(anna, room: "R", now: 0, into: &sent)
    rooms.handle(.go(book: "0/4", opens: true, page: 20), from: anna, now: 1, into: &sent)
    rooms.pass(to: 9, into: &sent)
  }

  /// The spreads of the states that were stored since the last call.
  private mutating func takeSpreads() -> [Int?] {
    defer { sent.removeAll() }
    return sent.list.compactMap { effect in
      guard case .keepState(let state) = effect else { return nil }
      return .some(state.places.last?.spread)
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

  @Test("a room with many people is stored less often")
  mutating func crowds() throws {
    for number in 2...200 as ClosedRange<UInt32> {
      rooms.join(MemberID(number), room: "R", now: 10, into: &sent)
    }
    rooms.pass(to: 20, into: &sent)
    let spread = try #require(takeSpreads().last ?? nil)
    rooms.handle(.key(.arrowRight), from: anna, now: 20, into: &sent)
    rooms.pass(to: 20.05, into: &sent)
    #expect(takeSpreads() == [spread + 1])
    rooms.handle(.key(.arrowRight), from: anna, now: 20.05, into: &sent)
    rooms.pass(to: 20.19, into: &sent)
    #expect(takeSpreads() == [])
    rooms.pass(to: 20.21, into: &sent)
    #expect(takeSpreads() == [spread + 2])
  }
}
