/// Names one WebSocket for as long as it is open; never used again afterwards.
public struct ConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32

  init(slot: UInt32, generation: UInt32) { (self.slot, self.generation) = (slot, generation) }

  /// The connection of a number.
  public init(rawValue: UInt64) {
    slot = UInt32(truncatingIfNeeded: rawValue)
    generation = UInt32(truncatingIfNeeded: rawValue >> 32)
  }

  /// The connection as one number.
  public var rawValue: UInt64 { UInt64(generation) << 32 | UInt64(slot) }
}

/// Names one request until it is answered or gone; never used again afterwards.
public struct RequestID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// What becomes of a request.
public enum HTTPAnswer: Equatable, Sendable {
  /// This is the answer. A body that came with the request is not read.
  case now(HTTPResponse)
  /// The answer comes later, by ``WebServer/answer(_:_:)``.
  case later
  /// The body of the request is wanted, of at most so many bytes; the answer comes at any time
  /// later. More is refused with 413 before a byte is read, a length that was not said with 411.
  case body(limit: Int)
  /// The static files may answer.
  case nothing
}

/// What a server serves.
///
/// Every call comes on the thread that runs the server.
public protocol WebApplication: AnyObject {
  /// Decides on a request.
  ///
  /// After `later` and `body`, exactly one thing ends the request: the application's answer, or
  /// `requestGone`. The answer may be given before this returns.
  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer

  /// The next bytes of a wanted body came. They are valid during the call.
  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer)

  /// All the announced bytes of a wanted body have come.
  func bodyEnded(_ id: RequestID)

  /// Nobody waits for the answer any more: the client hung up, was refused, waited too long or the
  /// server stops. Answers to it are ignored.
  func requestGone(_ id: RequestID)

  /// A WebSocket opened.
  ///
  /// The peer is as ``HTTPRequest/peer``.
  func opened(_ connection: ConnectionID, from peer: String, now: Double)

  /// A whole binary message came. The bytes are valid during the call.
  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double)

  /// A connection that refused a message takes messages again.
  func becameWritable(_ connection: ConnectionID, now: Double)

  /// A WebSocket closed: called once for each that opened.
  ///
  /// The code is that of whichever side said goodbye first, 1005 for a goodbye without one, 1006 if
  /// the line was lost without a word.
  func closed(_ connection: ConnectionID, code: UInt16, now: Double)

  /// The time given to `WebServer.schedule(at:)` has come.
  func tick(now: Double)

  /// A client was refused something for its own doing: too much of it, or from where it may not.
  ///
  /// The cause is a few words, one of not many.
  func refused(_ cause: String, to peer: String)

  /// The server stops; what is sent and answered now still goes out before the connections close.
  func willStop(now: Double)
}

// An application that answers every request at once needs none of these.
extension WebApplication {
  /// Takes no bodies.
  public func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {}

  /// Takes no bodies.
  public func bodyEnded(_ id: RequestID) {}

  /// Has nothing to forget.
  public func requestGone(_ id: RequestID) {}

  /// Has nobody to tell.
  public func refused(_ cause: String, to peer: String) {}
}
