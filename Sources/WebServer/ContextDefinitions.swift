internal import CLibwebsockets
internal import Glibc

/// Values to which libwebsockets keeps pointers while its context exists.
final class ContextDefinitions {
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let idlePolicy: UnsafeMutablePointer<lws_retry_bo_t>
  private let httpName = strdup("lectern-http")
  private let webSocketName = strdup(WebServer.subprotocol)
  private let limits: ServerOptions.Limits

  init(limits: ServerOptions.Limits, writeCapacity: Int) {
    self.limits = limits
    // The third entry is the terminator.
    protocols = .allocate(capacity: 3)
    protocols.initialize(repeating: lws_protocols(), count: 3)
    protocols[0].name = UnsafePointer(httpName)
    protocols[0].callback = serviceCallback
    protocols[0].tx_packet_size = writeCapacity
    protocols[1].name = UnsafePointer(webSocketName)
    protocols[1].callback = serviceCallback
    // Nothing is read into this buffer; see FrameReader.
    protocols[1].rx_buffer_size = 128
    // Otherwise libwebsockets splits the response to the handshake at rx_buffer_size.
    protocols[1].tx_packet_size = writeCapacity
    // Without times, libwebsockets does not ping; the server does, see SilenceWheel.
    idlePolicy = .allocate(capacity: 1)
    idlePolicy.initialize(to: lws_retry_bo_t())
  }

  deinit {
    protocols.deallocate()
    idlePolicy.deallocate()
    free(httpName)
    free(webSocketName)
  }

  func makeContext(user: UnsafeMutableRawPointer?) -> OpaquePointer? {
    var info = lws_context_creation_info()
    info.port = Int32(CONTEXT_PORT_NO_LISTEN_SERVER)
    info.protocols = UnsafePointer(protocols)
    info.user = user
    info.gid = -1
    info.uid = -1
    info.pt_serv_buf_size = 131_072
    info.timeout_secs = UInt32(clamping: limits.requests.arrivalSeconds)
    info.timeout_secs_ah_idle = UInt32(clamping: limits.requests.arrivalSeconds)
    info.keepalive_timeout = Int32(clamping: limits.connections.keepAliveSeconds)
    info.max_http_header_data2 = UInt32(clamping: limits.requests.headerBytes)
    info.max_http_header_pool2 = UInt32(clamping: limits.requests.concurrentHeaders)
    info.retry_and_idle_policy = UnsafePointer(idlePolicy)
    return lws_create_context(&info)
  }

  func withProtocolName<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    body(UnsafePointer(httpName))
  }
}
