/// One connection, for as long as it is open; never used again.
public struct LineID: Hashable, Sendable {
  /// The number that the server of the connections gave.
  public let rawValue: UInt64

  /// Names a connection.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The connections that a gateway writes to.
public protocol Lines {
  /// Takes a whole message, or refuses it because too much is waiting on the connection already.
  ///
  /// After a refusal the gateway is told by ``Gateway/writable(_:now:lines:)`` when the connection
  /// takes messages again. The bytes are valid during the call.
  /// - Returns: Whether the message was taken.
  func send(_ bytes: UnsafeRawBufferPointer, over line: LineID) -> Bool

  /// Closes a connection with a code and a reason.
  func close(_ line: LineID, code: UInt16, reason: String)
}
