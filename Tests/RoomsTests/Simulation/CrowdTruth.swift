import Scene
import Staging
import Wire

@testable import Rooms

/// What the frames of one reading are, whoever is told of them.
final class CrowdTruth {
  /// A frame, when it is for, and the images that its elements show.
  struct Entry {
    let time: Double
    let frame: Frame
    let urls: [ElementKey: String]
    /// What a page once put together from messages and was found to be this.
    var proved: DecodedFrame?
  }

  /// How many frames are remembered: more than a line ever keeps to itself.
  private static let kept: UInt32 = 4000

  private(set) var entries: [UInt32: Entry] = [:]
  private(set) var last: UInt32 = 0
  private var urls: [ElementKey: String] = [:]
  private var library: ShownLibrary?

  init() {}

  /// Begins with what another one was up to a frame, as the reading of a wanderer does.
  init(after other: CrowdTruth, upTo number: UInt32) {
    entries = other.entries.filter { $0.key <= number }
    last = number
  }

  /// Notes the frames that a reading has sent since this was last called; of those that a recording
  /// noted the last is the last sent.
  func note(_ session: StageSession, noted: [TimedFrame] = []) throws {
    guard session.frameNumber != last else { return }
    if session.selection.shown != library {
      library = session.selection.shown
      urls = [:]
    }
    // Of what was sent before within one step only this much is known.
    var number = last &+ 1
    while number <= session.frameNumber {
      entries[number] = nil
      number &+= 1
    }
    let flown = session.stream.flown
    if flown.last?.time == session.stream.time {
      for (place, timed) in flown.enumerated() {
        let number = session.frameNumber &- UInt32(flown.count - 1 - place)
        if number > last { note(number, timed.time, timed.frame, session) }
      }
    } else {
      note(session.frameNumber, session.stream.time, session.stream.frame, session)
    }
    for (place, timed) in noted.enumerated() {
      let back = UInt32(noted.count - 1 - place)
      guard session.frameNumber >= last &+ 1 &+ back else { continue }
      let number = session.frameNumber &- back
      if let entry = entries[number], entry.frame != timed.frame || entry.time != timed.time {
        throw Violation(
          "frame \(number) for \(entry.time) was recorded for \(timed.time), and not as it was seen"
        )
      }
      note(number, timed.time, timed.frame, session)
    }
    last = session.frameNumber
    guard entries.count > 2 * Int(Self.kept) else { return }
    entries = entries.filter { $0.key &+ Self.kept > last }
  }

  /// Notes that the last frame shows the stage as it stands.
  func noteRest(of session: StageSession, at now: Double) {
    let frame = session.stage.frame(at: now)
    note(session.frameNumber, session.stream.time, frame, session)
    last = session.frameNumber
  }

  private func note(_ number: UInt32, _ time: Double, _ frame: Frame, _ session: StageSession) {
    for placement in frame.placements where urls[placement.key] == nil {
      guard session.selection.shown.layout.has(placement.key) else { return }
      urls[placement.key] = session.element(for: placement.key).imageURL
    }
    entries[number] = Entry(time: time, frame: frame, urls: urls)
  }

  /// Compares what a page has put together.
  /// - Returns: What is wrong with it; nil if nothing is.
  func fault(of seen: DecodedFrame, in decoder: FrameDecoder) -> String? {
    guard let entry = entries[seen.number] else { return nil }
    if let proved = entry.proved, proved == seen, seen.number % 8 != 0 { return nil }
    let frame = entry.frame
    guard seen.time == entry.time, seen.screen == frame.screen,
      seen.isSettled == frame.isSettled, seen.shown.count == frame.placements.count
    else {
      return """
        frame \(seen.number) for \(seen.time), \(seen.screen), \(seen.isSettled), of \
        \(seen.shown.count) is one for \(entry.time), \(frame.screen), \(frame.isSettled), of \
        \(frame.placements.count)
        """
    }
    for placement in frame.placements {
      let shown = seen.shown.first { shown in
        guard let element = decoder.elements[shown.id] else { return false }
        return element.id == placement.key.number && element.kind == placement.key.kind
          && element.imageURL == entry.urls[placement.key]
      }
      guard let shown, shown == ShownElement(placement) else {
        return """
          frame \(seen.number) for \(seen.time) of \(placement.key), \
          \(entry.urls[placement.key] ?? ""), shows \
          \(seen.shown.map { decoder.elements[$0.id]?.imageURL ?? "" })
          """
      }
    }
    entries[seen.number]?.proved = seen
    return nil
  }

  /// Whether anything is known of a frame.
  func knows(_ number: UInt32) -> Bool { entries[number] != nil }
}

/// A recording as it is made: a stage that hears what was noted, and what it showed.
struct CrowdRecorder {
  private(set) var stage: Stage
  private let outline: LibraryOutline
  private let numbers: ElementNumbers
  private let beginning: Double
  private var events: [Transcript.Event] = []
  /// The frames noted since they were last taken, and some of all of them.
  private(set) var fresh: [TimedFrame] = []
  private(set) var samples: [TimedFrame] = []
  private var count = 0

  init(outline: LibraryOutline, numbers: ElementNumbers, at time: Double) {
    stage = Stage(library: LibraryLayout(outline, numbers: numbers))
    self.outline = outline
    self.numbers = numbers
    beginning = time
  }

  mutating func note(_ effect: Effects.Effect) throws {
    switch effect {
    case .noteOpening(let places, let library, _, let time):
      stage = Stage(library: LibraryLayout(library ?? outline, numbers: numbers))
      stage.restore(places: places)
      events.append(Transcript.Event(time: time, action: .open(places, library)))
    case .noteLibrary(let library, _, let time):
      stage.replace(library: LibraryLayout(library, numbers: numbers), at: time)
      forget(from: time)
      // Those before it had other elements, which nobody knows any more.
      fresh.removeAll()
      events.append(Transcript.Event(time: time, action: .library(library)))
    case .noteInput(let input, _, let time):
      stage.apply(input, at: time)
      forget(from: time)
      events.append(Transcript.Event(time: time, action: .input(input)))
    case .noteFrame(_, let time):
      let frame = stage.frame(at: time)
      try Continuity.checkFinite(frame)
      fresh.append(TimedFrame(time: time, frame: frame))
      count += 1
      if count % 5 == 0 { samples.append(TimedFrame(time: time, frame: frame)) }
    default: break
    }
  }

  /// What was sent ahead of what happens now is recalled and not seen.
  private mutating func forget(from time: Double) { samples.removeAll { $0.time >= time } }

  /// The frames noted since this was last called.
  mutating func takeFresh() -> [TimedFrame] {
    defer { fresh.removeAll() }
    return fresh
  }

  /// Ends the recording, and sees that it gives the same frames again.
  func end(at time: Double) throws -> Transcript {
    for (one, next) in zip(events, events.dropFirst()) where one.time > next.time {
      throw Violation("a recording goes back from \(one.time) to \(next.time)")
    }
    let transcript = Transcript(
      title: "A session",
      outline: outline,
      events: events,
      length: max(0, time - beginning),
      beginning: beginning
    )
    var playback = Playback(transcript, numbers: numbers, at: beginning)
    for sample in samples where sample.time <= time && sample.time >= beginning {
      playback.seek(to: sample.time - beginning, at: beginning)
      // The way to seconds from the beginning and back may cost a bit.
      guard playback.stageTime(at: beginning) == sample.time else { continue }
      guard playback.frame(at: beginning) == sample.frame else {
        throw Violation("a recording does not show again what was seen at \(sample.time)")
      }
    }
    return transcript
  }
}
