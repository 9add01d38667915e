internal import CLibwebsockets

// Receives every event of libwebsockets. A function at file scope belongs to no actor; a closure
// that is created on the main actor would trap when it is called on the service thread.
nonisolated func serviceCallback(
  _ socket: OpaquePointer?,
  _ reason: lws_callback_reasons,
  _ user: UnsafeMutableRawPointer?,
  _ data: UnsafeMutableRawPointer?,
  _ count: Int
) -> Int32 {
  guard let socket, let server = server(of: socket) else { return 0 }
  switch reason {
  case LWS_CALLBACK_RECEIVE:
    // Messages are read elsewhere, with details that libwebsockets does not report; see
    // FrameReader.
    return -1
  case LWS_CALLBACK_RAW_RX_FILE:
    server.descriptorBecameReadable(lws_get_socket_fd(socket))
  case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
    // Called once for each protocol; the second time there is nothing left to do.
    server.wasWoken()
  case LWS_CALLBACK_ESTABLISHED:
    server.webSocketOpened(socket)
  case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
    // All was decided from the head; libwebsockets responds with the one protocol that it read.
    server.connections.visitors.finishReading(socket)
  case LWS_CALLBACK_HTTP:
    return server.requestArrived(
      socket,
      path: UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
    )
  case LWS_CALLBACK_TIMER:
    return server.exchangeTimedOut(socket)
  case LWS_CALLBACK_WSI_DESTROY:
    server.socketDestroyed(socket)
  case LWS_CALLBACK_HTTP_BODY, LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED,
    LWS_CALLBACK_RAW_RX:
    // Bodies are read elsewhere, and heads are never such that libwebsockets reads raw data.
    return -1
  default:
    break
  }
  return 0
}

private nonisolated func server(of socket: OpaquePointer) -> WebServer? {
  guard let context = lws_get_context(socket), let user = lws_context_user(context) else {
    return nil
  }
  return Unmanaged<WebServer>.fromOpaque(user).takeUnretainedValue()
}
