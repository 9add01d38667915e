internal import Telemetry

/// Why a WebSocket may not open, and the response to the request.
struct UpgradeRefusal: Equatable {
  let cause: ServerMetrics.Rejection
  let status: Int
  let reason: String

  init(_ cause: ServerMetrics.Rejection, _ status: Int, _ reason: String) {
    (self.cause, self.status, self.reason) = (cause, status, reason)
  }

  /// The additional fields of the response.
  var fields: [HTTPField] {
    switch cause {
    case .version: [HTTPField("sec-websocket-version", "13"), HTTPField("upgrade", "websocket")]
    case .rate, .number: [HTTPField("retry-after", "5")]
    case .path, .proto, .host, .origin, .upgrade, .key: []
    }
  }
}

extension RequestHead {
  /// Whether the request is to become a WebSocket, or something else than HTTP.
  var asksForUpgrade: Bool { self["upgrade"] != nil }

  /// Returns why a request may not become a WebSocket (RFC 6455, section 4.2.1), or nil.
  ///
  /// - Parameters:
  ///   - options: The options of the server.
  ///   - pageHost: The host as pages know it.
  ///   - isForAdmin: Whether the request arrived at the admin endpoint.
  /// - Returns: The reason, or nil.
  func upgradeRefusal(
    by options: ServerOptions,
    pageHost: String,
    isForAdmin: Bool
  ) -> UpgradeRefusal? {
    guard self["upgrade"]?.lowercased() == "websocket" else {
      return .init(.upgrade, 400, "Only upgrades to websocket are supported.")
    }
    guard options.basePath.local(path) == WebServer.webSocketPath, !isForAdmin else {
      return .init(.path, 404, "The path of WebSockets is \(WebServer.webSocketPath).")
    }
    guard isCurrent, method == "GET", framing == .none, lists("upgrade", in: "connection") else {
      return .init(
        .upgrade,
        400,
        "A handshake is a GET of HTTP/1.1 with \"Connection: Upgrade\" and without a body."
      )
    }
    guard self["sec-websocket-version"] == "13" else {
      return .init(.version, 426, "The version of WebSocket must be 13.")
    }
    guard Self.isFit(key: self["sec-websocket-key"] ?? "") else {
      return .init(.key, 400, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    let offered = (self["sec-websocket-protocol"] ?? "")[...].parts(at: ",")
    guard offered.contains(where: { $0.trimmingSpaces == WebServer.subprotocol }) else {
      return .init(.proto, 400, "The subprotocol must be \(WebServer.subprotocol).")
    }
    if let (status, words) = options.misdirection(of: self) { return .init(.host, status, words) }
    if let origin = self["origin"], !options.admits(origin: origin, host: pageHost) {
      return .init(.origin, 403, "Pages of this origin may not connect.")
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
}

extension Census {
  /// Returns which limit forbids another WebSocket of a client, or nil.
  func upgradeRefusal(of client: String, now: Double) -> UpgradeRefusal? {
    guard mayBegin(.exchange, of: client) else {
      return .init(.number, 429, "Too many connections are open from this address.")
    }
    guard admitsHandshake(client, now: now) else {
      let reason = "Too many connections were opened from this address; wait a moment."
      return .init(.rate, 429, reason)
    }
    return nil
  }
}
