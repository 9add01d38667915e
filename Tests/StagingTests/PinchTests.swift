import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Pinching")
struct PinchTests {
  struct Reference: Decodable {
    let push: Bool
    let scale, product: Double
  }

  private func stage(_ start: Screen = .shelf) -> Stage { Stage(library: library(), start: start) }

  /// Returns how open the book is, derived from the size of a page; closed if no page is shown.
  private func openness(_ frame: Frame) -> Double {
    frame.placements.first { $0.key.kind == .page }.map { ($0.transform.m22 - 0.7) / 0.3 } ?? 0
  }

  @Test("fingers open and close as far as in the reference")
  func opensAndCloses() throws {
    // A pinch out lays the open book flat, which the reference does not have.
    for each in try vectors("pinch", as: [Reference].self) where each.push || each.scale <= 1 {
      var stage = stage(each.push ? .shelf : .book)
      stage.pinch(.began, 1, at: 0)
      stage.pinch(.changed, each.scale, at: 0.1)
      let frame = stage.frame(at: 0.1)
      let expected = each.push ? each.product : 1 - each.product
      #expect(abs(openness(frame) - expected) < 1e-12, "\(each)")
      #expect(frame.screen == (each.push ? .shelf : .book) && !frame.isSettled)
    }
  }

  @Test("a scale is relative to the initial one")
  func relativeScale() {
    var stage = stage()
    stage.pinch(.began, 2, at: 0)
    stage.pinch(.changed, 7, at: 0.1)
    #expect(abs(openness(stage.frame(at: 0.1)) - 0.5) < 1e-12)
  }

  @Test("a pinch released early closes the book again, and one released late opens it")
  func release() {
    for (scale, opens) in [(2.0, false), (3.4, false), (3.6, true), (5.5, true)] {
      var stage = stage()
      stage.pinch(to: scale, at: 0, seconds: 0.5, letGo: false)
      // The fingers rest before they are lifted, so only the position counts.
      stage.pinch(.ended, scale, at: 1)
      #expect(stage.frame(at: 1.01).screen == (opens ? .book : .shelf), "scale \(scale)")
      let rest = stage.frame(at: 5)
      #expect(rest.isSettled && rest.screen == (opens ? .book : .shelf))
    }
    for (scale, closes) in [(0.9, false), (0.6, false), (0.4, true), (0.1, true)] {
      var stage = stage(.book)
      stage.pinch(to: scale, at: 0, seconds: 0.5, letGo: false)
      stage.pinch(.ended, scale, at: 1)
      let rest = stage.frame(at: 5)
      #expect(rest.isSettled && rest.screen == (closes ? .shelf : .book), "scale \(scale)")
    }
  }

  @Test("if the fingers have a velocity, the projected position decides")
  func projectedPosition() {
    // The book is a fifth open: at 0.5 per second the projection is 0.45, at 0.8 it is 0.6.
    for (speed, opens) in [(0.5, false), (0.8, true)] {
      var stage = stage()
      stage.pinch(to: 2, at: 0, seconds: 0.2 / speed)
      #expect(stage.frame(at: 1.5).screen == (opens ? .book : .shelf), "\(speed) a second")
      #expect(stage.frame(at: 6).isSettled)
    }
    // The book is three quarters open and closes at more than 0.5 per second.
    var back = stage()
    back.pinch(to: 5, at: 0, seconds: 0.5, letGo: false)
    for step in 1...10 {
      back.pinch(.changed, 5 - 0.1 * Double(step), at: 0.5 + 0.01 * Double(step))
    }
    back.pinch(.ended, 4, at: 0.6)
    #expect(back.frame(at: 0.61).screen == .shelf)
  }

