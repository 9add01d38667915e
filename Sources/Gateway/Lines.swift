/// The identity of one connection while it is open; it is never reused.
public struct LineID: Hashable, Sendable {
  /// The number that the connections' server assigned.
  public let rawValue: UInt64

  /// Creates the identity of a connection.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The connections that a gateway writes to.
public protocol Lines {
  /// Sends a whole message, or rejects it because too much data is already waiting on the
  /// connection.
  ///
  /// After a rejection, the caller reports through ``Gateway/writable(_:now:lines:)`` when the
  /// connection accepts messages again. The bytes are valid during the call.
  /// - Returns: Whether the message was accepted.
  func send(_ bytes: UnsafeRawBufferPointer, over line: LineID) -> Bool

  /// Closes a connection with a code and a reason.
  func close(_ line: LineID, code: UInt16, reason: String)
}
