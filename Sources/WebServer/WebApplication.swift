/// Names one WebSocket for as long as it is open; never used again afterwards.
public struct ConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// What a server serves.
///
/// Every call comes on the thread that runs the server.
public protocol WebApplication: AnyObject {
  /// Answers a request, or returns nil to leave it to the static files.
  func respond(to request: HTTPRequest) -> HTTPResponse?

  /// A WebSocket opened.
  func opened(_ connection: ConnectionID, now: Double)

  /// A whole binary message came. The bytes are valid during the call.
  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double)

  /// A connection that refused a message takes messages again.
  func becameWritable(_ connection: ConnectionID, now: Double)

  /// A WebSocket closed: called once for each that opened.
  func closed(_ connection: ConnectionID, now: Double)

  /// The time given to `WebServer.schedule(at:)` has come.
  func tick(now: Double)

  /// The server stops; what is sent now still goes out before the connections close.
  func willStop(now: Double)
}
