import Motion
import Scene
import TestVectors
import Testing

@testable import Staging

/// A recorded session, with the frames that it showed.
private struct Reading {
  let transcript: Transcript
  let frames: [(time: Double, frame: Frame)]
  let numbers = ElementNumbers()

  private static let gaps = [0, 0.008, 0.016, 0.1, 0.4, 1.5, 4, 30]

  /// Creates random input; `exact` times have so few bits that no sum of them is rounded.
  init(seed: UInt64, exact: Bool, steps: Int = 120) {
    var dice = SplitMix64(seed: seed)
    func instant(_ time: Double) -> Double { exact ? (time * 1024).rounded() / 1024 : time }
    let library = Self.library(&dice)
    let beginning = instant(Double.random(in: 0...5000, using: &dice))
    // The initial state is restored before the beginning, sometimes without any event.
    var events: [Transcript.Event] = []
    var time = beginning
    if Bool.random(using: &dice) {
      time -= 12
      events.append(Transcript.Event(time: time, action: Self.opening(&dice)))
    }
    var stage = Stage(library: LibraryLayout(library, numbers: numbers))
    for event in events { Self.take(event, on: &stage, of: library, numbers) }
    var frames: [(time: Double, frame: Frame)] = []
    for step in 0..<steps {
      time = instant(time + (Self.gaps.randomElement(using: &dice) ?? 0))
      if step > 3 { time = max(time, beginning) }
      // A room may wake on time, late, or not at all.
      if Bool.random(using: &dice) { stage.advance(to: time) }
      let event = Transcript.Event(time: time, action: Self.action(&dice))
      events.append(event)
      Self.take(event, on: &stage, of: library, numbers)
      guard time >= beginning else { continue }
      // Of several frames with the same time, only the last one is shown.
      if frames.last?.time == time { frames.removeLast() }
      frames.append((time, stage.frame(at: time)))
    }
    transcript = Transcript(
      outline: library,
      events: events,
      length: max(0, time - beginning) + 5,
      beginning: beginning
    )
    self.frames = frames
  }

  private static func take(
    _ event: Transcript.Event,
    on stage: inout Stage,
    of library: LibraryOutline,
    _ numbers: ElementNumbers
  ) {
    switch event.action {
    case .open(let places, let other):
      stage = Stage(library: LibraryLayout(other ?? library, numbers: numbers))
      stage.restore(bookmarks: places)
    case .library(let library):
      stage.replace(library: LibraryLayout(library, numbers: numbers), at: event.time)
    case .input(let input): stage.apply(input, at: event.time)
    }
  }

  private static func library(_ dice: inout SplitMix64) -> LibraryOutline {
    let books = (0..<Int.random(in: 1...4, using: &dice)).map { index in
      BookOutline(id: "b\(index)", pageCount: 7 * index + 2, pageSize: referencePage)
    }
    return LibraryOutline(collections: [
      CollectionOutline(id: "c", books: books), CollectionOutline(id: "empty", books: []),
    ])
  }

  private static func opening(_ dice: inout SplitMix64) -> Transcript.Event.Action {
    let place = Bookmark(book: "b1", spread: Int.random(in: 0...3, using: &dice), isFlat: true)
    return .open([place], Bool.random(using: &dice) ? library(&dice) : nil)
  }

