internal import CLibwebsockets
internal import Telemetry

// Validation of requests to become a WebSocket.
extension WebServer {
  /// Handles a request to upgrade: returns 0 to accept it, or -1 to close the connection after a
  /// rejection.
  ///
  /// libwebsockets would also upgrade to h2c, whose header decoder is not safe for the internet.
  /// Its copy of the header's value may be gone by now, so the header is read again.
  func confirmUpgrade(_ socket: OpaquePointer) -> Int32 {
    bringIn(socket)
    guard let upgrade = header(socket, WSI_TOKEN_UPGRADE) else {
      // libwebsockets has already rejected an unknown protocol.
      metrics.rejected[.upgrade].add()
      return -1
    }
    guard upgrade.lowercased() == "websocket" else {
      metrics.rejected[.upgrade].add()
      refuse(socket, status: 400, "Only upgrades to websocket are supported.")
      return -1
    }
    guard let refusal = refusal(ofUpgrade: socket) ?? excess(ofUpgrade: socket) else { return 0 }
    metrics.rejected[refusal.cause].add()
    application.refused("handshake: \(refusal.cause.rawValue)", to: peer(of: socket))
    let fields: [HTTPField] =
      switch refusal.cause {
      case .version: [HTTPField("sec-websocket-version", "13"), HTTPField("upgrade", "websocket")]
      case .rate, .number: [HTTPField("retry-after", "5")]
      default: []
      }
    refuse(socket, status: refusal.status, refusal.reason, fields: fields)
    return -1
  }

  /// Returns which limit forbids another WebSocket, or nil.
  private func excess(
    ofUpgrade socket: OpaquePointer
  ) -> (cause: ServerMetrics.Rejection, status: Int, reason: String)? {
    let client = peer(of: socket)
    guard visitors.mayUse(client) else {
      return (.number, 429, "Too many connections are open from this address.")
    }
    guard visitors.admitsHandshake(client, now: Self.now()) else {
      return (.rate, 429, "Too many connections were opened from this address; wait a moment.")
    }
    return nil
  }

  /// Returns why a WebSocket may not open, or nil.
  func refusal(
    ofUpgrade socket: OpaquePointer
  ) -> (cause: ServerMetrics.Rejection, status: Int, reason: String)? {
    guard header(socket, WSI_TOKEN_GET_URI) == Self.webSocketPath, !visitors.isAdmin(socket) else {
      return (.path, 404, "The path of WebSockets is \(Self.webSocketPath).")
    }
    guard header(socket, WSI_TOKEN_VERSION) == "13" else {
      return (.version, 426, "The version of WebSocket must be 13.")
    }
    guard Self.isFit(key: header(socket, WSI_TOKEN_KEY) ?? "") else {
      return (.key, 400, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    let offered = (header(socket, WSI_TOKEN_PROTOCOL) ?? "").split(separator: ",")
    guard offered.contains(where: { $0.trimmingSpaces == Self.subprotocol }) else {
      return (.proto, 400, "The subprotocol must be \(Self.subprotocol).")
    }
    let host = header(socket, WSI_TOKEN_HOST) ?? ""
    guard options.answers(host: host) else { return (.host, 421, Self.unservedHost) }
    if let origin = header(socket, WSI_TOKEN_ORIGIN), !options.admits(origin: origin, host: host) {
      return (.origin, 403, "Pages of this origin may not connect.")
    }
    return nil
  }

  /// Whether a key is 16 bytes in base64 (RFC 6455, section 4.2.1).
  private static func isFit(key: String) -> Bool {
    let bytes = Array(key.utf8)
    return bytes.count == 24 && bytes.suffix(2).elementsEqual("==".utf8)
      && bytes.prefix(22).allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber)
          || byte == UInt8(ascii: "+")
          || byte == UInt8(ascii: "/")
      }
  }

  /// The response to a request for an unknown host.
  static let unservedHost = "This server does not accept this host name; start it with --host NAME."

  /// Returns the client of a connection; see ``HTTPRequest/peer``.
  func peer(of socket: OpaquePointer) -> String {
    let household = visitors.household(of: socket)
    // The proxy adds the last entry; entries before it may be forged.
    if options.isProxy(household),
      let told = header(socket, WSI_TOKEN_X_FORWARDED_FOR)?.split(separator: ",").last,
      let client = PeerAddress(withPort: told[...].trimmingSpaces)
    {
      return client.household
    }
    return household
  }

  /// Returns a header for which libwebsockets has no constant, or nil.
  func customHeader(_ socket: OpaquePointer, _ name: String) -> String? {
    let name = name + ":"
    let length = Int(lws_hdr_custom_length(socket, name, Int32(name.utf8.count)))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      let copied = lws_hdr_custom_copy(
        socket,
        buffer.baseAddress,
        Int32(buffer.count),
        name,
        Int32(name.utf8.count)
      )
      guard copied > 0 else { return nil }
      let text = String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
      return String(text[...].trimmingSpaces)
    }
  }

  /// Returns a header, or nil.
  func header(_ socket: OpaquePointer, _ token: lws_token_indexes) -> String? {
    let length = Int(lws_hdr_total_length(socket, token))
    guard length > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      let copied = lws_hdr_copy(socket, buffer.baseAddress, Int32(buffer.count), token)
      guard copied > 0 else { return nil }
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
    }
  }
}

extension WebServer {
  /// Returns the parts of the query between ampersands, in order.
  ///
  /// libwebsockets splits and unescapes them. If they were joined again, an ampersand in a value
  /// could not be distinguished from a separator.
  func query(_ socket: OpaquePointer) -> [String] {
    var parts: [String] = []
    while true {
      let (token, index) = (WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count))
      let length = Int(lws_hdr_fragment_length(socket, token, index))
      guard length > 0 else { return parts }
      let part = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
        let copied = lws_hdr_copy_fragment(
          socket,
          buffer.baseAddress,
          Int32(buffer.count),
          token,
          index
        )
        return copied < 0
          ? nil
          : String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(copied)), as: UTF8.self)
      }
      guard let part else { return parts }
      parts.append(part)
    }
  }
}

extension Substring {
  var trimmingSpaces: Substring {
    var text = drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return text
  }
}
