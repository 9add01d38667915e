/// Identifies a WebSocket while it is open; never reused.
package struct ConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  init(slot: UInt32, generation: UInt32) { (self.slot, self.generation) = (slot, generation) }

  /// Creates the id of a connection from its number.
  package init(rawValue: UInt64) {
    slot = UInt32(truncatingIfNeeded: rawValue)
    generation = UInt32(truncatingIfNeeded: rawValue >> 32)
  }

  /// The connection as one number.
  package var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// Identifies a request until it has ended; never reused.
package struct RequestID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// The decision of an application on a request.
package enum HTTPAnswer: Equatable, Sendable {
  /// Respond with this. The body of the request is not read.
  case now(HTTPResponse)
  /// The response follows in ``WebServer/answer(_:_:)``.
  case later
  /// The application needs the body, up to a limit in bytes, and responds at any later time. A
  /// longer body is rejected with 413 before a byte is read, and a body of unknown length with 411.
  case body(limit: Int)
  /// The application does not respond; a static file may.
  case nothing
}

/// The application that a server serves.
///
/// All methods are called on the thread that runs the server.
package protocol WebApplication: AnyObject {
  /// Decides on a request.
  ///
  /// After `later` and `body`, exactly one event ends the request: the application's response or
  /// `requestGone`. The application may respond before this method returns.
  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer

  /// Receives the next bytes of a body, which are valid during the call.
  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer)

  /// Reports that the whole body has arrived.
  func bodyEnded(_ id: RequestID)

  /// Reports that nobody waits for the response: the client hung up, was rejected or timed out, or
  /// the server stops. A response is ignored.
  func requestGone(_ id: RequestID)

  /// Reports that a WebSocket opened.
  ///
  /// For the peer, see ``HTTPRequest/peer``.
  func opened(_ connection: ConnectionID, from peer: String, now: Double)

  /// Receives a complete binary message, whose bytes are valid during the call.
  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double)

  /// Reports that a connection that refused a message accepts messages again.
  func becameWritable(_ connection: ConnectionID, now: Double)

  /// Reports that a WebSocket closed; called once for each that opened.
  ///
  /// The code is that of the first close frame: 1005 for a close frame without a code, 1006 if the
  /// connection was lost without one.
  func closed(_ connection: ConnectionID, code: UInt16, now: Double)

  /// Reports that the time passed to `WebServer.schedule(at:)` has come.
  func tick(now: Double)

  /// Reports that a client was rejected because of its own behaviour: a limit, or a forbidden
  /// origin.
  ///
  /// The cause is a short phrase from a small set.
  func refused(_ cause: String, to peer: String)

  /// Reports that the server stops; messages and responses that are sent now are still delivered.
  func willStop(now: Double)
}

// Defaults for an application that responds to every request immediately.
extension WebApplication {
  /// Ignores the bytes.
  package func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {}

  /// Ignores the end.
  package func bodyEnded(_ id: RequestID) {}

  /// Does nothing.
  package func requestGone(_ id: RequestID) {}

  /// Does nothing.
  package func refused(_ cause: String, to peer: String) {}
}
