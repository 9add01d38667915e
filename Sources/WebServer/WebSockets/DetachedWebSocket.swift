internal import Glibc

/// A WebSocket on its way from one server of a group to another, which no thread serves meanwhile.
///
/// It holds everything that the servers know of the connection: its socket, input that was read and
/// not yet handled, the rest of a write, and the limits on its client. If no server attaches it, it
/// is closed. One thread uses it at a time.
public final class DetachedWebSocket: @unchecked Sendable {
  typealias Parts = (entry: WebSocketTable.Entry, outlet: WebSocketTable.Outlet)

  private var parts: Parts?
  private let census: Census

  init(_ parts: Parts, census: Census) { (self.parts, self.census) = (parts, census) }

  deinit {
    guard var parts else { return }
    Glibc.close(parts.outlet.descriptor)
    parts.entry.endCounting(in: census)
  }

  /// Returns the connection once; nil afterwards.
  func take() -> Parts? {
    defer { parts = nil }
    return parts
  }
}

// WebSockets that move between the servers of a group.
extension WebServer {
  /// Gives a WebSocket up, so that another server of the group can ``attach(_:_:)`` it.
  ///
  /// The application may call this while it handles a message of the connection; input behind that
  /// message moves as well. It hears no more of the connection.
  /// - Returns: The connection; nil if it is closing or has ended.
  public func detach(_ connection: ConnectionID) -> DetachedWebSocket? {
    loop.checkThread()
    guard let webSocket = webSockets[connection], !webSockets.isClosing(connection) else {
      return nil
    }
    if let unread, unread.connection == connection { webSocket.input.keep(unread.bytes) }
    watch.watch(connection, webSockets.descriptor(of: connection), from: .input, to: nil)
    return webSockets.detach(connection).map {
      DetachedWebSocket($0, census: connections.census)
    }
  }

  /// Serves a WebSocket that another server of the group has given up.
  /// - Parameters:
  ///   - socket: The connection.
  ///   - begin: Called with the new id of the connection, before the messages that have arrived.
  public func attach(_ socket: DetachedWebSocket, _ begin: (ConnectionID) -> Void) {
    loop.checkThread()
    guard let (entry, outlet) = socket.take() else { return }
    let connection = serve(entry, outlet, now: Self.now())
    begin(connection)
    handleKeptInput(of: connection)
    closeIfStopping(connection)
  }
}
