internal import CLibwebsockets
internal import Glibc

/// The loop of one connection, on the connection's thread.
///
/// Other threads use only its mailbox.
final class ConnectionLoop {
  private let target: ClientConnection.Target
  private let mailbox: ConnectionMailbox
  private var context: OpaquePointer?
  private var socket: OpaquePointer?
  private var outgoing: [[UInt8]] = []
  private var incoming: [UInt8] = []
  private var closeReason: (code: UInt16, text: String) = (1006, "")
  private var isOpen = false
  private var isClosing = false
  private var isOver = false

  init(target: ClientConnection.Target, mailbox: ConnectionMailbox) {
    (self.target, self.mailbox) = (target, mailbox)
  }

  func run() {
    lws_set_log_level(0, nil)
    let name = strdup(target.subprotocol)
    let protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    defer {
      protocols.deallocate()
      free(name)
    }
    protocols[0].name = UnsafePointer(name)
    protocols[0].callback = connectionCallback
    protocols[0].rx_buffer_size = 65_536
    protocols[0].tx_packet_size = 65_536
    var info = lws_context_creation_info()
    info.port = Int32(CONTEXT_PORT_NO_LISTEN)
    info.protocols = UnsafePointer(protocols)
    info.user = Unmanaged.passUnretained(self).toOpaque()
    info.gid = -1
    info.uid = -1
    info.pt_serv_buf_size = 65_536
    // Otherwise libwebsockets puts "http://" before every origin.
    info.options = UInt64(LWS_SERVER_OPTION_JUST_USE_RAW_ORIGIN)
    // The default reserves memory for as many connections as the process may open files.
    info.fd_limit_per_thread = 16
    context = lws_create_context(&info)
    guard context != nil else {
      return end(with: .failed("libwebsockets could not create a context"))
    }
    mailbox.attach(context)
    connect(subprotocol: name)
    drainOutgoing()
    while !isOver, lws_service(context, 0) >= 0 {}
    mailbox.attach(nil)
    lws_context_destroy(context)
    end(with: .closed(code: 1006, reason: ""))
  }

  private func connect(subprotocol: UnsafePointer<CChar>?) {
    let hostField =
      target.host.contains(":")
      ? "[\(target.host)]:\(target.port)" : "\(target.host):\(target.port)"
    // The strings are kept until the call has copied them.
    let strings = [target.host, target.path, hostField, target.origin].map { $0.map { strdup($0) } }
    defer { strings.forEach { free($0 ?? nil) } }
    var info = lws_client_connect_info()
    info.context = context
    info.address = UnsafePointer(strings[0] ?? nil)
    info.port = Int32(clamping: target.port)
    info.path = UnsafePointer(strings[1] ?? nil)
    info.host = UnsafePointer(strings[2] ?? nil)
    info.origin = UnsafePointer(strings[3] ?? nil)
    info.`protocol` = target.subprotocol.isEmpty ? nil : subprotocol
    info.local_protocol_name = subprotocol
    info.ietf_version_or_minus_one = -1
    if lws_client_connect_via_info(&info) == nil { end(with: .failed("no connection")) }
  }

  private func drainOutgoing() {
    let work = mailbox.drainOutgoing()
    outgoing += work.messages
    isClosing = isClosing || work.thenClose
    if isOpen {
      if !outgoing.isEmpty || isClosing { lws_callback_on_writable(socket) }
    } else if isClosing {
      end(with: .closed(code: 1006, reason: ""))
    }
  }

  private func end(with event: ClientConnection.Event) {
    guard !isOver else { return }
    isOver = true
    mailbox.report(event)
  }

  // Events of the callback.

  func woke() {
    if !isOver { drainOutgoing() }
  }

  func opened(_ socket: OpaquePointer) {
    self.socket = socket
    isOpen = true
    var one: Int32 = 1
    setsockopt(
      lws_get_socket_fd(socket),
      Int32(IPPROTO_TCP),
      TCP_NODELAY,
      &one,
      socklen_t(MemoryLayout<Int32>.size)
    )
    mailbox.report(.opened)
    drainOutgoing()
  }

  func failed(_ reason: String) { end(with: .failed(reason)) }

  func received(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
    incoming += bytes
    guard isLast else { return }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    mailbox.report(.message(incoming, receivedAt: now))
    incoming.removeAll(keepingCapacity: true)
  }

  func becameWritable() -> Int32 {
    if outgoing.isEmpty {
      guard isClosing else { return 0 }
      closeReason = (1000, "")
      lws_close_reason(socket, LWS_CLOSE_STATUS_NORMAL, nil, 0)
      return -1
    }
    let message = outgoing.removeFirst()
    var framed = [UInt8](repeating: 0, count: lectern_write_margin) + message
    let written = framed.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map {
        lws_write(socket, $0 + lectern_write_margin, message.count, LWS_WRITE_BINARY)
      }
    }
    guard let written, written >= Int32(message.count) else { return -1 }
    if !outgoing.isEmpty || isClosing { lws_callback_on_writable(socket) }
    return 0
  }

  func peerSaidGoodbye(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 2 else {
      closeReason = (1005, "")
      return
    }
    let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    closeReason = (UInt16(bytes[0]) << 8 | UInt16(bytes[1]), text)
  }

  func closed() { end(with: .closed(code: closeReason.code, reason: closeReason.text)) }
}

// At file scope, so that it belongs to no actor.
private nonisolated func connectionCallback(
  _ socket: OpaquePointer?,
  _ reason: lws_callback_reasons,
  _ user: UnsafeMutableRawPointer?,
  _ data: UnsafeMutableRawPointer?,
  _ count: Int
) -> Int32 {
  guard
    let socket, let context = lws_get_context(socket), let pointer = lws_context_user(context)
  else { return 0 }
  let loop = Unmanaged<ConnectionLoop>.fromOpaque(pointer).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
  switch reason {
  case LWS_CALLBACK_CLIENT_ESTABLISHED: loop.opened(socket)
  case LWS_CALLBACK_CLIENT_RECEIVE: loop.received(bytes, isLast: lws_is_final_fragment(socket) != 0)
  case LWS_CALLBACK_CLIENT_WRITEABLE: return loop.becameWritable()
  case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: loop.peerSaidGoodbye(bytes)
  case LWS_CALLBACK_CLIENT_CLOSED: loop.closed()
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    let text = String(decoding: bytes, as: UTF8.self)
    loop.failed(text.isEmpty ? "the connection was rejected" : text)
  case LWS_CALLBACK_EVENT_WAIT_CANCELLED: loop.woke()
  default: break
  }
  return 0
}
