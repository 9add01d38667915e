import Fabric
import Motion
import Rooms
import Scene
import Staging
import Testing
import Wire

@Suite("One room")
struct RoomTests {
  let a = MemberID(1)
  let b = MemberID(2)

  /// Returns a room with two members, at rest, at 10 s.
  func pair() -> (ServedRooms, Sent) {
    var rooms = ServedRooms(catalogue: .varied, notes: true)
    var effects = Sent()
    rooms.join(a, room: "R", now: 10, into: &effects)
    rooms.join(b, room: "R", now: 10, into: &effects)
    effects.removeAll()
    return (rooms, effects)
  }

  @Test("a new member gets its welcome, the room, its framing and camera, and then what is seen")
  func join() throws {
    var rooms = ServedRooms(catalogue: .varied)
    var effects = Sent()
    rooms.join(a, room: "R", now: 10, into: &effects)
    let types = effects.messages(to: a).map { $0[0] }
    #expect(types == [0x81, 0x8b, 0x8c, 0x8d, 0x95, 0x86, 0x89, 0x82, 0x83])
    guard case .welcome(let welcome) = try ServerMessage(decoding: effects.messages(to: a)[0])
    else {
      Issue.record("no welcome")
      return
    }
    #expect(welcome.room == "R" && welcome.memberID == 1 && welcome.serverTime == 10)
    #expect(!welcome.resume.isEmpty && welcome.key.isEmpty)
    rooms.pass(to: 13, into: &effects)
    #expect(rooms.wakeTime == nil)
  }

  @Test("the first member learns a second member's name and delay, and nothing else")
  func secondJoin() {
    var rooms = ServedRooms(catalogue: .varied)
    var effects = Sent()
    rooms.join(a, room: "R", now: 10, into: &effects)
    effects.removeAll()
    rooms.join(b, room: "R", now: 10, into: &effects)
    var now = 10.0
    while let wake = rooms.wakeTime, wake < 12 {
      now = max(now, wake)
      rooms.wake(now: now, into: &effects)
    }
    #expect(effects.messages(to: a).map { $0[0] } == [0x8c, 0x8d])
  }

  @Test("a key gives all members the same frames for 0.25 s, the first ones separately")
  func flight() throws {
    var (rooms, effects) = pair()
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    let batches = effects.messages(to: a).filter { $0[0] == 0x84 || $0[0] == 0x85 }
    #expect(batches == effects.messages(to: b).filter { $0[0] == 0x84 || $0[0] == 0x85 })
    let parts = try batches.map { batch -> [FrameUpdate] in
      if case .batch(let updates) = try ServerMessage(decoding: batch) { updates } else { [] }
    }
    #expect(parts.count == 2 && parts[0].count == 4)
    let updates = parts.flatMap(\.self)
    #expect(updates.first?.time == 11)
    #expect(updates.map(\.number) == (2..<UInt32(2 + updates.count)).map { $0 })
    #expect(updates.last?.isSettled == true)
    #expect((0.18...0.26).contains((updates.last?.time ?? 0) - 11))
  }

  @Test("a member that catches a flight recalls it with a snapshot for that time")
  func recall() throws {
    var (rooms, effects) = pair()
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    effects.removeAll()
    rooms.handle(.key(.escape), from: a, now: 11.1, into: &effects)
    let messages = effects.messages(to: b).filter { [0x83, 0x84, 0x85].contains($0[0]) }
    #expect(messages.first?[0] == 0x83)
    guard case .snapshot(let update) = try ServerMessage(decoding: messages[0]) else { return }
    #expect(update.time == 11.1)
    #expect(!update.isSettled)
  }

  @Test("a driven frame answers the presenter for its next vsync, at most 0.1 s ahead")
  func driven() throws {
    var (rooms, effects) = pair()
    func drag(_ phase: PointerPhase, _ y: Double, target: Double, now: Double) throws -> Double? {
      effects.removeAll()
      let sample = PointerSample(id: 0, phase: phase, x: 500, y: y)
      rooms.handle(
        .pointers(Pointers(target: target, samples: [sample])),
        from: a,
        now: now,
        into: &effects
      )
      guard let bytes = effects.messages(to: b).first(where: { $0[0] == 0x84 }),
        case .delta(let update) = try ServerMessage(decoding: bytes)
      else { return nil }
      return update.time
    }
    #expect(try drag(.down, 400, target: 11.01, now: 11) == nil)
    #expect(try drag(.move, 380, target: 11.02, now: 11.01) == 11.02)
    #expect(try drag(.move, 370, target: 0, now: 11.03) == 11.03)
    #expect(try drag(.move, 360, target: 99, now: 11.05) == 11.05 + 0.1)
    #expect(rooms.room(named: "R")?.holder == a)
    rooms.pass(to: 14, into: &effects)
    #expect(rooms.wakeTime == nil)
  }