  @Test("a released pinch continues from its position with the velocity of the fingers")
  func releasedPinch() {
    for (scale, spring) in [(5.0, Spring.opening), (2.0, Spring.closing)] {
      var stage = stage()
      stage.pinch(to: scale, at: 0, seconds: 4)
      let (p, v) = ((scale - 1) / 5, (scale - 1) / 5 / 4)
      let target = scale == 5 ? 1.0 : 0
      for step in 0...20 {
        let t = Double(step) / 60
        let state = spring.state(displacement: p - target, velocity: v, after: t)
        let expected = target + state.displacement
        #expect(abs(openness(stage.frame(at: 4 + t)) - expected) < 1e-9)
      }
    }
  }

  @Test("a pinch on an empty shelf does nothing")
  func pinchOnEmptyShelf() {
    for scale in [0.3, 6] {
      var stage = Stage(library: library(books: 0), start: .shelf)
      let rest = stage.frame(at: 0)
      stage.pinch(to: scale, at: 1, seconds: 0.3)
      #expect(stage.frame(at: 1.3) == rest)
    }
  }

  @Test("a pinch on the list does nothing")
  func pinchOnList() {
    var stage = stage(.collections)
    let rest = stage.frame(at: 0)
    stage.pinch(to: 4, at: 1, seconds: 0.3)
    #expect(stage.frame(at: 1.3) == rest)
  }

  @Test("a cancelled pinch returns to its initial state")
  func cancelledPinch() {
    for (start, scale) in [(Screen.shelf, 5.9), (.book, 0.05)] {
      var stage = stage(start)
      let rest = stage.frame(at: 0)
      stage.pinch(to: scale, at: 1, seconds: 0.2, letGo: false)
      stage.pinch(.cancelled, scale, at: 1.2)
      #expect(stage.frame(at: 1.21).screen == start)
      #expect(stage.frame(at: 5) == rest)
    }
  }

  @Test("a caught overshoot does not jump")
  func caughtOvershoot() {
    var stage = stage()
    stage.tap(0, 0, at: 0)
    let peak = 0.4464140326609068
    let before = openness(stage.frame(at: peak))
    #expect(abs(before - 1.0461166397522772) < 1e-9)
    stage.pinch(.began, 1, at: peak)
    #expect(abs(openness(stage.frame(at: peak)) - before) < 1e-9)
    stage.pinch(.changed, 0.999, at: peak + 0.01)
    #expect(abs(openness(stage.frame(at: peak + 0.01)) - before) < 0.002)
    stage.pinch(.changed, 1.5, at: peak + 0.1)
    let pulled = openness(stage.frame(at: peak + 0.1))
    // Beyond its end the book follows the rubber band, so it moves less than the fingers.
    #expect(pulled > before && pulled < before + 0.1)
    stage.pinch(.ended, 1.5, at: peak + 0.3)
    #expect(stage.frame(at: peak + 5).screen == .book)
  }

  @Test("fingers with an invalid end position release nevertheless")
  func invalidEndPosition() {
    var stage = stage()
    stage.pinch(to: 4, at: 0, seconds: 0.2, letGo: false)
    stage.pinch(.changed, .nan, at: 0.21)
    stage.pinch(.ended, .infinity, at: 0.22)
    #expect(!stage.isDriven && stage.isSettled(at: 5))
    stage.pan(.began, 0, 0, at: 6)
    stage.pan(.ended, .nan, 0, at: 6.1)
    #expect(!stage.isDriven && stage.isSettled(at: 10))
  }

  @Test("a pinch that begins while the shelf slides in does not jump afterwards")
  func pinchWhileShelfSlides() {
    var stage = Stage(library: library(), start: .collections)
    stage.press(.enter, at: 0)
    stage.pinch(.began, 1, at: 0.05)
    stage.pinch(.changed, 3, at: 0.15)
    stage.pinch(.changed, 3.1, at: 0.25)
    #expect(openness(stage.frame(at: 0.25)) < 0.05)
    stage.pinch(.changed, 4.5, at: 0.3)
    #expect(openness(stage.frame(at: 0.3)) > 0.05)
  }
}
