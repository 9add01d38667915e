import Dispatch
import Fabric
import Foundation
import HeadlessReader
import Motion
import Scene
import Synchronization
import Telemetry
import Testing
import Wire

@testable import Commands
@testable import Server

/// A folder with a small library and a page, deleted together with the value.
final class SampleFolder: Sendable {
  let root: URL
  var library: String { root.appendingPathComponent("library").path }
  var web: String { root.appendingPathComponent("web").path }
  var data: String { root.appendingPathComponent("data").path }

  /// Creates a library of books with these numbers of pages, shelf by shelf.
  init(books: [[Int]] = [[12, 3, 1], [40]]) throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-\(UUID().uuidString)")
    for (c, shelf) in books.enumerated() {
      for (b, pages) in shelf.enumerated() {
        try add(pages: pages, to: "Shelf \(c)/Book \(b)")
      }
    }
    try FileManager.default.createDirectory(atPath: web, withIntermediateDirectories: true)
    try Data("<!doctype html>".utf8).write(to: URL(fileURLWithPath: web + "/index.html"))
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Adds a book of empty pages.
  func add(pages: Int, to path: String) throws {
    let folder = root.appendingPathComponent("library/\(path)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for page in 0..<pages {
      let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="362" height="568"></svg>"#
      try Data(svg.utf8).write(to: folder.appendingPathComponent("\(page).svg"))
    }
  }
}

/// A whole server on its own thread, on a free port of this machine.
final class ServingThread: Sendable {
  let port: Int
  /// The port for administrators.
  let adminPort: Int
  /// The service threads.
  let threads: ServiceThreads
  private let libraryKey: String?
  /// The rooms that ``reader(_:viewport:)`` has created, by the names that tests give them.
  private let names = Mutex<[String: String]>([:])
  private let stopper: @Sendable () -> Void
  private let ending = DispatchSemaphore(value: 0)

  init(
    _ folder: SampleFolder,
    record: String? = nil,
    data: String? = nil,
    bus: (any ClusterBus)? = nil,
    writer: LogWriter = LogWriter(to: nil),
    change: (inout ReadingServer.Options) -> Void = { _ in }
  ) throws {
    let started = Mutex<Result<(Int, Int, ServiceThreads, @Sendable () -> Void), StartError>?>(
      nil
    )
    let ready = DispatchSemaphore(value: 0)
    let box = Box(started)
    var options = ReadingServer.Options(library: folder.library, web: folder.web)
    options.threads = 2
    options.network.port = 0
    options.network.adminListen = Endpoint("127.0.0.1:0")
    options.record = record
    options.storage.data = data
    change(&options)
    libraryKey = options.keys.library
    Thread.detachNewThread { [options, ending] in
      do throws(StartError) {
        let server = try ReadingServer(options: options, bus: bus, writer: writer)
        let result = (server.port, server.adminPort ?? 0, server.threads, server.stop)
        box.value.withLock { $0 = .success(result) }
        ready.signal()
        server.run()
      } catch {
        box.value.withLock { $0 = .failure(error) }
        ready.signal()
      }
      ending.signal()
    }
    ready.wait()
    guard let result = box.value.withLock({ $0 }) else { throw CancellationError() }
    (port, adminPort, threads, stopper) = try result.get()
  }

  /// Waits for the end of the server, which deletes its temporary data.
  deinit {
    stop()
    _ = ends(within: 30)
  }

  func stop() { stopper() }

  /// Returns whether the server ends in time.
  func ends(within seconds: Double) -> Bool {
    guard ending.wait(timeout: .now() + seconds) == .success else { return false }
    // For the next caller.
    ending.signal()
    return true
  }

  /// Joins a room by the name that the tests give it, which the first call creates.
  ///
  /// Later calls join it as other readers, if the library has a key.
  func reader(_ room: String, viewport: Viewport = .plain) throws -> HeadlessReader {
    if let libraryKey, let name = names.withLock({ $0[room] }) {
      return try HeadlessReader(port: port, room: name, key: libraryKey, viewport: viewport)
    }
    let key = libraryKey ?? ""
    let reader = try HeadlessReader(
      port: port,
      key: key,
      reader: .secret(of: room),
      viewport: viewport
    )
    names.withLock { $0[room] = reader.room }
    return reader
  }
}

/// The program itself, serving in its own process.
final class ServingProcess {
  let process = Process()
  let port: Int

  /// Starts the program and waits until it listens.
  ///
  /// The data are in the folder, unless the arguments name another place. The number of open files
  /// can be limited, and the log can be captured.
  init(
    _ folder: SampleFolder,
    _ words: [String] = [],
    files: Int? = nil,
    errors: FileHandle? = nil,
    environment: [String: String] = [:]
  ) throws {
    var all = ["serve", "--port", "0", "--library", folder.library, "--web", folder.web] + words
    if !words.contains("--data") {
      all += ["--data", folder.data]
    }
    let limit = files.map { "ulimit -n \($0) && " } ?? ""
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", limit + #"exec "$0" "$@""#, lecternProgram] + all
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    if let errors { process.standardError = errors }
    try process.run()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    let port = line.split(separator: ":").last.flatMap { Int($0.prefix(while: \.isNumber)) }
    self.port = try #require(port)
  }

  deinit {
    if process.isRunning { process.terminate() }
    // Until then it writes into the folder.
    process.waitUntilExit()
  }
}

/// Runs a program until it exits.
func run(_ program: String, _ words: [String]) throws -> (code: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = words
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

/// The program that was built together with these tests.
let lecternProgram = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appendingPathComponent("lectern").path

/// Shares a value that cannot be copied.
final class Box<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}

extension String {
  /// Returns the secret of the reader whose own room has this name in the tests.
  static func secret(of room: String) -> String { room + "-is-the-room-of-its-reader" }
}

extension Viewport {
  static let plain = Viewport(size: Size(width: 1024, height: 768))
}

extension HeadlessReader {
  /// Opens the first book of the first shelf.
  func openFirstBook() throws {
    press(.enter)
    try waitUntilSettled()
    press(.enter)
    let frame = try waitUntilSettled()
    #expect(frame.screen == .book)
  }
}
