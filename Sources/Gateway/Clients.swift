/// The identity of one connection while it is open; it is never reused.
package struct ClientID: Hashable, Sendable {
  /// The number that the connections' server assigned.
  package let rawValue: UInt64

  /// Creates the identity of a connection.
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The connections that a gateway writes to.
package protocol Clients {
  /// Sends a whole message, or rejects it because too much data is already waiting on the
  /// connection.
  ///
  /// After a rejection, the caller reports through ``Gateway/writable(_:now:clients:)`` when the
  /// connection accepts messages again. The bytes are valid during the call.
  /// - Returns: Whether the message was accepted.
  func send(_ bytes: UnsafeRawBufferPointer, to client: ClientID) -> Bool

  /// Sends the same whole messages to several connections; each accepts all of them or none.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the messages, valid during the call.
  ///   - messages: The ranges of the messages, in order.
  ///   - clients: The connections, each at most once.
  ///   - refused: Receives the indices of the connections that rejected the messages, as in
  ///     ``send(_:to:)``.
  func send(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: [Range<Int>],
    to clients: [ClientID],
    refused: inout [Int]
  )

  /// Closes a connection with a code and a reason.
  func close(_ client: ClientID, code: UInt16, reason: String)
}

extension Clients {
  /// Sends the messages to one connection after the other; a connection that rejects a message gets
  /// none of the later ones.
  package func send(
    _ bytes: UnsafeRawBufferPointer,
    _ messages: [Range<Int>],
    to clients: [ClientID],
    refused: inout [Int]
  ) {
    for (index, client) in clients.enumerated() {
      // A closure here would be allocated for each connection.
      for message in messages
      where !send(UnsafeRawBufferPointer(rebasing: bytes[message]), to: client) {
        refused.append(index)
        break
      }
    }
  }
}
