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

/// Encodes replayed frames as the messages that a room's members received.
private struct Resender {
  private var encoder = FrameEncoder()

  /// Introduces the elements by the ids that a member received.
  init(elements: [UInt64: WireElement]) {
    let named = elements.values.sorted { $0.id < $1.id }.map { element -> Element in
      let index = Int(element.index)
      let key =
        switch element.kind {
        case .collection, .cover: ElementKey(kind: element.kind, item: element.id)
        case .board: ElementKey(kind: .board, item: element.id - 1)
        case .page: ElementKey(kind: .page, item: element.id - 2 - UInt64(index), page: index)
        }
      return Element(
        key: key,
        index: index,
        size: Size(width: 1, height: 1),
        side: element.side,
        stock: element.stock,
        cornerRadius: 0,
        imageURL: "",
        title: ""
      )
    }
    _ = encoder.introduce(named)
  }

  /// Returns the message of some frames, of the same type as a message that was sent.
  mutating func message(
    of frames: [ReplayCommand.ShownFrame],
    like sent: [UInt8]
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let first = UInt32(frames[0].number + 1)
    switch try ServerMessage(decoding: sent) {
    case .snapshot:
      encoder.snapshot(of: frames[0].frame, number: first, time: frames[0].time, into: &bytes)
    case .batch:
      let timed = frames.map { TimedFrame(time: $0.time, frame: $0.frame) }
      encoder.batch(of: timed, firstNumber: first, into: &bytes)
    default: encoder.delta(of: frames[0].frame, number: first, time: frames[0].time, into: &bytes)
    }
    return bytes
  }
}

@Suite("The replay of a server's recording", .timeLimit(.minutes(10)))
struct ServedReplayTests {
  /// Reads a little in a room with two members: leaves are turned, caught and dragged, and the book
  /// is closed.
  private func read(_ room: String, on server: ServingThread) throws -> [HeadlessReader] {
    let first = try server.reader(room)
    let second = try server.reader(room)
    try first.openFirstBook()
    first.drag(from: Point(x: 300, y: 0), to: Point(x: -250, y: 10))
    try first.waitUntilSettled()
    first.press(.arrowRight)
    try first.waitForFrame { !$0.frame.isSettled }
    first.drag(from: Point(x: -100, y: 0), to: Point(x: 200, y: 0), steps: 4)
    first.press(.escape)
    let last = try first.waitUntilSettled()
    try second.waitForFrame { $0.frame.number == last.number }
    return [first, second]
  }

  @Test("equals, byte for byte, the messages that the members received")
  func messages() throws {
    let folder = try SampleFolder()
    let log = folder.root.appendingPathComponent("log.ndjson")
    let server = try ServingThread(folder, record: log.path) {
      $0.keys.library = "the-key-of-the-library"
    }
    let other = try server.reader("OTHER")
    let members = try read("TAPE", on: server)
    try other.openFirstBook()
    for reader in members + [other] { reader.close() }
    server.stop()
    #expect(server.ends(within: 5))

    let recording = try LogReader.recording(of: Data(contentsOf: log))
    var shown: [ReplayCommand.ShownFrame] = []
    ReplayCommand.replay(recording, wanted: ReplayCommand.Wanted(room: members[0].room)) {
      shown.append($0)
    }
    #expect(shown.count == members[0].frames.count && shown.count > 80)
    let bent = shown.filter { $0.frame.placements.contains { $0.key.part.strip != nil } }
    #expect(bent.count > 20)
    var resender = Resender(elements: members[0].elements)
    var rest = members[0].frames[...]
    var replayed: [[UInt8]] = []
    while let bytes = rest.first?.bytes {
      // The frames of a batch arrived in one message.
      let count = rest.prefix { $0.bytes == bytes }.count
      let start = rest.startIndex
      try replayed.append(resender.message(of: Array(shown[start..<start + count]), like: bytes))
      #expect(replayed.last == bytes, "frames \(start)..<\(start + count)")
      rest = rest.dropFirst(count)
    }
    // The second member received the remaining messages, after its own snapshot.
    var sent: [[UInt8]] = []
    for frame in members[1].frames.dropFirst() where sent.last != frame.bytes {
      sent.append(frame.bytes)
    }
    #expect(sent == replayed.suffix(sent.count) && sent.count > 25)
    try expectPlayback(of: Data(contentsOf: log), in: members[0].room, shows: shown, as: recording)
  }

