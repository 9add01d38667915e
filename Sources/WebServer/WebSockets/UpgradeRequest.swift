/// A request to become a WebSocket.
struct UpgradeRequest: Equatable {
  /// The reason that a WebSocket may not open, and the response.
  struct Refusal: Equatable {
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
      default: []
      }
    }
  }

  var path: String
  /// Whether the method, the version of HTTP and the `Connection` field are those of a handshake
  /// (RFC 6455, section 4.2.1), and no body follows.
  var isComplete: Bool
  /// The `Upgrade` field.
  var upgrade: String
  /// Whether the request arrived at the admin endpoint.
  var isForAdmin: Bool
  var version: String?
  var key: String?
  /// The `Sec-WebSocket-Protocol` field.
  var protocols: String?
  var host: String
  var origin: String?

  /// Returns what is wrong with the request, or nil.
  func refusal(by options: ServerOptions) -> Refusal? {
    guard upgrade.lowercased() == "websocket" else {
      return Refusal(.upgrade, 400, "Only upgrades to websocket are supported.")
    }
    guard path == WebServer.webSocketPath, !isForAdmin else {
      return Refusal(.path, 404, "The path of WebSockets is \(WebServer.webSocketPath).")
    }
    guard isComplete else {
      return Refusal(
        .upgrade,
        400,
        "A handshake is a GET of HTTP/1.1 with \"Connection: Upgrade\" and without a body."
      )
    }
    guard version == "13" else {
      return Refusal(.version, 426, "The version of WebSocket must be 13.")
    }
    guard Self.isFit(key: key ?? "") else {
      return Refusal(.key, 400, "Sec-WebSocket-Key must be 16 bytes in base64.")
    }
    let offered = (protocols ?? "")[...].parts(at: ",")
    guard offered.contains(where: { $0.trimmingSpaces == WebServer.subprotocol }) else {
      return Refusal(.proto, 400, "The subprotocol must be \(WebServer.subprotocol).")
    }
    guard options.answers(host: host) else {
      return Refusal(.host, 421, ServerOptions.unservedHost)
    }
    if let origin, !options.admits(origin: origin, host: host) {
      return Refusal(.origin, 403, "Pages of this origin may not connect.")
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

extension UpgradeRequest {
  /// Reads a request from its head.
  init(_ head: RequestHead, isForAdmin: Bool) {
    self.init(
      path: String(head.target[...].parts(at: "?")[0]),
      isComplete: head.isCurrent && head.method == "GET" && BodyFraming(head) == .none
        && head.lists("upgrade", in: "connection"),
      upgrade: head["upgrade"] ?? "",
      isForAdmin: isForAdmin,
      version: head["sec-websocket-version"],
      key: head["sec-websocket-key"],
      protocols: head["sec-websocket-protocol"],
      host: head.host,
      origin: head["origin"]
    )
  }
}
