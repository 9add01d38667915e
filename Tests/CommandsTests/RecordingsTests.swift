import Foundation
import Motion
import Notices
import Recording
import Rooms
import Scene
import Staging
import Synchronization
import Telemetry
import TestLogs
import TestVectors
import Testing

@testable import Commands
@testable import Server

/// A folder for recordings, deleted together with the value.
private final class RecordingsFolder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(path: "lectern-\(UUID())").path
  let recordings: Recordings
  /// The reasons of the recordings that ended automatically.
  let stops = Box(Mutex<[RecordingStop]>([]))

  let captured: CapturedLog

  init() throws {
    captured = try CapturedLog()
    recordings = Recordings(folder: path + "/recordings")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func recorders(
    whole: Recorder? = nil,
    limits: RoomRecorder.Limits = RoomRecorder.Limits()
  ) -> RoomRecorders {
    RoomRecorders(recordings: recordings, whole: whole, limits: limits, log: captured.log) {
      [stops] _, reason in
      stops.value.withLock { $0.append(reason) }
    }
  }

  func file(_ id: String) -> URL { URL(filePath: "\(path)/recordings/\(id).ndjson") }
}

private let outline = LibraryOutline(collections: [
  CollectionOutline(
    id: "c",
    books: [12, 40].map {
      BookOutline(id: "b\($0)", pageCount: $0, pageSize: Size(width: 362, height: 568))
    }
  )
])

private func facts(
  _ title: String = "Emma",
  at time: Double = 1_735_689_600
)
  -> LogHeader.Facts
{ LogHeader.Facts(title: title, book: "b12", recorded: time) }

@Suite("Recordings of rooms")
struct RecordingsTests {
  @Test("a recording that began in mid-session plays what followed, to the bit")
  func midSession() throws {
    let folder = try RecordingsFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    let wholePath = folder.path + "/whole.ndjson"
    let whole = try Recorder(path: wholePath, library: outline, log: .disabled)
    let recorders = folder.recorders(whole: whole)
    var stage = Stage(library: outline)
    var other = Stage(library: outline)
    var seen: [(time: Double, frame: Frame)] = []
    var lines: [String] = []

    func happen(_ input: Input, at time: Double) {
      stage.apply(input, at: time)
      recorders.write(.noteInput(input, room: "R", time: time))
      other.apply(.key(.arrowDown), at: time)
      recorders.write(.noteInput(.key(.arrowDown), room: "S", time: time))
      recorders.write(.noteFrame(room: "R", time: time + 0.07))
      lines.append(
        FrameLine.text(
          of: stage.frame(at: time + 0.07),
          number: lines.count,
          time: time + 0.07,
          room: "R",
          index: stage.library.index(of:)
        )
      )
      seen.append((time + 0.07, stage.frame(at: time + 0.07)))
    }

    recorders.write(.noteOpening(bookmarks: [], library: nil, room: "R", time: 1000))
    recorders.write(.noteOpening(bookmarks: [], library: nil, room: "S", time: 1000))
    happen(.go(book: "b40", opens: true, page: 21), at: 1000.3)
    seen = []
    stage.advance(to: 1100.7)
    let id = recorders.begin(room: "R", facts: facts(), library: outline, at: 1100.7)
    #expect(recorders.isRecording("R") && !recorders.isRecording("S"))
    // The initial state: these lines bring a new stage to the state of the room's stage.
    recorders.write(
      .noteOpening(bookmarks: stage.bookmarks, library: outline, room: "R", time: 1040.7)
    )
    recorders.write(
      .noteInput(.go(book: "b40", opens: true, page: nil), room: "R", time: 1040.7)
    )
    happen(.pan(.began, Point(x: 300, y: 0)), at: 1101.1)
    happen(.pan(.changed, Point(x: -100, y: 0)), at: 1101.2)
    happen(.pan(.ended, Point(x: -250, y: 0)), at: 1101.3)
    happen(.key(.escape), at: 1103)
    #expect(folder.recordings.list() == [] && !folder.recordings.delete(id))
    #expect(throws: RecordingFault.running(id)) { try folder.recordings.load(id) }
    recorders.end(room: "R", at: 1104.2)
    happen(.key(.escape), at: 1105)
    recorders.finish(at: 1106)
    whole.finish()

    let transcript = try folder.recordings.load(id)
    #expect(transcript.beginning == 1100.7 && transcript.length == 1104.2 - 1100.7)
    #expect(transcript.title == "Emma" && transcript.book == "b12")
    var playback = Playback(transcript, at: 0)
    for (time, frame) in seen.dropLast() {
      playback.seek(to: time - transcript.beginning, at: 0)
      #expect(playback.stage.frame(at: time) == frame)
    }
    // The recording of the whole server contains nothing of the initial state.
    let text = try String(contentsOfFile: wholePath, encoding: .utf8)
    #expect(text.components(separatedBy: #""event":"opened""#).count == 3)
    var replayed: [String] = []
    let recording = try LogReader.recording(of: Data(text.utf8))
    ReplayCommand.frames(of: recording, wanted: ReplayCommand.Wanted(room: "R")) {
      replayed.append($0)
    }
    #expect(replayed == lines)
    // The room's own recording prints the frames that were seen while it was recorded.
    let own = try LogReader.recording(of: Data(contentsOf: folder.file(id)))
    var frames: [String] = []
    ReplayCommand.frames(of: own) { frames.append($0) }
    let expected = seen.dropLast().enumerated().map { number, seen in
      FrameLine.text(
        of: seen.frame,
        number: number,
        time: seen.time,
        room: "R",
        index: stage.library.index(of:)
      )
    }
    #expect(frames == expected)
  }

