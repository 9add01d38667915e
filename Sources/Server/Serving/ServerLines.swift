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
  /// The connections of a message to several; kept to reuse its memory.
  private var connections: [ConnectionID] = []

  init(metrics: MessageMetrics, audit: Audit) { (self.metrics, self.audit) = (metrics, audit) }

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
    let isSent = server?.webSockets.send(ConnectionID(line), bytes) ?? false
    metrics.note(bytes[...], sent: isSent ? 1 : 0, refused: isSent ? 0 : 1)
    return isSent
  }

  func send(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: [Range<Int>],
    over lines: [LineID],
    refused: inout [Int]
  ) {
    guard let server else { return refused.append(contentsOf: lines.indices) }
    connections.removeAll(keepingCapacity: true)
    for line in lines { connections.append(ConnectionID(line)) }
    let before = refused.count
    server.webSockets.send(bytes, messages, to: connections, refused: &refused)
    let refusals = refused.count - before
    for message in messages {
      metrics.note(bytes[message], sent: lines.count - refusals, refused: refusals)
    }
  }

  func close(_ line: LineID, code: UInt16, reason: String) {
    if Self.refusals.contains(code) { audit.noteRefusal("room: \(code)", to: peers[line] ?? "") }
    server?.webSockets.close(ConnectionID(line), code: code, reason: reason)
  }
}

extension LineID {
  init(_ connection: ConnectionID) { self.init(connection.rawValue) }
}

extension ConnectionID {
  init(_ line: LineID) { self.init(rawValue: line.rawValue) }
}
