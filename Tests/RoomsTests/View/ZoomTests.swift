import Fabric
import Glibc
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

/// A room with two members in its first book.
private struct Desk: Hand {
  let a = MemberID(1)
  let b = MemberID(2)
  var rooms = ServedRooms(catalogue: .varied, notes: true)
  var effects = Sent()
  var now = 10.0

  init(isFlat: Bool = true) {
    for id in [a, b] { rooms.join(id, room: "R", now: now, into: &effects) }
    say(.key(.enter), pause: 3)
    say(.key(.enter), pause: 3)
    if isFlat { say(.lay(.flat), pause: 3) }
  }

  var stage: Stage? { rooms.room(named: "R")?.stage }

  /// Returns the final zoom of a member's window.
  func zoom(_ id: MemberID) -> Double { rooms.room(named: "R")?.camera(of: id)?.m11 ?? 0 }

  mutating func say(_ message: ClientMessage, from id: MemberID? = nil, pause: Double = 0) {
    effects.removeAll()
    rooms.handle(message, from: id ?? a, now: now, into: &effects)
    pass(pause)
  }

  mutating func pass(_ seconds: Double) {
    let end = now + seconds
    while let wake = rooms.wakeTime, wake <= end {
      now = max(now, wake)
      rooms.wake(now: now, into: &effects)
    }
    now = end
  }

  mutating func finger(
    _ phase: PointerPhase,
    _ x: Double,
    _ y: Double,
    id: UInt8 = 0,
    pause: Double = 0.02
  ) {
    let sample = PointerSample(id: id, phase: phase, x: 512 + x, y: 384 + y)
    say(.pointers(Pointers(target: 0, samples: [sample])), pause: pause)
  }
}

@Suite("Zooming in a room")
struct ZoomTests {
  @Test("fingers on a flat book zoom for their own member only")
  func own() {
    var desk = Desk()
    let frames = desk.rooms.room(named: "R")?.frameNumber
    desk.pinch(from: 40, to: 100)
    #expect(abs(desk.zoom(desk.a) - 2.5) < 0.1 && desk.zoom(desk.b) == 1)
    #expect(desk.rooms.room(named: "R")?.frameNumber == frames && desk.effects.inputs.isEmpty)
    desk.pass(1)
    #expect(desk.rooms.wakeTime == nil)
  }

  @Test("one gesture goes from paper through flat into the zoom, and each gesture back is one step")
  func steps() {
    var desk = Desk(isFlat: false)
    desk.pinch(from: 40, to: 240)
    #expect(desk.stage?.isOpenFlat == true && abs(desk.zoom(desk.a) - 3) < 0.2)
    desk.pinch(from: 240, to: 20)
    #expect(desk.stage?.isOpenFlat == true && desk.zoom(desk.a) == 1)
    desk.pinch(from: 240, to: 60)
    #expect(desk.stage?.isFlat == false && desk.stage?.screen == .book)
    desk.pinch(from: 240, to: 20)
    #expect(desk.stage?.screen == .shelf)
  }

  @Test("the cameras of a fling are sent ahead in flights, and a new camera recalls them")
  func flights() throws {
    var desk = Desk()
    desk.say(.zoomStep(factor: 4, at: Point(x: 512, y: 384)))
    var types = desk.effects.messages(to: desk.a).map { $0[0] }
    #expect(types == [0x86, 0x8A] && desk.effects.messages(to: desk.b).isEmpty)
    let flight = try ServerMessage(decoding: desk.effects.messages(to: desk.a)[1])
    guard case .cameras(let cameras) = flight else { return }
    #expect(cameras.count >= 14 && (cameras.last?.time ?? 0) <= desk.now + Pacing.flownAhead)
    desk.pass(0.05)
    desk.finger(.down, 0, 0, pause: 0)
    types = desk.effects.messages(to: desk.a).map { $0[0] }
    #expect(types.first == 0x86 && !types.contains(0x8A))
  }

  @Test("a fling of a trackpad turns one leaf for all, and each member has its own wheel")
  func flings() {
    var desk = Desk(isFlat: false)
    func fling(from id: MemberID, over other: MemberID? = nil) {
      for step in 0..<60 {
        let pixels = step < 8 ? 10.0 * Double(step) : 70 * exp(-Double(step - 8) / 13)
        let at = Point(x: 512, y: 384)
        desk.say(.wheel(dx: 0, dy: pixels, at: at, ctrl: false), from: id)
        // The events of another member's wheel in between are not part of the fling.
        if let other { desk.say(.wheel(dx: 0, dy: 1, at: at, ctrl: false), from: other) }
        desk.pass(0.016)
      }
      desk.pass(2)
    }
    fling(from: desk.a)
    #expect(desk.stage?.spread == 1)
    fling(from: desk.a, over: desk.b)
    #expect(desk.stage?.spread == 2)
    desk.say(.wheel(dx: 0, dy: -120, at: Point(x: 512, y: 384), ctrl: false), pause: 3)
    #expect(desk.stage?.spread == 1)
  }

  @Test("a wheel with the control key lays the book flat, zooms further, and returns step by step")
  func wheel() {
    var desk = Desk(isFlat: false)
    let middle = Point(x: 512, y: 384)
    for _ in 0..<30 { desk.say(.wheel(dx: 0, dy: -10, at: middle, ctrl: true), pause: 0.016) }
    desk.pass(2)
    #expect(desk.stage?.isOpenFlat == true && desk.zoom(desk.a) > 2)
    for _ in 0..<60 { desk.say(.wheel(dx: 0, dy: 10, at: middle, ctrl: true), pause: 0.016) }
    desk.pass(2)
    #expect(desk.stage?.isOpenFlat == true && desk.zoom(desk.a) == 1)
    for _ in 0..<20 { desk.say(.wheel(dx: 0, dy: 10, at: middle, ctrl: true), pause: 0.016) }
    desk.pass(2)
    #expect(desk.stage?.isFlat == false && desk.stage?.screen == .book)
  }

  @Test("the browser's own zoom gestures have the same effects")
  func gestures() {
    var desk = Desk()
    let place = Point(x: 600, y: 300)
    desk.say(.zoom(.began, scale: 1, at: place))
    for step in 1...10 {
      desk.say(.zoom(.changed, scale: 1 + Double(step) / 10, at: place), pause: 0.016)
    }
    desk.say(.zoom(.ended, scale: 2, at: place), pause: 2)
    #expect(abs(desk.zoom(desk.a) - 2) < 0.05)
  }
}
