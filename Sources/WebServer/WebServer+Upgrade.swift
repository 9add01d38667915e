internal import CLibwebsockets

// Which requests may become a WebSocket.
extension WebServer {
  /// Answers a request to upgrade: 0 lets it pass, -1 hangs up after any refusal was written.
  ///
  /// libwebsockets would also upgrade to h2c, whose header decoder is not fit for the open net. Its
  /// own copy of the header's value may be gone by now, so the header is read afresh.
  func confirmUpgrade(_ socket: OpaquePointer) -> Int32 {
    guard let upgrade = header(socket, WSI_TOKEN_UPGRADE) else {
      // libwebsockets has already refused a word it does not know.
      return -1
    }
    guard upgrade.lowercased() == "websocket" else {
      refuse(socket, status: 400, "Only an upgrade to websocket is answered.")
      return -1
    }
    guard let refusal = refusal(ofUpgrade: socket) else { return 0 }
    refuse(socket, status: refusal.status, refusal.reason)
    return -1
  }

  /// Why a WebSocket may not open, or nil when it may.
  func refusal(ofUpgrade socket: OpaquePointer) -> (status: Int, reason: String)? {
    guard header(socket, WSI_TOKEN_GET_URI) == Self.webSocketPath else {
      return (404, "WebSockets open at \(Self.webSocketPath).")
    }
    let offered = (header(socket, WSI_TOKEN_PROTOCOL) ?? "").split(separator: ",")
    guard offered.contains(where: { $0.trimmingSpaces == Self.subprotocol }) else {
      return (400, "The subprotocol has to be \(Self.subprotocol).")
    }
    let host = header(socket, WSI_TOKEN_HOST) ?? ""
    guard answers(host: host) else { return (421, "This host is not served here.") }
    if let origin = header(socket, WSI_TOKEN_ORIGIN), !admits(origin: origin, host: host) {
      return (403, "Pages of this origin may not connect.")
    }
    return nil
  }

  func answers(host: String) -> Bool {
    options.hosts?.contains(host) ?? true
  }

  func admits(origin: String, host: String) -> Bool {
    switch options.origins {
    case .sameHost: !host.isEmpty && (origin == "http://\(host)" || origin == "https://\(host)")
    case .listed(let origins): origins.contains(origin)
    }
  }

  /// The value of a header that libwebsockets has no name for, or nil when the request has none.
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

  /// The value of a header, or nil when the request has none.
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
  /// The parts of the query, in order, between its ampersands.
  ///
  /// libwebsockets takes them apart and undoes their escapes; put together again, an ampersand in a
  /// value could not be told from one between two.
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
