internal import Foundation
internal import Glibc
internal import Library
internal import WebServer
internal import Wire

// What is measured, for Prometheus.
extension Site {
  /// Whether the server does what it is there for: the catalogue can be read.
  ///
  /// One that stops answers 503 by itself, and then nothing any more.
  func readiness(_ id: RequestID) -> HTTPAnswer {
    let library = library
    later(id) {
      do throws(LibraryFault) {
        _ = try library.outline(of: "")
      } catch {
        if case .failed = error {
          return .json(["status": "the catalogue cannot be read"], status: 503)
        }
      }
      return .json(["status": "ready"])
    }
    return .later
  }

  func measures() -> HTTPAnswer {
    host.measure(into: &metrics)
    if let server { metrics.take(server) }
    metrics.set(.books, to: Double(library.bookCount))
    metrics.set(.pagesAwaited, to: Double(tickets.count))
    let text = metrics.text + Self.build + Self.process
    return .now(
      HTTPResponse(
        contentType: "text/plain; version=0.0.4; charset=utf-8",
        body: .bytes(Array(text.utf8))
      )
    )
  }

  private static var build: String {
    """
    # HELP lectern_build_info What this program was made of.
    # TYPE lectern_build_info gauge
    lectern_build_info{wire="\(WireVersion.current)",libwebsockets="\(WebServer.libraryVersion)"} 1

    """
  }

  /// The figures that every such program gives, by their usual names.
  private static var process: String {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = [usage.ru_utime, usage.ru_stime].reduce(0.0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
    return """
      # TYPE process_cpu_seconds_total counter
      process_cpu_seconds_total \(seconds)
      # TYPE process_resident_memory_bytes gauge
      process_resident_memory_bytes \(residentBytes)
      # TYPE process_start_time_seconds gauge
      process_start_time_seconds \(startTime)

      """
  }

  private static let startTime =
    Date().timeIntervalSince1970 - ProcessInfo.processInfo.systemUptime
    + processStartSeconds

  /// When this process began, in seconds since the machine did.
  private static var processStartSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8)) ?? ""
    // The name in the second field may hold anything, but its last bracket.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 19, let ticks = Double(fields[19]) else { return 0 }
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

extension Metrics {
  /// Takes over what the server itself counts.
  fileprivate mutating func take(_ server: WebServer) {
    let counts = server.counts
    set(.connectionsAccepted, to: counts.accepted)
    set(.connectionsTurnedAway, to: counts.turnedAway)
    set(.webSocketsOpened, to: counts.opened)
    for (reason, count) in counts.rejected { set(.handshakesRejected, reason.rawValue, to: count) }
    for (excess, count) in counts.refused { set(.requestsRefused, excess.rawValue, to: count) }
    set(.connectionsDisplaced, to: counts.displaced)
    set(.messagesOversized, to: counts.oversized)
    for (code, count) in counts.closed { set(.disconnects, "\(code)", to: count) }
    let webSockets = server.webSocketCount
    set(.connections, "websocket", to: Double(webSockets))
    set(.connections, "page", to: Double(server.connectionCount - webSockets))
  }
}
