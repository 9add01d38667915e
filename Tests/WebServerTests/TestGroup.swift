import Dispatch
import Foundation
import Synchronization
import Telemetry

@testable import WebServer

/// Several servers of one process on one port, each on its own thread with its own application.
final class TestGroup: Sendable {
  let port: Int
  /// The events of each server's application.
  let probes: [Probe]
  let registry = MetricRegistry()
  let group: ServerGroup
  private let mailboxes: [Mailbox]
  private let ending = DispatchSemaphore(value: 0)

  init(
    servers count: Int = 2,
    _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    var options = ServerOptions()
    options.sharesPort = true
    change(&options)
    group = try ServerGroup(options: options, registry: registry)
    probes = (0..<count).map { _ in Probe() }
    let started = Box(Mutex<[Result<(Int, Mailbox), ServerError>]>([]))
    let ready = DispatchSemaphore(value: 0)
    for probe in probes {
      Thread.detachNewThread { [group, ending] in
        let application = TestApplication(probe: probe)
        do throws(ServerError) {
          let server = try WebServer(in: group, application: application)
          application.server = server
          started.value.withLock { $0.append(.success((server.port, server.mailbox))) }
          ready.signal()
          server.run()
        } catch {
          started.value.withLock { $0.append(.failure(error)) }
          ready.signal()
        }
        ending.signal()
      }
      // One after the other, so that each mailbox belongs to the probe of the same place.
      ready.wait()
    }
    let results = try started.value.withLock { try $0.map { try $0.get() } }
    guard let port = results.first?.0, results.allSatisfy({ $0.0 == port }) else {
      throw CancellationError()
    }
    self.port = port
    mailboxes = results.map(\.1)
    for (index, mailbox) in mailboxes.enumerated() {
      let next = mailboxes[(index + 1) % count]
      mailbox.perform { ($0.application as? TestApplication)?.destination = next }
    }
  }

  deinit { group.stop() }

  /// Returns whether every server's `run()` returns in time.
  func ends(within seconds: Double) -> Bool {
    probes.allSatisfy { _ in ending.wait(timeout: .now() + seconds) == .success }
  }

  /// Waits until every server has handled what it was told before, and runs a closure on each.
  func onEach(_ work: @escaping @Sendable (WebServer) -> Void) {
    for mailbox in mailboxes {
      let done = DispatchSemaphore(value: 0)
      mailbox.perform { server in
        work(server)
        done.signal()
      }
      done.wait()
    }
  }

  /// The lines of the metrics whose names begin with a text.
  func lines(_ start: String) -> [String] {
    group.measure()
    return registry.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(start) }
  }
}