  @Test("recordings are listed newest first, and deleted")
  func listed() throws {
    let folder = try RecordingsFolder()
    #expect(folder.recordings.list() == [])
    let recorders = folder.recorders()
    var ids: [String] = []
    for (index, title) in ["Emma", "Persuasion"].enumerated() {
      let start = Double(index) * 100
      ids.append(
        recorders.begin(
          room: "R",
          facts: facts(title, at: 5000 + start),
          library: outline,
          at: start
        )
      )
      // A second start continues the same recording.
      #expect(
        recorders.begin(room: "R", facts: facts("?"), library: outline, at: start) == ids[index]
      )
      recorders.write(.noteInput(.key(.enter), room: "R", time: start + 2))
      recorders.end(room: "R", at: start + 7.5)
      #expect(!recorders.isRecording("R"))
    }
    recorders.finish(at: 300)
    let listed = folder.recordings.list()
    #expect(listed.map(\.id) == ids.reversed() && listed.map(\.title) == ["Persuasion", "Emma"])
    #expect(listed.map(\.seconds) == [7.5, 7.5] && listed.map(\.recorded) == [5100, 5000])
    #expect(folder.recordings.list() == listed)
    // An interrupted recording, as after a killed server, is as long as its complete lines.
    let file = folder.file(ids[0])
    let text = try String(contentsOf: file, encoding: .utf8)
    try Data(text.dropLast(20).utf8).write(to: file)
    #expect(folder.recordings.list().last?.seconds == 2)
    #expect(try folder.recordings.load(ids[0]).length == 2)
    #expect(folder.recordings.delete(ids[0]) && !folder.recordings.delete(ids[0]))
    #expect(folder.recordings.list().map(\.id) == [ids[1]])
    #expect(throws: RecordingFault.unknown(ids[0])) { try folder.recordings.load(ids[0]) }
  }

  @Test("an ended recording can be loaded, however slow the disk is")
  func slowDisk() throws {
    let folder = try RecordingsFolder()
    let recorders = folder.recorders()
    for count in 1...20 {
      let id = recorders.begin(room: "R", facts: facts("Emma"), library: outline, at: 0)
      for time in 1...200 {
        recorders.write(.noteInput(.key(.enter), room: "R", time: Double(time)))
      }
      recorders.end(room: "R", at: 300)
      if count % 2 == 0 { #expect(folder.recordings.list().count == count) }
      #expect(try folder.recordings.load(id).length == 300)
    }
  }

  @Test("ids of recordings cannot lead to other files")
  func ids() throws {
    let folder = try RecordingsFolder()
    let recorders = folder.recorders()
    recorders.begin(room: "R", facts: facts(), library: outline, at: 0)
    recorders.finish(at: 1)
    let secret = folder.path + "/secret.ndjson"
    try Data("{}".utf8).write(to: URL(filePath: secret))
    for id in ["../secret", "", ".", "..", "a/b", "A", "x\u{0}", String(repeating: "a", count: 65)]
    {
      #expect(!folder.recordings.delete(id))
      #expect(throws: RecordingFault.unknown(id)) { try folder.recordings.load(id) }
    }
    #expect(FileManager.default.fileExists(atPath: secret))
    // An invalid file is not listed, and its error explains why it cannot be played.
    try Data("hello\n".utf8).write(to: folder.file("hello"))
    #expect(folder.recordings.list().count == 1)
    let error = #expect(throws: RecordingFault.self) { try folder.recordings.load("hello") }
    #expect(error?.notice.values["reason"]?.hasPrefix("line 1") == true)
    let some = (0..<100).map { _ in Recordings.freshID(at: 0) }
    #expect(Set(some).count == 100 && some.allSatisfy { $0.hasPrefix("19700101-000000-") })
  }

  @Test("a recording ends when it reaches the maximum length or size")
  func limits() throws {
    let folder = try RecordingsFolder()
    let recorders = folder.recorders(limits: RoomRecorder.Limits(seconds: 60, bytes: 8000))
    let long = recorders.begin(room: "L", facts: facts("Long"), library: outline, at: 10)
    let still = recorders.begin(room: "S", facts: facts("Still"), library: outline, at: 10)
    let large = recorders.begin(room: "X", facts: facts("Large"), library: outline, at: 10)
    for step in 0..<200 {
      let time = 10 + Double(step) / 100
      recorders.write(.noteInput(.key(.enter), room: "X", time: time))
    }
    recorders.write(.noteInput(.key(.enter), room: "L", time: 20))
    recorders.write(.noteInput(.key(.enter), room: "L", time: 71))
    recorders.write(.noteInput(.key(.enter), room: "L", time: 72))
    recorders.flush()
    #expect(!recorders.isRecording("L") && !recorders.isRecording("X"))
    recorders.wake(now: 69)
    #expect(recorders.isRecording("S"))
    recorders.wake(now: 75)
    #expect(!recorders.isRecording("S"))
    recorders.finish(at: 80)
    let stops = folder.stops.value.withLock { $0 }
    #expect(stops.contains(.tooLarge(8000)) && stops.filter { $0 == .tooLong(60) }.count == 2)
    #expect(folder.captured.lines(of: "recording.failed").count == stops.count)
    #expect(!folder.captured.lines(of: "recording.started").isEmpty)
    #expect(stops.count == 3)
    let seconds = Dictionary(
      uniqueKeysWithValues: folder.recordings.list().map { ($0.id, $0.seconds) }
    )
    #expect(seconds[long] == 60 && seconds[still] == 60)
    let size = try Data(contentsOf: folder.file(large)).count
    #expect(size <= 8000 && size > 6500)
    let transcript = try folder.recordings.load(large)
    #expect(transcript.events.count > 50 && transcript.length > 0.5)
    #expect(try String(contentsOf: folder.file(large), encoding: .utf8).contains("ended"))
  }

  @Test("a recording that the disk does not accept reports the failure")
  func diskFailure() throws {
    let folder = try RecordingsFolder()
    try Data().write(to: URL(filePath: folder.path))
    let recorders = folder.recorders()
    recorders.begin(room: "R", facts: facts(), library: outline, at: 0)
    recorders.write(.noteInput(.key(.enter), room: "R", time: 1))
    recorders.flush()
    #expect(!recorders.isRecording("R"))
    let stops = folder.stops.value.withLock { $0 }
    guard stops.count == 1, case .disk = stops[0] else {
      Issue.record("\(stops) instead of the disk's reason")
      return
    }
  }
}
