import Dispatch
import Foundation
import Synchronization
import Telemetry
import TestLogs
import WebServer

/// The events of an application, which a test can wait for.
final class Probe: Sendable {
  enum Event: Equatable, Sendable {
    case opened, closed, stopping, ticked
    case received([UInt8])
    case refused(afterAccepting: Int)
    case writable
    case asked(String)
    case gone(String)
    case bodyPart, bodyEnded
  }

  private let seen = Mutex<[String]>([])
  private let events = Mutex<[Event]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func report(_ event: Event) {
    events.withLock { $0.append(event) }
    arrivals.signal()
  }

  /// Records that a WebSocket opened; see ``peers`` for its peer.
  func opened(by peer: String) {
    seen.withLock { $0.append(peer) }
    report(.opened)
  }

  /// The peers of opened WebSockets, in order.
  var peers: [String] { seen.withLock { $0 } }

  func next(timeout: Double = 10) -> Event? {
    guard arrivals.wait(timeout: .now() + timeout) == .success else { return nil }
    return events.withLock { $0.removeFirst() }
  }
}

extension Mailbox {
  /// Runs a closure with the test's application on the server's thread.
  ///
  /// A detached thread holds this and not the ``TestServer``, whose files would otherwise be
  /// deleted after the test, or never if the process ends before.
  func performInTest(_ work: @escaping @Sendable (TestApplication) -> Void) {
    perform { server in
      if let application = server.application as? TestApplication { work(application) }
    }
  }
}

/// A server on its own thread, with a temporary directory of files.
final class TestServer: Sendable {
  let port: Int
  let probe = Probe()
  let root: URL
  let captured: CapturedLog
  private let registry = MetricRegistry()
  private let stopper: Stopper
  let mailbox: Mailbox
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
    captured = try CapturedLog()
    let path = root.path
    let startedBox = Box(Mutex<Result<(Int, Stopper, Mailbox), ServerError>?>(nil))
    let ready = DispatchSemaphore(value: 0)
    // The thread does not hold the captured log, which would then outlive the server.
    Thread.detachNewThread { [probe, ending, registry, log = captured.log] in
      let application = TestApplication(probe: probe)
      var options = ServerOptions(staticRoot: path)
      // A server with a sanitizer may not get to read a request within the usual time.
      options.limits.requests.arrivalSeconds = RawSocket.patience
      change(&options)
      do throws(ServerError) {
        let server = try WebServer(
          options: options,
          application: application,
          registry: registry,
          log: log
        )
        application.server = server
        startedBox.value.withLock { $0 = .success((server.port, server.stopper, server.mailbox)) }
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
    // A value that has not been initialized has no end.
    if case .failure = result { try? FileManager.default.removeItem(at: directory) }
    (port, stopper, mailbox) = try result.get()
  }

  /// Waits for the end of the server, which writes into the log's file.
  deinit {
    stop()
    _ = ends(within: 30)
    try? FileManager.default.removeItem(at: root.deletingLastPathComponent())
  }

  func stop() { stopper.stop() }

  /// Runs a closure with the application on the server's thread.
  func perform(_ work: @escaping @Sendable (TestApplication) -> Void) {
    mailbox.performInTest(work)
  }

  /// Returns the counts of a metric, without zeros: by label, or by the empty text if there is
  /// none.
  func counted(_ name: String) -> [String: Int]? {
    ask { [registry] server in
      server.measure()
      let lines = registry.text.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /lectern_([a-z_]+)(?:{[a-z]+="([^"]*)"})? (\d+)/)?.output
      }
      let found = lines.filter { $0.1 == name && $0.3 != "0" }
      return Dictionary(uniqueKeysWithValues: found.map { (String($0.2 ?? ""), Int($0.3) ?? 0) })
    }
  }

  /// Runs a closure on the server's thread; nil if it does not respond.
  func ask<Value: Sendable>(_ question: @escaping @Sendable (WebServer) -> Value) -> Value? {
    let found = Box(Mutex<Value?>(nil))
    let told = DispatchSemaphore(value: 0)
    mailbox.perform { server in
      let value = question(server)
      found.value.withLock { $0 = value }
      told.signal()
    }
    return told.wait(timeout: .now() + 10) == .success ? found.value.withLock { $0 } : nil
  }

  /// Returns the CPU time that the server's thread uses in a number of seconds.
  func processorTime(within seconds: Double) -> Double? {
    guard let began = ask({ _ in Self.threadTime() }) else { return nil }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
    return ask { _ in Self.threadTime() }.map { $0 - began }
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Responds to the request of a path with a text.
  func answer(_ path: String) { perform { $0.answer(to: path) } }

  /// Returns whether `run()` returns in time.
  func ends(within seconds: Double) -> Bool {
    guard ending.wait(timeout: .now() + seconds) == .success else { return false }
    // For the next caller.
    ending.signal()
    return true
  }
}

/// Shares a value that cannot be copied.
final class Box<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
