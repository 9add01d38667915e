internal import Foundation
internal import Telemetry
internal import WebServer

extension ReadingServer.Options {
  /// How many connections a server accepts, and how it sends to them.
  package struct Connections: Equatable, Sendable {
    /// The maximum number of open connections.
    package var total = ServerOptions.Limits.Connections().total
    /// The maximum number of open connections of one IPv4 address or one IPv6 /64.
    package var perAddress = ServerOptions.Limits.Connections().perAddress
    /// The maximum number of connections that wait to be accepted.
    package var backlog = ServerOptions().backlog
    /// Whether the server uses io_uring where the system permits it.
    package var usesRing = true

    /// Creates the default options.
    package init() {}
  }
}

extension ReadingServer.Options.Connections {
  /// The limits of a web server with these options.
  var limits: ServerOptions.Limits {
    ServerOptions.Limits(connections: total, perAddress: perAddress)
  }

  /// Returns what the system reduces, in sentences that say what to do.
  /// - Parameters:
  ///   - granted: The number of connections for which the process may open descriptors.
  ///   - longestQueue: The system's limit for `backlog`; nil if it is unknown.
  /// - Returns: The sentences; none if nothing is reduced.
  func reductions(granted: Int, longestQueue: Int?) -> [String] {
    var sentences: [String] = []
    if granted < total {
      sentences.append(
        "The server accepts \(granted) connections and not \(total), because it may not open more "
          + "files. Raise the hard limit of open files (ulimit -Hn, LimitNOFILE)."
      )
    }
    if let longestQueue, longestQueue < backlog {
      sentences.append(
        "At most \(longestQueue) connections wait to be accepted and not \(backlog), because the "
          + "system allows no more. Raise net.core.somaxconn."
      )
    }
    return sentences
  }

  /// The system's limit for the connections that wait at a listener; nil if it is unknown.
  package static var longestQueue: Int? {
    let path = "/proc/sys/net/core/somaxconn"
    guard let text = FileManager.default.contents(atPath: path) else { return nil }
    return Int(
      String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    )
  }
}

extension Log {
  /// Warns if the system allows fewer connections than the options.
  func reduced(_ connections: ReadingServer.Options.Connections, granted: Int) {
    let longestQueue = ReadingServer.Options.Connections.longestQueue
    for sentence in connections.reductions(granted: granted, longestQueue: longestQueue) {
      warning(.configurationWarning, sentence)
    }
  }
}
