import Foundation
import Glibc
import TestLogs
import Testing

@testable import Telemetry

@Suite("Log", .timeLimit(.minutes(10)))
struct LogTests {
  private let event = LogEvent("test.event")

  private func entry(_ message: String, at time: Double = 0, key: String? = nil) -> LogEntry {
    LogEntry(time: time, level: .warning, event: event, message: message, key: key)
  }

  @Test("a readable line has a UTC time, a level, an event, a message and its fields")
  func text() {
    let entry = LogEntry(
      time: 1_795_338_000.1234,
      level: .info,
      event: event,
      message: "It is so.",
      fields: [
        ("name", "a b"), ("pages", .count(3)), ("seconds", .seconds(0.12345)),
        ("isNew", .flag(true)),
      ]
    )
    #expect(
      LogFormat.text.line(entry)
        == #"2026-11-22T09:00:00.123Z info test.event: It is so. name="a b" pages=3 "#
        + "seconds=0.123 isNew=true\n"
    )
  }

  @Test("a machine-readable line is one JSON object")
  func json() throws {
    let entry = LogEntry(
      time: 0,
      level: .error,
      event: event,
      message: "It is \"so\".",
      fields: [("pages", .count(-3)), ("ratio", .number(.nan)), ("name", "\u{1F4D6}\u{E0001}")]
    )
    let line = LogFormat.json.line(entry)
    #expect(line.hasSuffix("}\n"))
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(object?["time"] as? String == "1970-01-01T00:00:00.000Z")
    #expect(object?["level"] as? String == "error" && object?["event"] as? String == "test.event")
    #expect(object?["message"] as? String == "It is \"so\".")
    #expect(object?["pages"] as? Int == -3 && object?["ratio"] is NSNull)
    #expect(object?["name"] as? String == "\u{1F4D6}\u{E0001}")
  }

  @Test(
    "no text ends a line, moves a cursor or changes the direction of others",
    arguments: LogFormat.allCases
  )
  func escaping(_ format: LogFormat) {
    let hostile =
      "a\nb\r\tc\u{1B}[31m\u{7}\u{9B}2J\u{202E}gpj\u{2066}\u{200F}\u{2028}\u{2029}\u{FEFF}\u{0}\\\""
      + "\u{7F}\u{E0041}\u{E000}"
    let entry = LogEntry(
      time: 0,
      level: .info,
      event: event,
      message: hostile,
      fields: [("file", .text(hostile))]
    )
    let line = format.line(entry)
    #expect(line.filter { $0.isNewline }.count == 1 && line.last == "\n")
    for scalar in line.dropLast().unicodeScalars {
      let kind = scalar.properties.generalCategory
      #expect(
        ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse].contains(kind),
        "\(scalar.value)"
      )
    }
    #expect(line.contains(format == .json ? #"\u001b[31m"# : #"\u{1B}[31m"#))
  }

  @Test("letters of any language stay unchanged")
  func letters() {
    let name = "Grüße, 日本語, עברית, é"
    #expect(LogFormat.text.line(entry(name)).contains(name))
    #expect(LogFormat.json.line(entry(name)).contains(name))
  }

  @Test("every text is truncated at a limit, between two characters")
  func cutting() {
    let long = String(repeating: "é", count: 100_000)
    let fields = (0..<40).map { ("f\($0)", LogValue.text(long)) }
    let entry = LogEntry(time: 0, level: .info, event: event, message: long, fields: fields)
    #expect(entry.message.utf8.count <= LogEntry.textMax && entry.message.hasSuffix("é…"))
    #expect(entry.fields.count == LogEntry.fieldsMax)
    #expect(LogFormat.json.line(entry).utf8.count < 10_000)
    let fitting = String(repeating: "x", count: LogEntry.textMax)
    #expect(self.entry(fitting).message == fitting)
  }

  @Test("any time gives a line", arguments: [-1, 1e300, .infinity, -.infinity, 253_402_300_799])
  func times(_ time: Double) {
    #expect(Timestamp.text(time).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test("an event below the level is neither created nor written")
  func levels() throws {
    let captured = try CapturedLog(level: .warning)
    func costly() -> String {
      Issue.record("a message nobody reads was made")
      return ""
    }
    captured.log.info(event, costly())
    captured.log.debug(event, costly())
    captured.log.warning(event, "one")
    captured.log.error(event, "two")
    #expect(captured.lines.map { $0["message"] } == ["one", "two"])
    #expect(captured.log.accepts(.warning) && !captured.log.accepts(.info))
    #expect(!Log.disabled.accepts(.error))
  }

  @Test("of repeated events one is written per period, with the number of the others")
  func repeats() {
    var repeats = LogRepeats()
    #expect(repeats.admit(entry("0", at: 0, key: "k")).map(\.message) == ["0"])
    for second in 1..<10 { #expect(repeats.admit(entry("x", at: Double(second), key: "k")) == []) }
    #expect(repeats.admit(entry("other", at: 5, key: "l")).count == 1)
    #expect(repeats.admit(entry("free", at: 5)).count == 1)
    let next = repeats.admit(entry("10", at: 10, key: "k"))
    #expect(next.count == 1 && LogFormat.text.line(next[0]).contains("10 repeats=9"))
    #expect(repeats.admit(entry("y", at: 11, key: "k")) == [])
    #expect(repeats.drainRest().map { LogFormat.text.line($0).contains("repeats=1") } == [true])
    #expect(repeats.drainRest() == [])
  }

  @Test("a flood of keys has bounded memory, and every omitted event is counted")
  func manyKeys() {
    var repeats = LogRepeats()
    var lines = 0
    for number in 0..<5000 {
      for _ in 0..<2 { lines += repeats.admit(entry("x", key: "\(number)")).count }
    }
    #expect(lines == LogRepeats.keysMax + 1)
    let later = repeats.admit(entry("y", at: 60, key: "new"))
    #expect(later.count == LogRepeats.keysMax + 2)
    // A clock that is set back does not suppress later events.
    #expect(repeats.admit(entry("z", at: 1, key: "new")).count == 1)
  }
}

@Suite("Log writer", .timeLimit(.minutes(10)))
struct LogWriterTests {
  private let event = LogEvent("test.event")
  private let audited = LogEvent("test.audited", isAudited: true)

  /// A pipe that nobody reads until the test does.
  private final class BlockedPipe {
    let reading: Int32
    let writing: Int32

    init() {
      var ends: [Int32] = [0, 0]
      _ = pipe(&ends)
      (reading, writing) = (ends[0], ends[1])
    }

    func readAll() -> String {
      close(writing)
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(reading, &buffer, buffer.count), count > 0 {
        text += buffer[..<count]
      }
      close(reading)
      return String(decoding: text, as: UTF8.self)
    }
  }

  @Test("a log that nobody reads delays nobody, and dropped lines are counted and reported")
  func blocked() throws {
    let pipe = BlockedPipe()
    let writer = LogWriter(to: LogFile(descriptor: pipe.writing), capacity: 10)
    let text = String(repeating: "x", count: 400)
    // More than a pipe can hold, so that the thread is blocked in the middle.
    for _ in 0..<1000 { writer.log.info(event, text) }
    #expect(writer.droppedCount > 0)
    // Once it is read, everything continues.
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var seen = ""
    while !seen.contains("log.dropped") {
      let count = read(pipe.reading, &buffer, buffer.count)
      try #require(count > 0)
      seen += String(decoding: buffer[..<count], as: UTF8.self)
    }
    writer.finish()
    let all = seen + pipe.readAll()
    let written = all.matches(of: /test\.event/).count
    let said = all.matches(of: /lines=(\d+)/).compactMap { Int($0.output.1) }.reduce(0, +)
    #expect(written + said == 1000 && said == Int(writer.droppedCount))
  }

  @Test("everything logged on any thread is written when the log is finished")
  func finishing() throws {
    let pipe = BlockedPipe()
    let writer = LogWriter(to: LogFile(descriptor: pipe.writing))
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<10 { writer.log.info(event, "\(thread) \(number)") }
    }
    writer.finish()
    writer.log.info(event, "too late")
    #expect(writer.droppedCount == 1)
    let lines = pipe.readAll().split(separator: "\n")
    #expect(lines.count == 80 && Set(lines).count == 80)
  }

  @Test("the error that ends a program is its last line, whatever other threads log")
  func lastLine() {
    let pipe = BlockedPipe()
    let writer = LogWriter(to: LogFile(descriptor: pipe.writing))
    // The end of a log has the summary of what was left out.
    for _ in 0..<3 { writer.log.warning(event, "repeated", collapsing: "key") }
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        writer.log.info(event, "\(thread) \(number)")
        if thread == 0, number == 25 { writer.finish(with: event, "the reason") }
      }
    }
    let lines = pipe.readAll().split(separator: "\n")
    #expect(lines.count { $0.contains("repeats=2") } == 1)
    #expect(lines.count { $0.contains("the reason") } == 1)
    #expect(lines.last?.contains(" error test.event: the reason") == true)
  }

  @Test("audited events are also written to the audit log as JSON, at any level")
  func audit() throws {
    let path = FileManager.default.temporaryDirectory.path + "/audit-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let pipe = BlockedPipe()
    let writer = LogWriter(to: LogFile(descriptor: pipe.writing), level: .error)
    writer.log.info(audited, "before there is an audit")
    writer.openAudit(in: try LogFile(path: path))
    writer.log.info(audited, "kept", ["address": "::1"])
    writer.log.info(event, "not kept")
    writer.log.error(event, "said")
    writer.finish()
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept.hasPrefix(#"{"time":"2"#) && kept.contains(#""message":"kept","address":"::1"}"#))
    #expect(kept.filter { $0 == "\n" }.count == 1)
    #expect(pipe.readAll().matches(of: /test/).count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o600)
  }

  @Test("audited events can be shown among the other lines")
  func shownAudit() {
    let pipe = BlockedPipe()
    let writer = LogWriter(
      to: LogFile(descriptor: pipe.writing),
      level: .error,
      showsAudit: true
    )
    writer.log.info(audited, "shown")
    writer.log.info(event, "not shown")
    writer.finish()
    #expect(pipe.readAll().contains("info test.audited: shown"))
  }

  @Test("a long file is rotated, and the previous one is kept")
  func rotation() throws {
    let path = FileManager.default.temporaryDirectory.path + "/log-\(UUID().uuidString)"
    defer { for end in ["", ".1"] { try? FileManager.default.removeItem(atPath: path + end) } }
    try Data(count: LogFile.sizeMax - 10).write(to: URL(fileURLWithPath: path))
    let file = try LogFile(path: path)
    #expect(file.write("a line that is too long\n") && file.write("and another\n"))
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".1")).count == LogFile.sizeMax - 10)
    #expect(throws: LogFileError.self) { try LogFile(path: "/nowhere/log") }
  }
}
