internal import CLibwebsockets
internal import Glibc

/// The sockets through which libwebsockets reads the head of a request.
///
/// libwebsockets reads as much as it can and returns nothing, but the input after a head is read by
/// the server. It therefore reads from one end of a pair of sockets that contains a head only, see
/// ``RequestHead/canonical``, and finds the real connection under the same
/// descriptor before it responds.
struct HeadSockets {
  /// The real connection.
  let connection: Int32
  /// The end of the pair from which libwebsockets reads.
  let near: Int32
  /// The end of the pair to which the head was written.
  private let far: Int32

  /// Writes a head to a pair of sockets.
  ///
  /// Returns nil if that fails; the connection then stays open.
  init?(connection: Int32, head: [UInt8]) {
    var pair: (near: Int32, far: Int32) = (-1, -1)
    guard lectern_socket_pair(&pair.near, &pair.far) == 0 else { return nil }
    guard Glibc.send(pair.far, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else {
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

/// A socket whose other end is closed.
///
/// It takes the place of each connection that the server takes
/// back from libwebsockets, which then finds that its connection has ended.
final class EndedSocket {
  private let descriptor: Int32

  /// Creates the socket; nil if the process has no descriptors left.
  init?() {
    var far: Int32 = -1
    var near: Int32 = -1
    guard lectern_socket_pair(&near, &far) == 0 else { return nil }
    Glibc.close(far)
    descriptor = near
  }

  deinit { Glibc.close(descriptor) }

  /// Takes a connection from libwebsockets and returns its new descriptor.
  ///
  /// Returns nil if the process has no descriptors left, in which case libwebsockets keeps the
  /// connection.
  func replace(_ socket: OpaquePointer) -> Int32? {
    let own = lws_get_socket_fd(socket)
    let taken = lectern_duplicate(own)
    guard taken >= 0 else { return nil }
    dup2(descriptor, own)
    return taken
  }
}
