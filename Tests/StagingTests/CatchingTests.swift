import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Catching a motion")
struct CatchingTests {
  /// A motion, its animation, and the input that interrupts it.
  private struct Flight: CustomTestStringConvertible {
    let name: String
    let start: Screen
    let launch: [(Double, Input)]
    let animation: @Sendable (Stage) -> Animation
    let turnRound: Input
    var testDescription: String { name }
  }

  private static let flights = [
    Flight(
      name: "list",
      start: .collections,
      launch: [(0, .key(.end))],
      animation: { $0.position.scroll },
      turnRound: .key(.home)
    ),
    Flight(
      name: "carousel",
      start: .shelf,
      launch: [(0, .key(.end))],
      animation: { $0.position.carousel },
      turnRound: .key(.home)
    ),
    Flight(
      name: "slide in",
      start: .collections,
      launch: [(0, .key(.enter))],
      animation: { $0.position.slide },
      turnRound: .key(.escape)
    ),
    Flight(
      name: "slide out",
      start: .shelf,
      launch: [(0, .key(.escape))],
      animation: { $0.position.slide },
      turnRound: .key(.enter)
    ),
    Flight(
      name: "opening",
      start: .shelf,
      launch: [(0, .key(.enter))],
      animation: { $0.taken.opening },
      turnRound: .key(.escape)
    ),
    Flight(
      name: "closing",
      start: .book,
      launch: [(0, .key(.escape))],
      animation: { $0.taken.opening },
      turnRound: .key(.enter)
    ),
    Flight(
      name: "turn",
      start: .book,
      launch: [(0, .key(.end))],
      animation: { $0.taken.leaves.turn },
      turnRound: .key(.home)
    ),
  ]

  @Test("reversing keeps position and velocity", arguments: flights.indices)
  func reversing(index: Int) {
    let flight = Self.flights[index]
    for time in [0.03, 0.07, 0.11, 0.15] {
      var before = Stage(library: library(collections: 9), start: flight.start)
      before.play(flight.launch)
      var after = before
      after.apply(flight.turnRound, at: time)
      let (old, new) = (flight.animation(before), flight.animation(after))
      #expect(new.target != old.target, "\(flight.name) at \(time)")
      #expect(abs(old.value(at: time) - new.value(at: time)) < 1e-9)
      let h = 1e-5
      let was = (old.value(at: time) - old.value(at: time - h)) / h
      let isNow = (new.value(at: time + h) - new.value(at: time)) / h
      #expect(abs(was - isNow) < 1e-2 * max(1, abs(was)), "\(flight.name): \(was), \(isNow)")
      #expect(difference(before.frame(at: time), after.frame(at: time)) < 1e-6)
      #expect(after.frame(at: 10).isSettled)
    }
  }

  @Test(
    "a caught motion stops where it is, and a cancelled gesture lets it continue",
    arguments: flights.indices
  )
  func caughtMotion(index: Int) {
    let flight = Self.flights[index]
    for time in [0.02, 0.07, 0.13, 0.18] {
      var stage = Stage(library: library(collections: 9), start: flight.start)
      stage.play(flight.launch)
      let before = stage.frame(at: time)
      let value = flight.animation(stage).value(at: time)
      let isOpening = flight.name == "opening"
      if isOpening {
        stage.pinch(.began, 1.3, at: time)
      } else {
        stage.pan(.began, 77, -33, at: time)
      }
      #expect(abs(flight.animation(stage).value(at: time) - value) < 1e-9, "\(flight.name)")
      #expect(flight.animation(stage).isHeld && stage.isDriven)
      #expect(difference(before, stage.frame(at: time + 1)) < 1e-6)
      if isOpening {
        stage.pinch(.cancelled, 1.3, at: time + 1)
      } else {
        stage.pan(.cancelled, 77, -33, at: time + 1)
      }
      var untouched = Stage(library: library(collections: 9), start: flight.start)
      untouched.play(flight.launch)
      #expect(stage.frame(at: 20) == untouched.frame(at: 20), "\(flight.name)")
    }
  }

