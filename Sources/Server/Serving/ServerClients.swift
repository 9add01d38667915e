internal import Gateway
internal import WebServer
internal import Wire

/// The WebSockets of a server, as the clients of a gateway.
///
/// Lives on the service thread.
final class ServerClients: Clients {
  /// The server; nil before it listens and after it has ended.
  weak var server: WebServer?

  private let metrics: MessageMetrics
  private let audit: Audit
  private var peers: [ClientID: String] = [:]
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

  func opened(_ client: ClientID, from peer: String) { peers[client] = peer }

  func closed(_ client: ClientID) { peers[client] = nil }

  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    let isSent = server?.webSockets.send(ConnectionID(client), bytes) ?? false
    metrics.note(bytes[...], sent: isSent ? 1 : 0, refused: isSent ? 0 : 1)
    return isSent
  }

  func send(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: [Range<Int>],
    to clients: [ClientID],
    refused: inout [Int]
  ) {
    guard let server else { return refused.append(contentsOf: clients.indices) }
    connections.removeAll(keepingCapacity: true)
    for client in clients { connections.append(ConnectionID(client)) }
    let before = refused.count
    server.webSockets.send(bytes, messages, to: connections, refused: &refused)
    let refusals = refused.count - before
    for message in messages {
      metrics.note(bytes[message], sent: clients.count - refusals, refused: refusals)
    }
  }

  func close(_ client: ClientID, code: UInt16, reason: String) {
    if Self.refusals.contains(code) { audit.noteRefusal("room: \(code)", to: peers[client] ?? "") }
    server?.webSockets.close(ConnectionID(client), code: code, reason: reason)
  }
}

extension ClientID {
  init(_ connection: ConnectionID) { self.init(connection.rawValue) }
}

extension ConnectionID {
  init(_ client: ClientID) { self.init(rawValue: client.rawValue) }
}