  @Test("pointer messages faster than 240 a second are answered together")
  func coalescing() {
    var (rooms, effects) = pair()
    var answers = 0
    var now = 11.0
    for step in 0..<1000 {
      effects.removeAll()
      let sample = PointerSample(
        id: 0,
        phase: step == 0 ? .down : .move,
        x: 500,
        y: 400 - Double(step) / 4
      )
      rooms.handle(
        .pointers(Pointers(target: 0, samples: [sample])),
        from: a,
        now: now,
        into: &effects
      )
      answers += effects.messages(to: b).filter { $0[0] == 0x84 }.count
      now += 0.001
      while let wake = rooms.wakeTime, wake <= now {
        effects.removeAll()
        rooms.wake(now: wake, into: &effects)
        answers += effects.messages(to: b).filter { $0[0] == 0x84 }.count
      }
    }
    #expect((150...242).contains(answers))
  }

  @Test("a swipe whose messages arrive together keeps its speed")
  func bunched() throws {
    var rooms = ServedRooms(catalogue: .sample([[40]]))
    var effects = Sent()
    let id = MemberID(1)
    rooms.join(id, room: "R", now: 10, into: &effects)
    for (now, key) in [(11.0, Key.enter), (13.0, .enter)] {
      rooms.handle(.key(key), from: id, now: now, into: &effects)
      while let wake = rooms.wakeTime { rooms.wake(now: wake, into: &effects) }
    }
    #expect(rooms.room(named: "R")?.stage.openBook == "0/0")
    // Seven frames of a finger, each with its own target time, that all arrive later.
    let late = 30.4
    for step in 0..<7 {
      let phase: PointerPhase = step == 0 ? .down : step == 6 ? .up : .move
      let sample = PointerSample(id: 0, phase: phase, x: 700 - 30 * Double(step), y: 384)
      let pointers = Pointers(target: 30 + Double(step) / 60, samples: [sample])
      rooms.handle(.pointers(pointers), from: id, now: late, into: &effects)
    }
    #expect(rooms.room(named: "R")?.stage.spread == 1)
  }

  @Test("while one member holds something, another's input is ignored, but not afterwards")
  func holding() {
    var (rooms, effects) = pair()
    func zoom(_ phase: GesturePhase, _ scale: Double, now: Double) {
      let middle = Point(x: 512, y: 384)
      rooms.handle(.zoom(phase, scale: scale, at: middle), from: a, now: now, into: &effects)
    }
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.wake(now: 13, into: &effects)
    zoom(.began, 1, now: 13)
    zoom(.changed, 2, now: 13.1)
    #expect(rooms.room(named: "R")?.holder == a)
    effects.removeAll()
    rooms.handle(.key(.escape), from: b, now: 13.2, into: &effects)
    #expect(effects.inputs.isEmpty)
    zoom(.ended, 2, now: 13.3)
    effects.removeAll()
    // The leaf still flies, so any member can catch it.
    let place = Point(x: 512, y: 384)
    rooms.handle(.zoom(.began, scale: 1, at: place), from: b, now: 13.35, into: &effects)
    #expect(effects.inputs.count == 1)
    #expect(rooms.room(named: "R")?.holder == b)
    #expect(rooms.room(named: "R")?.presenter == b)
  }

  @Test("a finger that is lifted while another member holds something counts as lifted")
  func liftedMeanwhile() {
    var (rooms, effects) = pair()
    func touch(_ phase: PointerPhase, now: Double) {
      let sample = PointerSample(id: 3, phase: phase, x: 512, y: 187)
      rooms.handle(
        .pointers(Pointers(target: 0, samples: [sample])),
        from: b,
        now: now,
        into: &effects
      )
    }
    let middle = Point(x: 512, y: 384)
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.wake(now: 13, into: &effects)
    rooms.handle(.zoom(.began, scale: 1, at: middle), from: a, now: 13, into: &effects)
    rooms.handle(.zoom(.changed, scale: 1.1, at: middle), from: a, now: 13.1, into: &effects)
    effects.removeAll()
    touch(.down, now: 13.2)
    touch(.up, now: 13.3)
    #expect(effects.inputs.isEmpty)
    rooms.handle(.zoom(.cancelled, scale: 1.1, at: middle), from: a, now: 13.4, into: &effects)
    rooms.wake(now: 15, into: &effects)
    rooms.wake(now: 16, into: &effects)
    effects.removeAll()
    touch(.down, now: 16)
    touch(.up, now: 16.1)
    #expect(effects.inputs.count == 1)
    #expect(rooms.room(named: "R")?.stage.screen == .book)
  }

