internal import Foundation
internal import WebServer

// Pages with addresses of their own, and the means to share these addresses.
extension Site {
  /// The response to `GET /api/address`.
  private struct AddressJSON: Encodable {
    var base: String
    var reach: String
    /// Whether a proxy said for whom it sent this request, and by which address its client counts.
    var proxy: String
    var client: String
  }

  /// The response to `GET /api/login`.
  private struct LoginJSON: Encodable {
    var key: String
    var name: String
  }

  /// Returns a page that is the same in every room.
  ///
  /// It must not be stored, because its address is a secret.
  func page(_ name: String, fields: [HTTPField] = []) -> HTTPAnswer {
    let path = "\(sources.web)/\(name)"
    var body = HTTPResponse.Body.file(path)
    if sources.basePath != .none, let page = FileManager.default.contents(atPath: path) {
      body = .bytes(sources.basePath.rewritten(Array(page)))
    }
    return .now(
      HTTPResponse(
        contentType: "text/html; charset=utf-8",
        body: body,
        caching: .none,
        fields: [HTTPField("referrer-policy", "no-referrer")] + fields
      )
    )
  }

  /// Returns the address to share and who can reach it.
  ///
  /// Without a `--public-url`, it is the one that a trusted proxy was asked for.
  func whereabouts(_ request: HTTPRequest) -> HTTPAnswer {
    guard let address = host.address else { return .nothing }
    var answer = AddressJSON(
      base: address.base,
      reach: address.reach.rawValue,
      proxy: request.report.rawValue,
      client: request.peer
    )
    if address.reach != .everybody, let origin = request.pageOrigin {
      answer.base = origin + sources.basePath.text
      answer.reach = ServerAddress.Reach.network.rawValue
    }
    return .now(.json(answer))
  }

  /// Returns the library's key to somebody who has logged in to a proxy, and nothing to others.
  ///
  /// A login counts nowhere else, so a proxy has to guard no other path, and no other way to write
  /// this one leads here. A request without a login is no error, because every page without a key
  /// asks.
  func login(_ request: HTTPRequest) -> HTTPAnswer {
    guard let key = access.loginKey, let user = request.user, request.sentPath == "/api/login"
    else {
      return .now(
        HTTPResponse(status: 204, contentType: "text/plain", body: .bytes([]), caching: .none)
      )
    }
    var response = HTTPResponse.json(LoginJSON(key: key, name: user))
    response.caching = .none
    return .now(response)
  }

  /// Draws a link to this server as a QR code.
  func drawLink(_ words: [UInt8], host name: String, _ id: RequestID) {
    guard let text = String(validating: words, as: UTF8.self), let address = host.address,
      address.leads(text, host: name), let code = QRCode(text)
    else {
      outlet.answer(
        id,
        .problem(
          400,
          "Send a link of this server, of at most \(QRCode.textMax) bytes, as plain text."
        )
      )
      return
    }
    outlet.answer(
      id,
      HTTPResponse(
        contentType: "image/svg+xml",
        body: .bytes(Array(code.svg.utf8)),
        fields: [.sandbox]
      )
    )
  }
}
