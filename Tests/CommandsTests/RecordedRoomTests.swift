import Foundation
import HeadlessReader
import Motion
import Recording
import Scene
import Staging
import Testing
import Wire

@testable import Commands
@testable import Server

@Suite("A recorded room", .timeLimit(.minutes(10)))
struct RecordedRoomTests {
  private let folder: SampleFolder
  private let server: ServingThread
  private let recordings: Recordings
  private var data: String { folder.root.path + "/data" }

  init() throws {
    folder = try SampleFolder()
    server = try ServingThread(folder, data: folder.root.path + "/data") {
      $0.keys.library = "the-key-of-the-library"
    }
    recordings = Recordings(folder: folder.root.path + "/data/recordings")
  }

  /// Records a session that was already open, and receives its frames.
  /// - Returns: The frames that were sent during the recording.
  private func record(in room: String) throws -> [ReceivedFrame] {
    let reader = try server.reader(room)
    try reader.openFirstBook()
    reader.press(.arrowRight)
    try reader.waitUntilSettled()
    reader.send(.record(true))
    try reader.exchangeClock()
    #expect(reader.roomState?.state.contains(.isRecorded) == true)
    let before = reader.frames.count
    reader.drag(from: Point(x: 300, y: 0), to: Point(x: -250, y: 10))
    try reader.waitUntilSettled()
    reader.press(.arrowLeft)
    try reader.waitForFrame { !$0.frame.isSettled }
    reader.press(.escape)
    try reader.waitUntilSettled()
    reader.send(.record(false))
    try reader.exchangeClock()
    #expect(reader.roomState?.state.contains(.isRecorded) == false)
    reader.close()
    return Array(reader.frames[before...])
  }

  @Test("a replay shows every frame that was sent during the recording")
  func replay() throws {
    let sent = try record(in: "TAPE")
    server.stop()
    #expect(server.ends(within: 5))
    let facts = try #require(recordings.list().first)
    #expect(facts.title.contains("Book 0") && facts.seconds > 1)
    let transcript = try recordings.load(facts.id)
    #expect(transcript.length == facts.seconds && !transcript.book.isEmpty)
    let log = URL(fileURLWithPath: data + "/recordings/\(facts.id).ndjson")
    var shown: [ReplayCommand.ShownFrame] = []
    try ReplayCommand.replay(LogReader.recording(of: Data(contentsOf: log))) { shown.append($0) }
    // The first frame is that of the beginning; if nothing moved, it was sent earlier.
    let replayed = shown.drop { $0.time < sent[0].frame.time }
    #expect(replayed.map(\.time) == sent.map(\.frame.time))
    for (one, other) in zip(replayed, sent) { expectSame(one.frame, other.frame) }
    // A finger and a key have bent leaves.
    #expect(sent.contains { $0.frame.shown.contains { $0.part.strip != nil } })
    var playback = Playback(transcript, at: 0)
    playback.seek(to: .infinity, at: 0)
    expectSame(playback.frame(at: 0), try #require(sent.last).frame)
  }

  @Test("is played to all members, paused, sought and closed")
  func playing() throws {
    let sent = try record(in: "TAPE")
    let last = try #require(sent.last).frame
    let first = try server.reader("SHOW")
    let second = try server.reader("SHOW")
    let facts = try #require(wait { recordings.list().first })
    first.send(.open(recording: facts.id))
    for reader in [first, second] {
      try reader.waitForFrame { $0.frame.screen == .book }
      try reader.exchangeClock()
      #expect(reader.playback?.isPlaying == true && reader.playback?.length == facts.seconds)
    }
    // After a seek to its end it looks as the session looked at its end.
    first.send(.play(.seek(facts.seconds)))
    for reader in [first, second] {
      let end = try reader.waitForFrame { $0.frame.isSettled && $0.frame.screen == last.screen }
      #expect(end.frame.shown.count == last.shown.count)
      try reader.exchangeClock()
      #expect(reader.playback?.isPlaying == false)
    }
    first.send(.play(.seek(0)))
    first.send(.play(.pause))
    for reader in [first, second] {
      try reader.waitForFrame { $0.frame.isSettled && $0.frame.screen == .book }
      try reader.exchangeClock()
      #expect(reader.playback.map { $0.position < 0.1 && !$0.isPlaying } == true)
    }
    first.send(.play(.close))
    try first.exchangeClock()
    try second.exchangeClock()
    #expect(first.playback == nil && second.playback == nil)
  }

  /// Polls until there is a value, because the server writes to the disk in the background.
  private func wait<Value>(for look: () -> Value?) -> Value? {
    let end = Date(timeIntervalSinceNow: 10)
    while Date() < end {
      if let value = look() { return value }
      usleep(10_000)
    }
    return nil
  }

  private func expectSame(_ frame: Frame, _ sent: DecodedFrame) {
    #expect(frame.screen == sent.screen && frame.isSettled == sent.isSettled)
    func unnamed(_ element: ShownElement) -> ShownElement {
      var element = element
      element.id = 0
      return element
    }
    let placed = frame.placements.map { unnamed(ShownElement($0)) }
    var left = sent.shown.map(unnamed)
    for element in placed {
      guard let index = left.firstIndex(of: element) else {
        Issue.record("nothing like \(element) was sent")
        return
      }
      left.remove(at: index)
    }
    #expect(left.isEmpty)
  }
}
