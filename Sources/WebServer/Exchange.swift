internal import CLibwebsockets

/// A request and its response, from the head to the last byte.
///
/// A connection has at most one exchange at a time. While it is in progress, the server reads
/// nothing except its body, because libwebsockets would replace the request with the next one.
final class Exchange {
  enum Phase {
    /// The application is handling the request.
    case asked
    /// The server receives the requested body.
    case receiving
    /// The server waits for the application's response.
    case waiting
    /// The server sends the response.
    case sending
    /// The response is sent, and the rest of the request is read and discarded. If the server
    /// closed the connection earlier, the kernel could reset it before the client has read the
    /// response.
    case lingering
  }

  let id: RequestID
  let socket: OpaquePointer
  /// The host of the request; may be empty.
  let host: String
  /// The uses that the exchange counts against its client's limits.
  var share: ClientShare
  var phase = Phase.asked
  /// The conditions on which the form of the response depends.
  var conditions = ResponseConditions()
  /// The progress of the request's body.
  var body = RequestBody()
  /// The response, if the application gave it while handling the request.
  var response: HTTPResponse?
  var transfer: Transfer?
  /// Whether the connection ends with this response.
  var isLast = false
  /// Whether the response has a deadline.
  var isTimed = false
  /// The event for which the server watches the socket.
  var watched: SocketWatch.Purpose?

  init(id: RequestID, socket: OpaquePointer, client: String, host: String) {
    (self.id, self.socket, self.host) = (id, socket, host)
    share = ClientShare(client: client)
  }

  /// Whether the application can still respond.
  var isOpen: Bool {
    switch phase {
    case .asked: response == nil
    case .receiving, .waiting: true
    case .sending, .lingering: false
    }
  }
}
