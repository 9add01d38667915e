internal import CLibwebsockets
internal import Telemetry

// Validation of requests to become a WebSocket, before libwebsockets sees them.
extension WebServer {
  /// Returns why a WebSocket may not open, or nil.
  func refusal(ofUpgrade head: RequestHead, isForAdmin: Bool) -> UpgradeRequest.Refusal? {
    UpgradeRequest(head, isForAdmin: isForAdmin).refusal(by: options)
  }

  /// Returns which limit forbids another WebSocket of a client, or nil.
  func excess(of client: String) -> UpgradeRequest.Refusal? {
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

  /// Lets libwebsockets respond to a handshake.
  ///
  /// Returns -1 if it chose another protocol than that of the server.
  func confirmHandshake(_ socket: OpaquePointer) -> Int32 {
    let chosen = lws_get_protocol(socket)?.pointee.name.map { String(cString: $0) }
    guard chosen == Self.subprotocol else { return -1 }
    connections.visitors.finishReading(socket)
    return 0
  }

  /// Returns the client of a request; see ``HTTPRequest/peer``.
  func client(of head: RequestHead, household: String) -> String {
    // The proxy adds the last entry; entries before it may be forged.
    if options.isProxy(household),
      let reported = head["x-forwarded-for"]?[...].parts(at: ",").last,
      let client = PeerAddress(withPort: reported.trimmingSpaces)
    {
      return client.household
    }
    return household
  }
}
