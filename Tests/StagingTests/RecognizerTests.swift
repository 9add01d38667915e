import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

@Suite("Recognising gestures")
struct RecognizerTests {
  /// A recogniser with a camera of half the stage's size: 512 x 384 pixels.
  private struct Hand {
    var recognizer = Recognizer()
    let camera = Camera(viewport: Viewport(size: Size(width: 512, height: 384)))

    mutating func handle(
      _ id: UInt8,
      _ phase: PointerPhase,
      _ x: Double,
      _ y: Double,
      at time: Double,
      isMoving: Bool = false
    ) -> [Input] {
      Array(
        recognizer.handle(
          id,
          phase,
          at: Point(x: x, y: y),
          time: time,
          isMoving: isMoving,
          camera: camera
        )
      )
    }
  }

  private func stage(_ x: Double, _ y: Double) -> Point {
    Point(x: (x - 256) * 2, y: (y - 192) * 2)
  }

  @Test("a short touch without movement is a tap")
  func tap() {
    var hand = Hand()
    #expect(hand.handle(1, .down, 256, 192, at: 0) == [])
    #expect(hand.recognizer.isTouched)
    #expect(hand.handle(1, .move, 260, 195, at: 0.1) == [])
    #expect(hand.handle(1, .up, 260, 195, at: 0.2) == [.tap(stage(260, 195))])
    #expect(!hand.recognizer.isTouched)
  }