  @Test("a released motion keeps the finger's velocity")
  func releasedMotion() {
    var stage = Stage(library: library(), start: .shelf)
    stage.drag(from: Point(x: 0, y: 0), to: Point(x: -250, y: 0), at: 0, seconds: 0.5)
    #expect(abs(stage.position.carousel.velocity(at: 0.5) - 500) < 1e-6)
    var book = Stage(library: library(), start: .book, dragRule: .scroll)
    book.drag(from: Point(x: 0, y: 0), to: Point(x: -256, y: 0), at: 0, seconds: 0.5)
    #expect(abs(book.taken.leaves.turn.velocity(at: 0.5) - 0.5) < 1e-9)
    // A finger that rests for a while before it is lifted passes on no velocity.
    var rested = Stage(library: library(), start: .shelf)
    rested.drag(
      from: Point(x: 0, y: 0),
      to: Point(x: -250, y: 0),
      at: 0,
      seconds: 0.5,
      letGo: false
    )
    rested.pan(.ended, -250, 0, at: 0.7)
    #expect(rested.position.carousel.velocity(at: 0.7) == 0)
  }

  @Test("a closing book can be dragged open again")
  func dragClosingBookOpen() {
    var stage = Stage(library: library(), start: .book)
    stage.press(.escape, at: 0)
    stage.drag(from: Point(x: 300, y: 0), to: Point(x: -300, y: 0), at: 0.4, seconds: 0.3)
    #expect(stage.frame(at: 0.71).screen == .book && stage.frame(at: 6).isSettled)
  }

  @Test("a caught leaf can be turned further from its position")
  func caughtLeaf() {
    var stage = Stage(library: library(), start: .book)
    stage.press(.arrowRight, at: 0)
    stage.drag(from: Point(x: 0, y: 0), to: Point(x: -300, y: 0), at: 0.1, seconds: 0.1)
    #expect(stage.spread == 1 || stage.spread == 2)
    let rest = stage.frame(at: 6)
    #expect(rest.isSettled)
  }

  @Test("a finger that closes a book keeps it on screen, even if a leaf never came to rest before")
  func closingFingerLeavesBook() {
    var stage = Stage(library: library(), start: .shelf)
    stage.press(.enter, at: 0)
    stage.press(.arrowRight, at: 0.9)
    stage.pinch(to: 0.8, at: 1.1, seconds: 0.05, letGo: false)
    #expect(stage.frame(at: 1.15).screen == .book)
  }

  @Test("a caught slide goes where the finger moves it")
  func caughtSlide() {
    var stage = Stage(library: library(collections: 2), start: .collections)
    stage.press(.enter, at: 0)
    stage.pan(.began, 0, 0, at: 0.1)
    #expect(stage.screen == .collections)
    stage.pan(.changed, 300, 0, at: 0.2)
    stage.pan(.ended, 300, 0, at: 0.6)
    #expect(stage.frame(at: 4).isSettled && stage.frame(at: 4).screen == .collections)
  }

  @Test("a tap during a slide hits what is visible there")
  func tapDuringSlide() {
    var stage = Stage(library: library(collections: 3), start: .collections)
    stage.press(.enter, at: 0)
    // Cover 0 is at 512 at the half of the way; nothing is at 0 yet.
    #expect(abs((stage.frame(at: 0.1)[.cover, 0, in: stage.library]?.transform.m41 ?? 0) - 512) < 1)
    var missed = stage
    missed.tap(0, 0, at: 0.1)
    #expect(missed.screen == .shelf)
    stage.tap(512, 0, at: 0.1)
    #expect(stage.screen == .book)
  }
}

/// Returns the distance of the common elements of two frames in points, or, for an element in only
/// one of them, its opacity in thousandths.
func difference(_ a: Frame, _ b: Frame) -> Double {
  var most = 0.0
  let keys = Set(a.placements.map(\.key)).union(b.placements.map(\.key))
  for key in keys {
    let (one, other) = (
      a.placements.first { $0.key == key }, b.placements.first { $0.key == key }
    )
    guard let one, let other else {
      // A cover that leaves its shelf becomes the book's first page.
      let isTaken =
        key.kind == .cover && [a, b].contains { $0.placements.contains { $0.key.kind == .page } }
      let isBook = key.kind == .page
      if !isTaken, !isBook { most = max(most, 1000 * (one ?? other).map(\.opacity).orZero) }
      continue
    }
    most = max(most, one.transform.maximumDifference(from: other.transform))
    most = max(most, abs(one.opacity - other.opacity), abs(one.shade - other.shade))
  }
  return most
}

extension Double? {
  var orZero: Double { self ?? 0 }
}
