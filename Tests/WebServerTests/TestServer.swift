import Dispatch
import Foundation
import Synchronization
import WebServer

/// What an application was told, for a test to wait for.
final class Probe: Sendable {
  enum Event: Equatable, Sendable {
    case opened, closed, stopping, ticked
    case received([UInt8])
    case refused(afterAccepting: Int)
    case writable
  }

  private let events = Mutex<[Event]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func report(_ event: Event) {
    events.withLock { $0.append(event) }
    arrivals.signal()
  }

  func next(timeout: Double = 10) -> Event? {
    guard arrivals.wait(timeout: .now() + timeout) == .success else { return nil }
    return events.withLock { $0.removeFirst() }
  }
}

/// Echoes what it gets, but obeys a few words.
final class TestApplication: WebApplication {
  weak var server: WebServer?
  private let probe: Probe

  init(probe: Probe) {
    self.probe = probe
  }

  func respond(to request: HTTPRequest) -> HTTPResponse? {
    switch request.path {
    case "/healthz":
      HTTPResponse(contentType: "application/json", body: .bytes(Array("{}".utf8)))
    case "/large":
      HTTPResponse(
        contentType: "image/png",
        body: .bytes([UInt8](repeating: 7, count: 3_000_000)),
        caching: .immutable
      )
    case "/question":
      .text(status: 200, "\(request.query)|\(request.host)")
    default: nil
    }
  }

  func opened(_ connection: ConnectionID, now: Double) { probe.report(.opened) }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    probe.report(.received(Array(bytes)))
    switch String(decoding: bytes, as: UTF8.self) {
    case "flood": flood(connection)
    case "go away": server?.close(connection, code: 4000, reason: "as you wish")
    case "tick": server?.schedule(at: WebServer.now() + 0.02)
    case "no tick":
      server?.schedule(at: WebServer.now() + 0.05)
      server?.schedule(at: nil)
    default: server?.send(connection, bytes)
    }
  }

  func becameWritable(_ connection: ConnectionID, now: Double) { probe.report(.writable) }
  func closed(_ connection: ConnectionID, now: Double) { probe.report(.closed) }
  func tick(now: Double) { probe.report(.ticked) }
  func willStop(now: Double) { probe.report(.stopping) }

  private func flood(_ connection: ConnectionID) {
    let frame = [UInt8](repeating: 1, count: 1000)
    var accepted = 0
    frame.withUnsafeBytes { bytes in
      while accepted < 100_000, server?.send(connection, bytes) == true { accepted += 1 }
    }
    probe.report(.refused(afterAccepting: accepted))
  }
}

/// A server on a thread of its own, with a directory of files that goes away with it.
final class TestServer: Sendable {
  let port: Int
  let probe = Probe()
  let root: URL
  private let stopper: Stopper
  private let ending = DispatchSemaphore(value: 0)

  init(_ change: @Sendable @escaping (inout ServerOptions) -> Void = { _ in }) throws {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-\(UUID().uuidString)")
    root = directory.appendingPathComponent("web")
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("js"),
      withIntermediateDirectories: true
    )
    try Data("<!doctype html>".utf8).write(to: root.appendingPathComponent("index.html"))
    try Data("secret".utf8).write(to: directory.appendingPathComponent("secret.txt"))
    try Data("export {}".utf8).write(to: root.appendingPathComponent("js/main.js"))
    let path = root.path
    let startedBox = Box(Mutex<Result<(Int, Stopper), ServerError>?>(nil))
    let ready = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [probe, ending] in
      let application = TestApplication(probe: probe)
      var options = ServerOptions(staticRoot: path)
      change(&options)
      do throws(ServerError) {
        let server = try WebServer(options: options, application: application)
        application.server = server
        startedBox.value.withLock { $0 = .success((server.port, server.stopper)) }
        ready.signal()
        server.run()
      } catch {
        startedBox.value.withLock { $0 = .failure(error) }
        ready.signal()
      }
      ending.signal()
    }
    ready.wait()
    guard let result = startedBox.value.withLock({ $0 }) else { throw CancellationError() }
    (port, stopper) = try result.get()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: root.deletingLastPathComponent())
  }

  func stop() { stopper.stop() }

  /// Whether `run()` returns in time.
  func ends(within seconds: Double) -> Bool {
    ending.wait(timeout: .now() + seconds) == .success
  }
}

/// Shares what cannot be copied.
final class Box<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
