import Foundation
import Scene
import Telemetry
import Testing

@testable import Commands
@testable import Server

@Suite("The output of a command")
struct OutputTests {
  /// Runs the program in a shell.
  /// - Returns: Its exit code and what it wrote to the standard error.
  private func run(_ script: String) throws -> (code: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "set -o pipefail; " + script, lecternProgram]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let errors = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
  }

  @Test(
    "that cannot be written ends the command with code 1 and one line",
    arguments: [
      "\"$0\" --help > /dev/full", "\"$0\" serve --help >&-", "\"$0\" doctor --port 0 > /dev/full",
      "\"$0\" frames --until 60 < /dev/null > /dev/full",
      """
      cd "$(mktemp -d)" && trap 'rm -r "$PWD"' EXIT
      echo '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>' > a.svg
      echo '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>' > b.svg
      "$0" import --data data a.svg b.svg > /dev/full
      """,
    ]
  )
  func unwritable(_ script: String) throws {
    let (code, errors) = try run(script)
    #expect(code == 1, "\(script): \(errors)")
    let lines = errors.split(separator: "\n")
    #expect(lines.count == 1 && errors.contains("cannot be written"), "\(script): \(errors)")
  }

  @Test("whose reader has ended is an error, not a crash")
  func endedReader() throws {
    let (code, errors) = try run("\"$0\" frames --until 600 < /dev/null | head -c 1")
    #expect(code == 1 && errors.contains("cannot be written"), "\(errors)")
    // Frames of eleven days, of which nothing is computed that nobody reads.
    #expect(try run("\"$0\" frames --until 1000000 < /dev/null | head -c 1").code == 1)
  }

  @Test("Errors that nobody can read end no command")
  func closedErrors() throws {
    #expect(try run("\"$0\" nonsense 2>&-").code == 2)
    #expect(try run("\"$0\" nonsense 2> /dev/full").code == 2)
  }
}

@Suite("The recording of a whole server")
struct WholeRecordingTests {
  @Test("never replaces a file: the next one has a number, and an empty file is used")
  func names() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("log.ndjson").path
    try Data().write(to: URL(fileURLWithPath: path))
    for _ in 0..<3 {
      try Recorder(path: path, library: LibraryOutline(collections: []), log: .disabled).finish()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["log-2.ndjson", "log-3.ndjson", "log.ndjson"])
    let plain = folder.appendingPathComponent("plain").path
    for _ in 0..<2 {
      try Recorder(path: plain, library: LibraryOutline(collections: []), log: .disabled).finish()
    }
    #expect(FileManager.default.fileExists(atPath: plain + "-2"))
    for unusable in [folder.path, folder.path + "/none/x"] {
      #expect(throws: StartError.self) {
        try Recorder(path: unusable, library: LibraryOutline(collections: []), log: .disabled)
      }
    }
  }
}
