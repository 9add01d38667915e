import Scene
import Staging
import Wire

@testable import Rooms

/// The frames of one session, independent of their recipients.
final class CrowdTruth {
  /// A frame, its time, and the images that its elements show.
  struct Entry {
    let time: Double
    let frame: Frame
    let urls: [ElementKey: String]
    /// The decoded frame of a page that was found to be equal to this one.
    var proved: DecodedFrame?
  }

  /// The number of frames that are kept: more than a connection ever delays.
  private static let kept: UInt32 = 4000

  private(set) var entries: [UInt32: Entry] = [:]
  private(set) var last: UInt32 = 0
  private var urls: [ElementKey: String] = [:]
  private var library: ShownLibrary?

  init() {}

  /// Copies the frames of another session up to a number, as the session of a wanderer does.
  init(after other: CrowdTruth, upTo number: UInt32) {
    entries = other.entries.filter { $0.key <= number }
    last = number
  }

  /// Records the frames that a session has sent since the previous call.
  ///
  /// The last of the frames that a recording noted is the last frame that was sent.
  func note(_ session: StageSession, noted: [TimedFrame] = []) throws {
    guard session.frameNumber != last else { return }
    if session.selection.shown != library {
      library = session.selection.shown
      urls = [:]
    }
    // Of the earlier frames within one step, only the following ones are known.
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

  /// Records that the last frame shows the current state of the stage.
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

  /// Compares a frame that a page has decoded.
  /// - Returns: A description of the difference; nil if there is none.
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
        return shown.part == placement.key.part && element.id == placement.key.number
          && element.kind == placement.key.kind
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

  /// Returns whether a frame is recorded.
  func knows(_ number: UInt32) -> Bool { entries[number] != nil }
}

/// A recording in progress: a stage that receives the recorded events, and the frames that it
/// showed.
struct CrowdRecorder {
  private(set) var stage: Stage
  private let outline: LibraryOutline
  private let numbers: ElementNumbers
  private let beginning: Double
  private var events: [Transcript.Event] = []
  /// The frames since they were last taken, and a sample of all frames.
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
      stage.restore(bookmarks: places)
      events.append(Transcript.Event(time: time, action: .open(places, library)))
    case .noteLibrary(let library, _, let time):
      stage.replace(library: LibraryLayout(library, numbers: numbers), at: time)
      forget(from: time)
      // The earlier frames had other elements, which are no longer known.
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

  /// Removes the frames from a time on: they were sent ahead, recalled and not seen.
  private mutating func forget(from time: Double) { samples.removeAll { $0.time >= time } }

  /// Returns and clears the frames since the previous call.
  mutating func takeFresh() -> [TimedFrame] {
    defer { fresh.removeAll() }
    return fresh
  }

  /// Ends the recording, and checks that it gives the same frames again.
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
      // Converting the time to seconds from the beginning and back may lose a bit.
      guard playback.stageTime(at: beginning) == sample.time else { continue }
      guard playback.frame(at: beginning) == sample.frame else {
        throw Violation("a recording does not show again what was seen at \(sample.time)")
      }
    }
    return transcript
  }
}
