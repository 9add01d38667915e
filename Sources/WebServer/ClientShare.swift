/// A resource that is limited for each client.
enum ClientUse: UInt8 {
  /// A request in progress or an open WebSocket.
  case exchange = 1
  /// A request that waits for the application.
  case waiting = 2
  /// A response that does not fit into a packet or two.
  case longResponse = 4
}

/// The uses that one request or WebSocket counts against its client's limits.
struct ClientShare {
  /// The client; see ``HTTPRequest/peer``.
  let client: String
  /// One bit for each counted use.
  private var uses: UInt8 = 0

  init(client: String) { self.client = client }

  /// Records a counted use.
  mutating func add(_ use: ClientUse) { uses |= use.rawValue }

  /// Forgets a use and returns whether it was counted.
  mutating func remove(_ use: ClientUse) -> Bool {
    defer { uses &= ~use.rawValue }
    return uses & use.rawValue != 0
  }
}