  private static func action(_ dice: inout SplitMix64) -> Transcript.Event.Action {
    let phases: [GesturePhase] = [.began, .changed, .changed, .changed, .ended, .cancelled]
    let phase = phases.randomElement(using: &dice) ?? .changed
    let point = Point(
      x: Double.random(in: -500...500, using: &dice),
      y: Double.random(in: -350...350, using: &dice)
    )
    switch Int.random(in: 0..<40, using: &dice) {
    case 0: return opening(&dice)
    case 1: return .library(library(&dice))
    case 2...4:
      let book = "b\(Int.random(in: 0...3, using: &dice))"
      let page = Bool.random(using: &dice) ? nil : Int.random(in: 0...20, using: &dice)
      return .input(.go(book: book, opens: Bool.random(using: &dice), page: page))
    case 5...8: return .input(.jump(page: Int.random(in: 0...24, using: &dice)))
    case 9...17: return .input(.pan(phase, point))
    case 18: return .input(.touch(point))
    case 19...22:
      return .input(.pinch(phase, scale: Double.random(in: 0.2...4, using: &dice), point))
    case 23...25: return .input(.tap(point))
    case 26...27: return .input(.images(ready: Bool.random(using: &dice) ? nil : [1, 2, 3]))
    case 28: return .input(.wheel(dx: 0, dy: point.x, ctrl: Bool.random(using: &dice)))
    case 29: return .input(.lay(LayOrder.allCases.randomElement(using: &dice) ?? .flat))
    default: return .input(.key(Key.allCases.randomElement(using: &dice) ?? .enter))
    }
  }
}

@Suite("A recording that is played")
struct PlaybackTests {
  /// A clock of the room that is unrelated to the recorded one.
  private static let noon = 40_000.25

  @Test("shows at every recorded time what was shown then")
  func recordedFrames() {
    for seed in 0..<60 as Range<UInt64> {
      let reading = Reading(seed: seed, exact: true)
      let transcript = reading.transcript
      var playback = Playback(transcript, numbers: reading.numbers, at: Self.noon)
      // Frames sent ahead include future events and equal the recorded frames.
      let ahead = playback
      for (time, frame) in reading.frames {
        let now = Self.noon + (time - transcript.beginning)
        #expect(ahead.stageTime(at: now) == time)
        let foreseen = ahead.frame(at: now) == frame
        playback.advance(to: now)
        let seen = playback.stage.frame(at: playback.stageTime(at: now)) == frame
        guard !foreseen || !seen || playback.frame(at: now) != frame else { continue }
        Issue.record("seed \(seed): another frame at \(time)")
      }
    }
  }

  @Test("can be sought to every recorded time, whatever its bits are")
  func seeking() {
    for seed in 100..<160 as Range<UInt64> {
      var dice = SplitMix64(seed: seed)
      let reading = Reading(seed: seed, exact: false)
      var playback = Playback(reading.transcript, at: 0.1)
      for (time, frame) in reading.frames.shuffled(using: &dice) {
        playback.seek(to: time - reading.transcript.beginning, at: 0.3)
        guard playback.stage.frame(at: time) != frame else { continue }
        Issue.record("seed \(seed): another frame at \(time)")
      }
    }
  }

  @Test("has the same state after seeking as after playing to a position")
  func seekingEqualsPlaying() {
    for seed in 200..<240 as Range<UInt64> {
      var dice = SplitMix64(seed: seed)
      let transcript = Reading(seed: seed, exact: false).transcript
      var wound = Playback(transcript, at: 0)
      for _ in 0..<12 {
        let position = Double.random(in: 0...transcript.length, using: &dice)
        wound.seek(to: position, at: 7)
        var played = Playback(transcript, at: 0)
        var now = 0.0
        while now < position {
          now = min(position, now + Double.random(in: 0...3, using: &dice))
          played.advance(to: now)
        }
        guard played.stage != wound.stage || wound.position(at: 7) != position else { continue }
        Issue.record("seed \(seed): another stage at \(position)")
      }
    }
  }

