internal import Gateway
internal import WebServer
internal import Wire

/// The WebSockets of a server, as the lines of a gateway.
///
/// Lives on the service thread.
final class ServerLines: Lines {
  /// The server; nil before it listens and after it has ended.
  weak var server: WebServer?

  private let metrics: MessageMetrics
  private let audit: Audit
  private var peers: [LineID: String] = [:]

  init(metrics: MessageMetrics, audit: Audit) {
    (self.metrics, self.audit) = (metrics, audit)
  }

  /// The codes that mean a rejected connection, for the audit: keys, locks, bans and limits.
  private static let refusals = Set(
    [
      CloseCode.policyViolation, .tooManyErrors, .roomFull, .keyNeeded, .locked, .tooManyTries,
      .tooManyRooms,
    ].map(\.rawValue)
  )

  func opened(_ line: LineID, from peer: String) { peers[line] = peer }

  func closed(_ line: LineID) { peers[line] = nil }

  func send(_ bytes: UnsafeRawBufferPointer, over line: LineID) -> Bool {
    guard let server, server.send(ConnectionID(line), bytes) else {
      metrics.noteRefused(bytes)
      return false
    }
    metrics.noteSent(bytes)
    return true
  }

  func close(_ line: LineID, code: UInt16, reason: String) {
    if Self.refusals.contains(code) {
      audit.noteRefusal("room: \(code)", to: peers[line] ?? "")
    }
    server?.close(ConnectionID(line), code: code, reason: reason)
  }
}

extension LineID {
  init(_ connection: ConnectionID) { self.init(connection.rawValue) }
}

extension ConnectionID {
  init(_ line: LineID) { self.init(rawValue: line.rawValue) }
}
