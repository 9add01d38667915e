import Foundation
import HeadlessReader
import Motion
import Scene
import Testing
import Wire

@testable import Server

@Suite("Reading together", .timeLimit(.minutes(10)))
struct ServeTests {
  let folder: SampleFolder
  let server: ServingThread

  init() throws {
    folder = try SampleFolder()
    server = try ServingThread(folder) { $0.keys.library = "the-key-of-the-library" }
  }

  /// Returns the frame messages of a reader from a number on, byte for byte.
  func messages(_ reader: HeadlessReader, from number: UInt32) -> [[UInt8]] {
    reader.frames.filter { $0.frame.number >= number }.map(\.bytes)
  }

  @Test("two members see byte-equal frames")
  func equalFrames() throws {
    let first = try server.reader("PAIR")
    let second = try server.reader("PAIR")
    let start = (second.latest?.number ?? 0) + 1
    try first.openFirstBook()
    first.drag(from: Point(x: 300, y: 0), to: Point(x: -250, y: 10))
    let last = try first.waitUntilSettled()
    try second.waitForFrame { $0.frame.number == last.number }
    #expect(messages(first, from: start) == messages(second, from: start))
    #expect(first.latest == second.latest)
    #expect(first.frames.count > 60)
  }

  @Test("a member that joins in mid-flip equals the others from its first frame")
  func joinInFlight() throws {
    let first = try server.reader("LATE")
    try first.openFirstBook()
    let opened = first.latest?.number ?? 0
    // The finger holds the leaf until the other member has joined, however long that takes.
    first.drag(from: Point(x: 300, y: 0), to: Point(x: 0, y: 5), lifts: false)
    try first.waitForFrame { !$0.frame.isSettled && $0.frame.number > opened }
    let second = try server.reader("LATE")
    let joined = try #require(second.frames.first)
    #expect(!joined.frame.isSettled)
    first.finger(.move, at: Point(x: -250, y: 10))
    first.finger(.up, at: Point(x: -250, y: 10))
    let last = try first.waitUntilSettled()
    try second.waitUntilSettled()
    #expect(first.frames.first { $0.frame.number == joined.frame.number }?.frame == joined.frame)
    func seen(_ reader: HeadlessReader) -> [DecodedFrame] {
      reader.frames.map(\.frame).filter { $0.number > joined.frame.number }
    }
    #expect(seen(first) == seen(second))
    #expect(second.latest == last)
  }

  @Test("two rooms never see each other's frames")
  func separateRooms() throws {
    let east = try server.reader("EAST")
    let west = try server.reader("WEST")
    // Everything that a member gets when it joins is here.
    try west.exchangeClock()
    let count = west.messageCount
    try east.openFirstBook()
    try west.exchangeClock()
    #expect(west.messageCount == count + 1)
    #expect(west.latest?.screen == .collections)
  }

  @Test("a reader that names no room gets its own, and no other reader joins it by its name")
  func freshRoom() throws {
    let server = try ServingThread(folder)
    let first = try HeadlessReader(port: server.port)
    #expect(Hello.isRoomName(first.room) && first.reader.utf8.count == 22)
    let third = try HeadlessReader(port: server.port)
    #expect(third.room != first.room && third.reader != first.reader)
    for (room, code) in [(first.room, UInt16(4005)), ("NO-ROOM", 4012)] {
      #expect(throws: ReaderError.closed(code: code, reason: CloseCode(rawValue: code)!.meaning)) {
        try HeadlessReader(port: server.port, room: room, reader: third.reader)
      }
    }
  }

  @Test("every gesture ends with a settled frame, and the screens follow one another")
  func gestures() throws {
    let reader = try server.reader(
      "HANDS",
      viewport: Viewport(size: Size(width: 1366, height: 700))
    )
    reader.tap(at: Point(x: 0, y: -200))
    #expect(try reader.waitUntilSettled().screen == .shelf)
    reader.drag(from: Point(x: 100, y: 0), to: Point(x: -300, y: 0))
    #expect(try reader.waitUntilSettled().screen == .shelf)
    reader.press(.home)
    try reader.waitUntilSettled()
    reader.pinch(from: 1, to: 5)
    #expect(try reader.waitUntilSettled().screen == .book)
    let before = reader.latest
    reader.wheel(dy: 120)
    #expect(try reader.waitUntilSettled().shown != before?.shown)
    reader.wheel(dy: -30, ctrl: true)
    #expect(try reader.waitUntilSettled().screen == .book)
    // Fingers further apart would lay the book flat if they were fast enough.
    reader.pinch(from: 2, to: 2.02)
    #expect(try reader.waitUntilSettled().screen == .book)
    reader.pinch(from: 3, to: 0.4)
    #expect(try reader.waitUntilSettled().screen == .shelf)
    reader.press(.escape)
    #expect(try reader.waitUntilSettled().screen == .collections)
  }

  @Test("a driven frame is computed for the vsync that the presenter named")
  func drivenTime() throws {
    let reader = try server.reader("VSYNC")
    try reader.openFirstBook()
    reader.finger(.down, at: Point(x: 200, y: 0))
    reader.finger(.move, at: Point(x: 150, y: 0))
    try reader.exchangeClock()
    var isInTime = false
    // On a busy machine a message may reach the server after the time that it names.
    for step in 1...50 where !isInTime {
      // Messages that follow one another more closely than frames share a frame.
      try reader.collect(for: 0.02)
      let target = reader.serverNow + 0.012
      reader.finger(.move, at: Point(x: 150 - Double(step), y: 0), target: target)
      try reader.exchangeClock()
      isInTime = reader.frames.contains { $0.frame.time == target }
    }
    #expect(isInTime)
    reader.finger(.up, at: Point(x: 100, y: 0))
    try reader.waitUntilSettled()
  }

  @Test("nothing is sent at rest")
  func rest() throws {
    let reader = try server.reader("REST")
    let other = try server.reader("REST")
    try reader.openFirstBook()
    try other.waitUntilSettled()
    let counts = (reader.messageCount, other.messageCount)
    try reader.collect(for: 0.5)
    try reader.exchangeClock()
    try other.exchangeClock()
    #expect((reader.messageCount, other.messageCount) == (counts.0 + 1, counts.1 + 1))
  }

  @Test("a resized window receives its camera, and the others receive nothing")
  func cameras() throws {
    let reader = try server.reader("LENS")
    let other = try server.reader("LENS")
    // By then the members have received each other's names.
    try other.collect(for: 0.4)
    let count = other.messageCount
    reader.resize(to: Viewport(size: Size(width: 512, height: 500)))
    try reader.exchangeClock()
    #expect(reader.camera[0] == 0.5)
    try other.exchangeClock()
    #expect(other.messageCount == count + 1)
    #expect(other.camera[0] == 1)
  }

  @Test("stopping closes every member with 1001")
  func stopping() throws {
    let readers = try (0..<3).map { try server.reader("R\($0)") }
    server.stop()
    for reader in readers { #expect(try reader.waitForClose().code == 1001) }
    #expect(server.ends(within: 5))
  }
}