  @Test("reports the times of its events and of its end, and no others")
  func nextEvent() {
    for seed in 300..<340 as Range<UInt64> {
      let transcript = Reading(seed: seed, exact: false).transcript
      // A room's clock that has more bits than the recorded one, or fewer.
      let start = seed.isMultiple(of: 2) ? 0.1 : 7e6 + 0.1
      var woken = Playback(transcript, at: start)
      var wakes = 0
      while let now = woken.nextEvent {
        wakes += 1
        let before = woken
        woken.advance(to: now)
        guard before == woken || wakes > 40 * transcript.events.count else { continue }
        if wakes > 40 * transcript.events.count { break }
        Issue.record("seed \(seed): nothing happened at \(now)")
        break
      }
      #expect(!woken.isPlaying && woken.nextEvent == nil)
      var wound = Playback(transcript, at: 0)
      wound.seek(to: .infinity, at: 1)
      #expect(woken.stage == wound.stage, "seed \(seed)")
    }
  }

  @Test("stops while it is paused, and continues from there")
  func pausing() {
    let transcript = Reading(seed: 1, exact: true).transcript
    var playback = Playback(transcript, at: Self.noon)
    playback.pause(at: Self.noon + 3)
    let halted = playback
    playback.advance(to: Self.noon + 500)
    #expect(playback == halted && !playback.isPlaying && playback.nextEvent == nil)
    #expect(playback.position(at: Self.noon + 500) == 3)
    #expect(playback.frame(at: Self.noon + 4) == playback.frame(at: Self.noon + 500))
    playback.play(at: Self.noon + 500)
    playback.advance(to: Self.noon + 501)
    var unhalted = Playback(transcript, at: Self.noon)
    unhalted.advance(to: Self.noon + 4)
    #expect(playback.stage == unhalted.stage && playback.position(at: Self.noon + 501) == 4)
    // A seek keeps a paused recording paused and a playing one playing.
    playback.seek(to: 2, at: Self.noon + 501)
    #expect(playback.isPlaying && playback.position(at: Self.noon + 502) == 3)
    #expect(playback.stage == halted.stageWound(to: 2))
  }

  @Test("keeps its last frame at the end, and can be played again")
  func keepsLastFrame() {
    let transcript = Reading(seed: 2, exact: true).transcript
    let end = Self.noon + transcript.length
    var playback = Playback(transcript, at: Self.noon)
    #expect(!playback.isOver(at: end - 1) && playback.isOver(at: end))
    let last = playback.frame(at: end)
    playback.advance(to: end + 1)
    #expect(!playback.isPlaying && playback.position(at: end + 1) == playback.length)
    for later in [end + 1, end + 3600] { #expect(playback.frame(at: later) == last) }
    playback.play(at: end + 9)
    #expect(playback.isPlaying && playback.position(at: end + 10) == 1)
    #expect(playback == Playback(transcript, at: end + 9))
    // A seek to the end also ends the recording; NaN is ignored.
    playback.seek(to: .infinity, at: end)
    #expect(!playback.isPlaying && playback.frame(at: end) == last)
    playback.seek(to: .nan, at: end)
    #expect(playback.isOver(at: end))
    playback.seek(to: -5, at: end)
    #expect(playback.position(at: end) == 0 && !playback.isPlaying)
  }

  @Test("without events ends immediately, and with many hours has a bounded number of checkpoints")
  func extremeLengths() {
    let library = library(books: 2)
    let nothing = Playback(Transcript(outline: library, events: [], length: 0), at: 5)
    #expect(!nothing.isPlaying && nothing.isOver(at: 5) && nothing.nextEvent == nil)
    #expect(nothing.frame(at: 9) == Stage(library: library).frame(at: 0))
    let hours = 6 * 3600
    let events = (0..<hours).map { second in
      Transcript.Event(
        time: Double(second),
        action: .input(.key(second.isMultiple(of: 2) ? .enter : .arrowRight))
      )
    }
    let transcript = Transcript(outline: library, events: events, length: Double(hours))
    let long = Playback(transcript, at: 0)
    #expect(long.checkpointCount > 200 && long.checkpointCount <= Playback.checkpointsMax)
  }
}

extension Playback {
  fileprivate func stageWound(to position: Double) -> Stage {
    var playback = self
    playback.seek(to: position, at: 0)
    return playback.stage
  }
}
