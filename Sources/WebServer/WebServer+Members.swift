internal import CLibwebsockets

// The life of a WebSocket. Its slot in the table, plus one, is all that libwebsockets keeps of it:
// that memory comes zeroed and is freed without Swift knowing.
extension WebServer {
  func memberOpened(_ socket: OpaquePointer, _ user: UnsafeMutableRawPointer?) {
    guard let user else { return }
    lectern_limit_unsent(
      lws_get_socket_fd(socket),
      Int32(clamping: options.limits.unsentBytes)
    )
    let connection = members.insert(socket)
    user.storeBytes(of: connection.slot + 1, as: UInt32.self)
    counts.opened += 1
    application.opened(connection, from: peer(of: socket), now: Self.now())
    if stopper.isStopRequested { close(connection, code: 1001, reason: "the server stops") }
  }

  func messageArrived(
    _ socket: OpaquePointer,
    _ user: UnsafeMutableRawPointer?,
    _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    guard let connection = connection(user), let member = members[connection] else { return -1 }
    guard !member.isClosing else { return 0 }
    guard lws_frame_is_binary(socket) != 0 else {
      return hangUp(connection, socket, code: 1003, reason: "messages are binary")
    }
    let limit = options.limits.receivedMessage
    // When much has come at once, a read ends inside a message, and its parts are told one by one.
    let isRest = lws_is_first_fragment(socket) == 0 && !member.begun.isEmpty
    let isBegun = lws_remaining_packet_payload(socket) > 0
    guard
      isRest || lws_is_first_fragment(socket) != 0, isBegun || lws_is_final_fragment(socket) != 0,
      member.begun.count + bytes.count <= limit
    else {
      return hangUp(
        connection,
        socket,
        code: 1009,
        reason: "a message is one frame of at most \(limit) bytes"
      )
    }
    if isBegun {
      members.keepBegun(connection, bytes)
      return 0
    }
    guard isRest else {
      application.received(connection, bytes, now: Self.now())
      return 0
    }
    members.keepBegun(connection, bytes)
    members.takeBegun(connection).withUnsafeBytes { whole in
      application.received(connection, whole, now: Self.now())
    }
    return 0
  }

  /// The other side says goodbye, and why, in the first two bytes.
  func memberSaidGoodbye(_ user: UnsafeMutableRawPointer?, _ bytes: UnsafeRawBufferPointer) {
    guard let connection = connection(user), members[connection]?.isClosing == false else { return }
    members.noteGoodbye(
      connection,
      code: bytes.count < 2 ? 1005 : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    )
  }

  func memberBecameWritable(_ socket: OpaquePointer, _ user: UnsafeMutableRawPointer?) -> Int32 {
    guard let connection = connection(user), let member = members[connection] else { return -1 }
    if member.isChoked, lws_partial_buffered(socket) == 0 {
      members.setChoked(connection, false)
      lws_rx_flow_control(socket, 1)
    }
    if member.isClosing {
      // Said again, it would cut the connection before the other side has answered the first.
      if member.hasSaidGoodbye { return 0 }
      return hangUp(connection, socket, code: member.closeCode, reason: member.closeReason)
    }
    if members.takeAwaitsWritable(connection) {
      application.becameWritable(connection, now: Self.now())
    }
    return 0
  }

  func memberClosed(_ user: UnsafeMutableRawPointer?) {
    guard let connection = connection(user) else { return }
    user?.storeBytes(of: 0, as: UInt32.self)
    counts.closed[members[connection]?.closeCode ?? 1006, default: 0] += 1
    members.remove(connection)
    application.closed(connection, now: Self.now())
    finishIfIdle()
  }

  /// Says goodbye.
  ///
  /// The result, returned to libwebsockets, makes it send the close frame.
  private func hangUp(
    _ connection: ConnectionID,
    _ socket: OpaquePointer,
    code: UInt16,
    reason: String
  ) -> Int32 {
    members.beginClosing(connection, code: code, reason: reason)
    members.sayGoodbye(connection)
    var text = Array(reason.utf8.prefix(123))
    lws_close_reason(socket, lws_close_status(UInt32(code)), &text, text.count)
    return -1
  }

  private func connection(_ user: UnsafeMutableRawPointer?) -> ConnectionID? {
    guard let slot = user?.load(as: UInt32.self), slot > 0 else { return nil }
    return members.connection(inSlot: slot - 1)
  }
}