  @Test("a long touch is not a tap")
  func longTouch() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0)
    #expect(hand.handle(1, .up, 100, 100, at: 0.6) == [])
  }

  @Test("a touch beyond the slop drags from its position at that moment")
  func dragBeyondSlop() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0)
    #expect(hand.handle(1, .move, 105, 106, at: 0.01) == [])
    #expect(
      hand.handle(1, .move, 109, 100, at: 0.02) == [
        .touch(stage(100, 100)), .pan(.began, stage(109, 100)),
      ]
    )
    #expect(hand.handle(1, .move, 101, 100, at: 0.03) == [.pan(.changed, stage(101, 100))])
    #expect(hand.handle(1, .up, 100, 100, at: 0.04) == [.pan(.ended, stage(100, 100))])
  }

  @Test("a long touch drags from its first movement")
  func longTouchDrags() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0)
    #expect(
      hand.handle(1, .move, 101, 100, at: 1) == [
        .touch(stage(100, 100)), .pan(.began, stage(101, 100)),
      ]
    )
  }

  @Test("two fingers pinch immediately, and lifting one ends the pinch")
  func pinch() {
    var hand = Hand()
    _ = hand.handle(1, .down, 200, 192, at: 0)
    #expect(
      hand.handle(2, .down, 300, 192, at: 0.1) == [.pinch(.began, scale: 1, stage(250, 192))]
    )
    #expect(
      hand.handle(2, .move, 400, 192, at: 0.2) == [.pinch(.changed, scale: 2, stage(300, 192))]
    )
    #expect(
      hand.handle(1, .up, 200, 192, at: 0.3) == [.pinch(.ended, scale: 2, stage(300, 192))]
    )
    // The remaining finger is ignored.
    #expect(hand.handle(2, .move, 100, 10, at: 0.4) == [])
    #expect(hand.handle(2, .up, 100, 10, at: 0.5) == [])
    _ = hand.handle(3, .down, 10, 10, at: 1)
    #expect(hand.handle(3, .up, 10, 10, at: 1.1) == [.tap(stage(10, 10))])
  }

  @Test("a second finger cancels the drag")
  func secondFinger() {
    var hand = Hand()
    _ = hand.handle(1, .down, 200, 192, at: 0)
    _ = hand.handle(1, .move, 220, 192, at: 0.1)
    #expect(
      hand.handle(2, .down, 320, 192, at: 0.2) == [
        .pan(.cancelled, stage(220, 192)), .pinch(.began, scale: 1, stage(270, 192)),
      ]
    )
  }

  @Test("a third finger cancels the pinch until all are lifted")
  func thirdFinger() {
    var hand = Hand()
    _ = hand.handle(1, .down, 200, 192, at: 0)
    _ = hand.handle(2, .down, 300, 192, at: 0)
    _ = hand.handle(2, .move, 350, 192, at: 0.1)
    #expect(
      hand.handle(3, .down, 10, 10, at: 0.2) == [.pinch(.cancelled, scale: 1.5, stage(275, 192))]
    )
    for (id, phase) in [(UInt8(1), PointerPhase.move), (2, .move), (3, .up), (2, .up), (1, .up)] {
      #expect(hand.handle(id, phase, 50, 50, at: 0.3) == [])
    }
    #expect(!hand.recognizer.isTouched)
  }

  @Test("fingers at the same point still have a finite scale")
  func coincidentFingers() {
    var hand = Hand()
    _ = hand.handle(1, .down, 200, 192, at: 0)
    _ = hand.handle(2, .down, 200, 192, at: 0)
    #expect(
      hand.handle(2, .move, 220, 192, at: 0.1) == [.pinch(.changed, scale: 2, stage(210, 192))]
    )
    #expect(
      hand.handle(2, .move, 200, 192, at: 0.2) == [.pinch(.changed, scale: 1, stage(200, 192))]
    )
  }

  @Test("a touch that the system cancels is cancelled")
  func systemCancel() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0)
    #expect(hand.handle(1, .cancel, 100, 100, at: 0.1) == [])
    _ = hand.handle(1, .down, 100, 100, at: 1)
    _ = hand.handle(1, .move, 150, 100, at: 1.1)
    #expect(hand.handle(1, .cancel, 0, 0, at: 1.2) == [.pan(.cancelled, stage(150, 100))])
    _ = hand.handle(1, .down, 200, 192, at: 2)
    _ = hand.handle(2, .down, 300, 192, at: 2)
    #expect(
      hand.handle(1, .cancel, 0, 0, at: 2.1) == [.pinch(.cancelled, scale: 1, stage(250, 192))]
    )
    #expect(hand.handle(2, .up, 300, 192, at: 2.2) == [] && !hand.recognizer.isTouched)
  }

  @Test("cancelling every finger ends their gesture once")
  func cancelAll() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0)
    _ = hand.handle(1, .move, 150, 100, at: 0.1)
    #expect(hand.recognizer.cancelAll(camera: hand.camera) == [.pan(.cancelled, stage(150, 100))])
    #expect(hand.recognizer.cancelAll(camera: hand.camera) == [] && !hand.recognizer.isTouched)
    #expect(hand.handle(1, .move, 160, 100, at: 0.2) == [])
  }

  @Test("moving things are caught without slop")
  func catchWithoutSlop() {
    var hand = Hand()
    #expect(
      hand.handle(1, .down, 100, 100, at: 0, isMoving: true) == [.pan(.began, stage(100, 100))]
    )
    #expect(hand.handle(1, .move, 103, 100, at: 0.02) == [.pan(.changed, stage(103, 100))])
    #expect(hand.handle(1, .move, 120, 100, at: 0.04) == [.pan(.changed, stage(120, 100))])
    #expect(hand.handle(1, .up, 120, 100, at: 0.06) == [.pan(.ended, stage(120, 100))])
  }

  @Test("a touch of something that moves lets it continue and is a tap")
  func touchOfMoving() {
    var hand = Hand()
    _ = hand.handle(1, .down, 100, 100, at: 0, isMoving: true)
    #expect(
      hand.handle(1, .up, 101, 100, at: 0.1) == [
        .pan(.cancelled, stage(101, 100)), .tap(stage(101, 100)),
      ]
    )
    _ = hand.handle(1, .down, 100, 100, at: 1, isMoving: true)
    _ = hand.handle(1, .move, 150, 100, at: 1.1)
    // The touch is back at its start, but it moved too far on the way.
    _ = hand.handle(1, .move, 100, 100, at: 1.2)
    #expect(hand.handle(1, .up, 100, 100, at: 1.3) == [.pan(.ended, stage(100, 100))])
    _ = hand.handle(1, .down, 100, 100, at: 2, isMoving: true)
    #expect(hand.handle(1, .up, 100, 100, at: 2.6) == [.pan(.ended, stage(100, 100))])
  }

  @Test("pointers that are not down are ignored, and a pointer goes down once")
  func unknownPointers() {
    var hand = Hand()
    for phase in [PointerPhase.move, .up, .cancel] {
      #expect(hand.handle(9, phase, 1, 1, at: 0) == [])
    }
    _ = hand.handle(1, .down, 100, 100, at: 1)
    #expect(hand.handle(1, .down, 200, 100, at: 1.1) == [])
    #expect(hand.handle(1, .up, 100, 100, at: 1.2) == [.tap(stage(100, 100))])
    for id in 0..<40 { _ = hand.handle(UInt8(id), .down, 5, 5, at: 2) }
    for id in 0..<40 { _ = hand.handle(UInt8(id), .up, 5, 5, at: 3) }
    #expect(!hand.recognizer.isTouched)
  }

  @Test("whatever fingers do, every gesture has a beginning and one end")
  func gesturesAreComplete() {
    var dice = SplitMix64(seed: 7)
    for _ in 0..<300 {
      var hand = Hand()
      var open: String?
      var time = 0.0
      for _ in 0..<60 {
        time += Double.random(in: 0...0.2, using: &dice)
        let phase = PointerPhase.allCases.randomElement(using: &dice) ?? .move
        var inputs = hand.handle(
          UInt8.random(in: 0...3, using: &dice),
          phase,
          Double.random(in: -50...600, using: &dice),
          Double.random(in: -50...450, using: &dice),
          at: time,
          isMoving: Bool.random(using: &dice)
        )
        if UInt8.random(in: 0...30, using: &dice) == 0 {
          inputs += hand.recognizer.cancelAll(camera: hand.camera)
        }
        for input in inputs {
          let (name, phase): (String, GesturePhase)
          switch input {
          case .pan(let now, _): (name, phase) = ("pan", now)
          case .pinch(let now, _, _): (name, phase) = ("pinch", now)
          default:
            #expect(open == nil)
            continue
          }
          #expect(phase == .began ? open == nil : open == name)
          open = phase == .ended || phase == .cancelled ? nil : name
        }
        if !hand.recognizer.isTouched { #expect(open == nil) }
      }
    }
  }
}

