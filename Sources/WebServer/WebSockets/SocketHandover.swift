internal import CLibwebsockets
internal import Glibc

/// The handover of a connection from libwebsockets to the server, after the handshake of a
/// WebSocket.
///
/// libwebsockets keeps a socket of a pair in place of the connection, and closes it when the other
/// one is closed.
struct SocketHandover {
  /// What libwebsockets knows the connection by.
  let socket: OpaquePointer
  /// The connection.
  let descriptor: Int32
  private let far: Int32

  /// Takes the connection; nil if the process has no descriptors left, in which case libwebsockets
  /// keeps it.
  init?(of socket: OpaquePointer) {
    let own = lws_get_socket_fd(socket)
    var near: Int32 = -1
    var far: Int32 = -1
    guard lectern_socket_pair(&near, &far) == 0 else { return nil }
    let taken = lectern_duplicate(own)
    guard taken >= 0 else {
      Glibc.close(near)
      Glibc.close(far)
      return nil
    }
    dup2(near, own)
    Glibc.close(near)
    (self.socket, descriptor, self.far) = (socket, taken, far)
  }

  /// Lets libwebsockets find that its connection has ended.
  func finish() { Glibc.close(far) }
}
