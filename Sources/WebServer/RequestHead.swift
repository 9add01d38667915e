/// The head of a request (RFC 9112, sections 2 to 5).
///
/// All that the server decides from a request comes from here. libwebsockets does not see what the
/// client sent: it skips a field that follows one whose name is the beginning of a known name, and
/// accepts folded lines and lines without a colon. It reads ``canonical`` instead, which tells it
/// nothing but the target to unescape, and to shake hands.
struct RequestHead: Equatable {
  /// The method as it was sent, such as `GET`.
  let method: String
  /// The path and the query as they were sent.
  let target: String
  /// The host that the target names, or else the `Host` field; may be empty.
  let host: String
  /// Whether the version of HTTP is 1.1; otherwise it is 1.0.
  let isCurrent: Bool
  /// How the head announces the body.
  let framing: BodyFraming
  /// The values by lower-case name; those of several fields with one name are joined by commas.
  private let fields: [String: String]

  /// Why a head cannot be accepted, and the response.
  struct Fault: Error, Equatable {
    let status: Int
    let words: String
  }

  /// Reads a head, from its first byte to the end of the empty line after it.
  /// - Complexity: O(bytes).
  init(_ bytes: some BidirectionalCollection<UInt8>) throws(Fault) {
    var lines = try Self.lines(of: bytes)[...]
    let first = lines.popFirst() ?? ""
    let parts = first.parts(at: " ")
    guard parts.count == 3, Self.isToken(parts[0]), parts[2].utf8.starts(with: "HTTP/".utf8) else {
      throw .malformed("\(Self.quoted(first)) is not a request line such as \"GET / HTTP/1.1\".")
    }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw Fault(status: 505, words: "\(Self.quoted(parts[2])) is not supported; use HTTP/1.1.")
    }
    isCurrent = parts[2] == "HTTP/1.1"
    method = String(parts[0])
    fields = try Self.fields(of: lines)
    framing = BodyFraming(
      method: HTTPRequest.Method(rawValue: method),
      contentLength: fields["content-length"],
      transferEncoding: fields["transfer-encoding"]
    )
    let named = try Self.split(target: parts[1])
    target = named.path
    guard let host = named.host ?? fields["host"] ?? (isCurrent ? nil : "") else {
      throw .malformed("The request has no Host field.")
    }
    guard HostName(host) != nil else {
      throw .malformed("The host \(Self.quoted(host)) is invalid.")
    }
    self.host = host
  }

  /// The path as it was sent.
  var path: String { String(target[...].parts(at: "?")[0]) }

  /// Returns the value of a field; the name is in lower case.
  subscript(_ name: String) -> String? { fields[name] }

  /// Whether the client will send another request on the same connection.
  var keepsConnection: Bool { isCurrent && !lists("close", in: "connection") }

  /// Whether a field is a list that contains a word, in any case.
  func lists(_ word: String, in name: String) -> Bool {
    let listed = fields[name]?[...].parts(at: ",") ?? []
    return listed.contains { $0.trimmingSpaces.lowercased() == word }
  }

  /// Returns what libwebsockets reads instead: the same target and, to open a WebSocket, the fields
  /// for that.
  var canonical: [UInt8] {
    var text = "GET \(target) HTTP/1.1\r\nhost: lectern\r\n"
    if asksForUpgrade {
      text += "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n"
      text += "sec-websocket-protocol: \(WebServer.subprotocol)\r\n"
      text += "sec-websocket-key: \(fields["sec-websocket-key"] ?? "")\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  // MARK: Where a head ends

  /// Returns the number of bytes up to the end of the empty line after a head; nil if that has not
  /// arrived.
  ///
  /// An empty line before the first line does not count.
  static func end(of bytes: some BidirectionalCollection<UInt8>) -> Int? {
    var (place, length, hasLine) = (0, 0, false)
    for byte in bytes {
      place += 1
      switch byte {
      case UInt8(ascii: "\n"):
        if length == 0, hasLine { return place }
        hasLine = hasLine || length > 0
        length = 0
      case UInt8(ascii: "\r"): break
      default: length += 1
      }
    }
    return nil
  }

  // MARK: The parts of a head

  /// Returns the lines with contents; one ends with LF, with or without CR before it.
  private static func lines(
    of bytes: some BidirectionalCollection<UInt8>
  ) throws(Fault) -> [Substring] {
    var lines: [Substring] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if let control = line.first(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7f }) {
        throw .malformed("The head contains the control character \(control).")
      }
      if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)[...]) }
    }
    return lines
  }

  private static func fields(of lines: ArraySlice<Substring>) throws(Fault) -> [String: String] {
    var fields: [String: String] = [:]
    for line in lines {
      let parts = line.parts(at: ":", maxSplits: 1)
      guard parts.count == 2, isToken(parts[0]) else {
        throw .malformed("\(quoted(line)) is not a field such as \"Accept: text/html\".")
      }
      let name = parts[0].lowercased()
      let value = String(parts[1].trimmingSpaces)
      guard let earlier = fields[name] else {
        fields[name] = value
        continue
      }
      guard name != "host" else { throw .malformed("The request has several Host fields.") }
      fields[name] = earlier + ", " + value
    }
    return fields
  }

  /// Splits a target into a host, if it names one, and the path with the query (RFC 9112, section
  /// 3.2).
  private static func split(target: Substring) throws(Fault) -> (host: String?, path: String) {
    guard isEscaped(Array(target.utf8)) else {
      throw .malformed("\(quoted(target)) has a percent sign without two hexadecimal digits.")
    }
    if target.utf8.first == UInt8(ascii: "/") { return (nil, String(target)) }
    let parts = target.parts(at: "/", maxSplits: 2)
    guard parts.count == 3, parts[1].isEmpty,
      ["http:", "https:"].contains(parts[0].lowercased())
    else {
      throw .malformed("\(quoted(target)) is not a path.")
    }
    let rest = parts[2].utf8
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    let path = String(Substring(rest[(end ?? rest.endIndex)...]))
    return (
      String(Substring(rest[..<(end ?? rest.endIndex)])),
      path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
    )
  }

  private static func isEscaped(_ target: [UInt8]) -> Bool {
    target.indices.allSatisfy { index in
      target[index] != UInt8(ascii: "%")
        || target[(index + 1)...].prefix(2).count(where: \.isHexDigit) == 2
    }
  }

  /// Whether a text is a token (RFC 9110, section 5.6.2).
  static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || symbols.contains($0) }
  }

  private static let symbols = Array("!#$%&'*+-.^_`|~".utf8)

  /// Returns the beginning of a text for a message.
  private static func quoted(_ text: some StringProtocol) -> String {
    text.utf8.count > 60 ? "\"\(text.prefix(40))...\"" : "\"\(text)\""
  }
}

extension RequestHead.Fault {
  fileprivate static func malformed(_ words: String) -> Self { Self(status: 400, words: words) }
}

// Fields are split at bytes, because the character before or after a separator can join it: the
// last entry of "1.2.3.4\u{600}, 5.6.7.8" would be the whole.
extension Substring {
  /// Returns the parts between separators, which are ASCII.
  func parts(at separator: Unicode.Scalar, maxSplits: Int = .max) -> [Substring] {
    utf8.split(
      separator: UInt8(ascii: separator),
      maxSplits: maxSplits,
      omittingEmptySubsequences: false
    ).map { Substring($0) }
  }

  var trimmingSpaces: Substring {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var text = utf8.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return Substring(text)
  }
}

/// Classes of ASCII.
extension UInt8 {
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit
    }
  }

  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  fileprivate var isHexDigit: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20
  }
}
