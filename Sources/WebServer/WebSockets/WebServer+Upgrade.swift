internal import CLibwebsockets
internal import Telemetry

// Validation of requests to become a WebSocket.
extension WebServer {
  /// Handles a request to upgrade: returns 0 to accept it, or -1 to close the connection after a
  /// rejection.
  ///
  /// libwebsockets would also upgrade to h2c, whose header decoder is not safe for the internet.
  /// Its copy of the header's value may be gone by now, so the header is read again.
  func confirmUpgrade(_ socket: OpaquePointer) -> Int32 {
    endHandshake(socket)
    guard let upgrade = RequestHead(of: socket)[WSI_TOKEN_UPGRADE] else {
      // libwebsockets has already rejected an unknown protocol.
      metrics.rejected[.upgrade].add()
      return -1
    }
    guard upgrade.lowercased() == "websocket" else {
      metrics.rejected[.upgrade].add()
      refuse(socket, status: 400, "Only upgrades to websocket are supported.")
      return -1
    }
    guard let refusal = refusal(ofUpgrade: socket) ?? excess(ofUpgrade: socket) else { return 0 }
    metrics.rejected[refusal.cause].add()
    application.refused("handshake: \(refusal.cause.rawValue)", to: client(of: socket))
    refuse(socket, status: refusal.status, refusal.reason, fields: refusal.fields)
    return -1
  }

  /// Returns why a WebSocket may not open, or nil.
  func refusal(ofUpgrade socket: OpaquePointer) -> UpgradeRequest.Refusal? {
    UpgradeRequest(
      RequestHead(of: socket),
      isForAdmin: connections.visitors.isAdmin(socket)
    )
    .refusal(by: options)
  }

  /// Returns which limit forbids another WebSocket, or nil.
  private func excess(ofUpgrade socket: OpaquePointer) -> UpgradeRequest.Refusal? {
    let client = client(of: socket)
    guard connections.census.mayBegin(.exchange, of: client) else {
      return .init(.number, 429, "Too many connections are open from this address.")
    }
    guard connections.census.admitsHandshake(client, now: Self.now()) else {
      return .init(
        .rate,
        429,
        "Too many connections were opened from this address; wait a moment."
      )
    }
    return nil
  }

  /// Returns the client of a connection; see ``HTTPRequest/peer``.
  func client(of socket: OpaquePointer) -> String {
    let household = connections.visitors.household(of: socket)
    // The proxy adds the last entry; entries before it may be forged.
    if options.isProxy(household),
      let reported = RequestHead(of: socket)[WSI_TOKEN_X_FORWARDED_FOR]?.split(separator: ",").last,
      let client = PeerAddress(withPort: reported[...].trimmingSpaces)
    {
      return client.household
    }
    return household
  }
}
