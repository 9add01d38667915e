import Staging
import TestVectors
import Testing

/// The events of a trackpad, one per frame.
struct Fling {
  /// The maximum event, in CSS pixels.
  var peak = 78.0
  /// Seconds until the fingers leave, and the time constant with which the rest fades.
  var rise = 0.13
  var fade = 0.21
  var interval = 1 / 60.0
  /// Merges and delays events, like a busy page and a bad connection.
  var unevenness: SplitMix64?

  /// Returns events with their times; the fingers may touch again before the stream has faded.
  func events(from start: Double = 0, until end: Double = .infinity) -> [(time: Double, dy: Double)]
  {
    var events: [(time: Double, dy: Double)] = []
    var random = unevenness ?? SplitMix64(seed: 0)
    var (held, holds) = (0.0, 0)
    var last = start
    for index in 1... {
      let time = Double(index) * interval
      let size =
        time < rise ? peak * square(time / rise) : peak * exponential(-(time - rise) / fade)
      if start + time >= end || (time > rise && size < 0.5) { break }
      held += max(size.rounded(), 1)
      if unevenness != nil {
        if holds == 0, Int.random(in: 0..<8, using: &random) == 0 {
          holds = Int.random(in: 1...4, using: &random)
        }
        if holds > 0 {
          holds -= 1
          if holds > 0 { continue }
        }
      }
      let delay = unevenness == nil ? 0 : Double.random(in: 0...0.03, using: &random)
      last = max(last, start + time + delay)
      events.append((last, held))
      held = 0
    }
    return events
  }

  private func square(_ value: Double) -> Double { value * value }

  /// Returns e to a power at or below 0, without a library.
  private func exponential(_ power: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for index in 1..<60 {
      term *= -power / Double(index)
      sum += term
    }
    return 1 / sum
  }
}

@Suite("A wheel")
struct WheelRecognizerTests {
  private func steps(
    _ events: [(time: Double, dy: Double)],
    onward: Double? = nil,
    sideways: Double = 0
  ) -> [Int] {
    var wheel = WheelRecognizer()
    return events.compactMap { event in
      let count = wheel.handle(
        dx: sideways * event.dy,
        dy: event.dy,
        at: event.time,
        onward: onward
      )
      return count == 0 ? nil : count
    }
  }

  @Test(
    "turns one leaf per notch, whatever the mouse counts as a notch",
    arguments: [48.0, 53, 100, 109.09, 120]
  )
  func notch(pixels: Double) {
    #expect(steps([(1, pixels)]) == [1])
    #expect(steps([(1, -pixels)]) == [-1])
    let quick = (0..<5).map { (time: 1 + 0.04 * Double($0), dy: pixels) }
    #expect(steps(quick) == [1, 1, 1, 1, 1])
    #expect(steps([(1, pixels), (1.1, pixels), (1.2, -pixels)]) == [1, 1, -1])
    // A busy page merges several notches into one event.
    #expect(steps([(1, pixels), (1.05, 3 * pixels)]) == [1, 3])
  }

  @Test("turns one leaf per fling of about sixty events in 0.9 seconds")
  func fling() {
    let events = Fling().events()
    #expect((50...80).contains(events.count) && events.reduce(0) { $0 + $1.dy } > 1000)
    #expect(steps(events) == [1])
    #expect(steps(events.map { ($0.time, -$0.dy) }) == [-1])
    #expect(steps(events, sideways: 0.97) == [1])
  }

  /// Returns a fling of any strength, length and rate, or nil if it is too weak to turn a leaf.
  private func anyFling(_ seed: UInt64, isUneven: Bool) -> [(time: Double, dy: Double)]? {
    var random = SplitMix64(seed: seed)
    var fling = Fling()
    fling.peak = .random(in: 20...240, using: &random)
    fling.rise = .random(in: 0.05...0.2, using: &random)
    fling.fade = .random(in: 0.15...0.4, using: &random)
    fling.interval = Bool.random(using: &random) ? 1 / 60.0 : 1 / 120.0
    if fling.interval < 0.01 { fling.peak /= 2 }
    if isUneven { fling.unevenness = random }
    let events = fling.events()
    return events.reduce(0) { $0 + $1.dy } > 140 ? events : nil
  }

  @Test("turns one leaf per fling of any strength, length and rate")
  func evenFlings() {
    for seed in UInt64(0)..<1000 {
      guard let events = anyFling(seed, isUneven: false) else { continue }
      #expect(steps(events) == [1], "seed \(seed): \(events.map(\.dy))")
    }
  }

  @Test("turns one leaf per fling even if a page holds back four events and a connection 30 ms")
  func unevenFlings() {
    // A few in ten thousand cannot be distinguished from two flings: they turn two leaves, never
    // more.
    var doubled: [UInt64] = []
    for seed in UInt64(0)..<1000 {
      guard let events = anyFling(seed, isUneven: true) else { continue }
      let turned = steps(events)
      #expect(turned == [1] || turned == [1, 1], "seed \(seed)")
      if turned.count > 1 { doubled.append(seed) }
    }
    #expect(doubled.count <= 2, "\(doubled)")
  }

  @Test("turns two leaves for two flings half a second apart")
  func twoFlings() {
    for peak in [30.0, 50, 78, 120, 200] {
      for apart in [0.45, 0.5, 0.6, 0.8, 1.5] {
        let fling = Fling(peak: peak)
        // Fingers that touch stop the momentum for a moment.
        let events = fling.events(until: apart - 0.06) + fling.events(from: apart)
        #expect(steps(events) == [1, 1], "\(peak) px, \(apart) s apart")
        let back = fling.events(from: apart).map { ($0.time, -$0.dy) }
        #expect(steps(fling.events(until: apart - 0.06) + back) == [1, -1], "\(peak) px, back")
      }
    }
  }

  @Test("turns leaf after leaf under a continuous drag, and never several at once")
  func drag() {
    let drag = (0..<240).map { (time: Double($0) / 60, dy: 12.0) }
    let turned = steps(drag)
    #expect((4...7).contains(turned.count) && turned.allSatisfy { $0 == 1 }, "\(turned)")
  }

  @Test("on a shelf moves as far as it was flung, and stops with the fling")
  func shelf() {
    let far = Fling(peak: 120).events()
    let pixels = far.reduce(0) { $0 + $1.dy }
    let books = steps(far, onward: WheelRecognizer.bookPixels).reduce(0, +)
    #expect(
      books == 1 + Int((pixels - 100) / 372) || books == Int((pixels - 100) / 372),
      "\(books)"
    )
    #expect(steps([(1, 120), (1.1, 120)], onward: WheelRecognizer.bookPixels) == [1, 1])
  }

  @Test("turns nothing for empty or invalid events")
  func nonsense() {
    var wheel = WheelRecognizer()
    for dx: Double in [0, Double.nan, Double.infinity, 1e300, -1e300, Double.leastNonzeroMagnitude]
    {
      for dy: Double in [0, Double.nan, -Double.infinity, 1e300, -Double.leastNonzeroMagnitude] {
        for time: Double in [0, 1, 1, 0.5, Double.infinity, Double.nan, 2] {
          let count = wheel.handle(dx: dx, dy: dy, at: time, onward: 372)
          #expect(abs(count) <= 8)
        }
      }
    }
    #expect(wheel.handle(dx: 0, dy: 99, at: 10) != 2)
  }
}
