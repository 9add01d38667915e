internal import CLibwebsockets
internal import Glibc

/// The sockets of a WebSocket whose head libwebsockets reads.
///
/// libwebsockets reads as much as it can and returns nothing, but the input after the head is read
/// by the server; see ``FrameReader``. libwebsockets therefore reads from one end of a pair of
/// sockets that contains the head only, and finds the real connection under the same descriptor
/// before it responds.
struct HandshakeSockets {
  /// The real connection.
  private let connection: Int32
  /// The end of the pair from which libwebsockets reads.
  let near: Int32
  /// The end of the pair to which the head was written.
  private let far: Int32

  /// Moves a head, which has arrived at a connection, to a pair of sockets.
  ///
  /// Returns nil if that fails; the connection then stays open.
  init?(connection: Int32, headBytes count: Int, buffer: WriteBuffer) {
    let taken = recv(connection, buffer.payload, count, Int32(MSG_DONTWAIT))
    var pair: (near: Int32, far: Int32) = (-1, -1)
    guard taken == count, lectern_socket_pair(&pair.near, &pair.far) == 0 else { return nil }
    guard Glibc.send(pair.far, buffer.payload, count, Int32(MSG_NOSIGNAL)) == count else {
      Glibc.close(pair.near)
      Glibc.close(pair.far)
      return nil
    }
    self.connection = connection
    (near, far) = pair
  }

  /// Puts the real connection in place of the near end, and closes the rest.
  func finish(_ descriptor: Int32) {
    dup2(connection, descriptor)
    closeRest()
  }

  /// Closes everything except the near end, which libwebsockets owns.
  func closeRest() {
    Glibc.close(connection)
    Glibc.close(far)
  }
}