@Suite("Cameras")
struct CameraTests {
  @Test("the whole stage fits, centred, and points convert both ways")
  func fits() {
    for size in [
      Size(width: 1366, height: 768), Size(width: 390, height: 844),
      Size(width: 1024, height: 768), Size(width: 1, height: 1),
    ] {
      let camera = Camera(viewport: Viewport(size: size))
      #expect(abs(camera.stagePoint(Point(x: size.width / 2, y: size.height / 2)).x) < 1e-9)
      for point in [Point(x: 0, y: 0), Point(x: 100, y: -37), Point(x: -512, y: 384)] {
        let seen = camera.transform.transformed(point)
        let pixel = Point(x: seen.x + size.width / 2, y: seen.y + size.height / 2)
        let back = camera.stagePoint(pixel)
        #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9)
        if size.width > 100 {
          #expect((-1e-9...size.width + 1e-9).contains(pixel.x))
          #expect((-1e-9...size.height + 1e-9).contains(pixel.y))
        }
      }
    }
  }

  @Test("a window without size has a finite camera")
  func emptyWindow() {
    for size in [Size(width: 0, height: 0), Size(width: -5, height: 100)] {
      let camera = Camera(viewport: Viewport(size: size))
      #expect(camera.transform.isFinite && camera.stagePoint(Point(x: 9, y: 9)).x.isFinite)
    }
  }
}
