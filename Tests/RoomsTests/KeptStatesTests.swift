import Fabric
import Scene
import Testing

@testable import Rooms

@Suite("When the states of rooms are stored")
struct KeptStatesTests {
  private static let state = RoomState(
    name: "a",
    time: 0,
    owner: ReaderID(digest: []),
    settings: RoomSettings(),
    people: [],
    asking: []
  )

  @Test("a state that could not be stored is stored again after a while, or with a change before")
  func failures() {
    var states = KeptStates()
    states.noteChange(of: "a", people: 1, now: 10)
    #expect(states.take(at: 11) { _ in Self.state }.count == 1)
    states.noteFailure(of: "a", now: 11)
    #expect(states.wakeTime == 11 + KeptStates.retrySeconds)
    #expect(states.take(at: 14) { _ in Self.state }.count == 1)
    states.noteChange(of: "a", people: 1, now: 20)
    let soon = states.wakeTime
    states.noteFailure(of: "a", now: 20)
    #expect(states.wakeTime == soon)
  }
}