  @Test("a member that leaves releases what it held")
  func leaving() {
    var (rooms, effects) = pair()
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.wake(now: 13, into: &effects)
    rooms.handle(
      .zoom(.began, scale: 1, at: Point(x: 500, y: 300)),
      from: a,
      now: 14,
      into: &effects
    )
    rooms.handle(
      .zoom(.changed, scale: 3, at: Point(x: 500, y: 300)),
      from: a,
      now: 14.1,
      into: &effects
    )
    #expect(rooms.room(named: "R")?.stage.isDriven == true)
    rooms.leave(a, now: 14.2, into: &effects)
    #expect(rooms.room(named: "R")?.stage.isDriven == false)
    var now = 14.2
    while let wake = rooms.wakeTime, wake < 30 {
      now = wake
      rooms.wake(now: now, into: &effects)
    }
    #expect(now < 30)
    #expect(rooms.room(named: "R")?.holder == nil)
  }

  @Test("a zoom that starts while another member holds something holds and releases nothing")
  func deniedZoom() {
    var (rooms, effects) = pair()
    let middle = Point(x: 500, y: 300)
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.wake(now: 11.9, into: &effects)
    rooms.handle(.zoom(.began, scale: 1, at: middle), from: a, now: 12, into: &effects)
    rooms.handle(.zoom(.began, scale: 1, at: middle), from: b, now: 12.05, into: &effects)
    rooms.handle(.zoom(.changed, scale: 2, at: middle), from: b, now: 12.06, into: &effects)
    rooms.handle(.zoom(.cancelled, scale: 1, at: middle), from: a, now: 12.1, into: &effects)
    rooms.wake(now: 13, into: &effects)
    #expect(rooms.room(named: "R")?.holder == nil)
    effects.removeAll()
    rooms.leave(b, now: 14, into: &effects)
    #expect(effects.inputs == [])
  }

  @Test(
    "an empty room computes frames and sends nothing, and a new member gets the current state"
  )
  func emptyRoom() {
    var (rooms, effects) = pair()
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.leave(b, now: 11.01, into: &effects)
    rooms.leave(a, now: 11.02, into: &effects)
    effects.removeAll()
    rooms.wake(now: 11.1, into: &effects)
    #expect(effects.messages.isEmpty)
    let c = MemberID(3)
    rooms.join(c, room: "R", now: 11.15, into: &effects)
    let types = effects.messages(to: c).map { $0[0] }
    #expect(types == [0x81, 0x8b, 0x8c, 0x8d, 0x95, 0x86, 0x89, 0x82, 0x83, 0x85, 0x8c])
  }

  @Test("a hidden window gets nothing, and a snapshot when it is visible again")
  func hidden() {
    var (rooms, effects) = pair()
    rooms.handle(.visibility(isVisible: false), from: b, now: 11, into: &effects)
    rooms.handle(.key(.enter), from: a, now: 11, into: &effects)
    rooms.handle(.viewport(.plain, reducesMotion: false), from: b, now: 11, into: &effects)
    #expect(effects.messages(to: b).isEmpty)
    rooms.handle(.visibility(isVisible: true), from: b, now: 12, into: &effects)
    let types = effects.messages(to: b).map { $0[0] }
    #expect(types == [0x8b, 0x8c, 0x8d, 0x95, 0x86, 0x89, 0x82, 0x83, 0x8d])
  }

  @Test(
    "a member that missed a frame catches up by a snapshot, with elements only if it missed any"
  )
  func refusal() {
    var (rooms, effects) = pair()
    rooms.wake(now: 10.5, into: &effects)
    effects.removeAll()
    rooms.block(b)
    rooms.handle(.key(.arrowDown), from: a, now: 11, into: &effects)
    #expect(effects.messages(to: b).isEmpty)
    rooms.unblock(b, now: 11.1, into: &effects)
    #expect(effects.messages(to: b).map { $0[0] }.filter { $0 != 0x8d } == [0x89, 0x83])
    rooms.wake(now: 15, into: &effects)
    effects.removeAll()
    rooms.block(b)
    let go = ClientMessage.go(book: "0/4", opens: true, page: 20)
    rooms.handle(go, from: a, now: 16, into: &effects)
    rooms.wake(now: 16.2, into: &effects)
    #expect(effects.messages(to: a).contains { $0[0] == 0x82 })
    rooms.unblock(b, now: 16.3, into: &effects)
    let types = effects.messages(to: b).map { $0[0] }.filter { $0 != 0x8d }
    #expect(types == [0x89, 0x82, 0x83, 0x85])
  }

  @Test("an empty library is an empty table and causes no trap")
  func emptyLibrary() {
    var rooms = ServedRooms(catalogue: Catalogue(collections: []))
    var effects = Sent()
    rooms.join(a, room: "R", now: 0, into: &effects)
    for key in Key.allCases { rooms.handle(.key(key), from: a, now: 1, into: &effects) }
    #expect(effects.messages(to: a).contains { $0[0] == 0x83 })
  }
}