  /// Checks that playing a recording shows all frames except those that were sent ahead and
  /// recalled.
  private func expectPlayback(
    of log: Data,
    in room: String,
    shows shown: [ReplayCommand.ShownFrame],
    as recording: LogReader.Recording
  ) throws {
    let transcript = try LogReader.transcript(of: log, room: room)
    var playback = Playback(transcript, at: 0)
    var next = Double.infinity
    var place = shown.count
    var count = 0
    for line in recording.lines.reversed() where line.room == room {
      guard line.event == .frame else {
        next = min(next, line.time)
        continue
      }
      place -= 1
      guard line.time < next else { continue }
      count += 1
      playback.seek(to: line.time - transcript.beginning, at: 0)
      #expect(playback.stage.frame(at: line.time) == shown[place].frame, "frame \(place)")
    }
    #expect(count > 60)
  }

  @Test("is the requested part if it is limited to one room and a range of times")
  func part() throws {
    let folder = try SampleFolder()
    let log = folder.root.appendingPathComponent("log.ndjson")
    let server = try ServingThread(folder, record: log.path)
    let names = try ["EAST", "WEST"].map { room in
      let reader = try server.reader(room)
      try reader.openFirstBook()
      reader.close()
      return reader.room
    }
    let room = names[0]
    server.stop()
    #expect(server.ends(within: 5))
    func lines(_ words: [String]) throws -> [String] {
      let (code, output) = try run(lecternProgram, ["replay", log.path] + words)
      #expect(code == 0)
      return output.split(separator: "\n").map(String.init)
    }
    let all = try lines([])
    let east = try lines(["--room", room])
    #expect(east == all.filter { $0.contains(#""room":"\#(room)""#) } && east.count > 20)
    let start = try #require(
      LogReader.recording(of: Data(contentsOf: log)).lines.first { $0.room == room }
    ).time
    let part = try lines(["--from", "0.1", "--room", room, "--to=0.9"])
    #expect(
      part
        == east.filter { line in
          let time = Double(line.dropFirst("{\"t\":".count).prefix { $0 != "," }) ?? 0
          return (0.1...0.9).contains(time - start)
        }
    )
    #expect(!part.isEmpty && part.count < east.count)
    let nobody = try run(lecternProgram, ["replay", log.path, "--room", "NO-ROOM"])
    #expect(nobody.code == 2 && nobody.output.contains("tells of \""))
    #expect(names.allSatisfy { nobody.output.contains("\"\($0)\"") })
    for words in [["--from", "5", "--to", "4"], ["--from", "x"], ["--to", "-1"]] {
      #expect(try run(lecternProgram, ["replay", log.path] + words).code == 2)
    }
  }

  @Test("reaches as far as a killed server has written")
  func killed() throws {
    let folder = try SampleFolder()
    let log = folder.root.appendingPathComponent("log.ndjson")
    let program = try ServingProcess(folder, ["--record", log.path])
    let reader = try HeadlessReader(port: program.port)
    try reader.openFirstBook()
    reader.press(.arrowRight)
    try reader.waitForFrame { !$0.frame.isSettled && $0.frame.number > 5 }
    kill(program.process.processIdentifier, SIGKILL)
    program.process.waitUntilExit()
    // The last write may have stopped anywhere.
    let data = try Data(contentsOf: log)
    for missing in [0, 1, 9, 30] {
      try data.dropLast(missing).write(to: log)
      let (code, output) = try run(lecternProgram, ["replay", log.path])
      #expect(code == 0)
      let times = output.split(separator: "\n").compactMap {
        Double($0.dropFirst("{\"t\":".count).prefix { $0 != "," })
      }
      #expect(times.count > 5)
      #expect(zip(times, reader.frames).allSatisfy { $0 == $1.frame.time })
    }
  }
}
