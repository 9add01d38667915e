internal import Foundation
internal import WebServer

// Pages with addresses of their own, and the means to share these addresses.
extension Site {
  /// The response to `GET /api/address`.
  private struct AddressJSON: Encodable {
    var base: String
    var reach: String
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
  func whereabouts() -> HTTPAnswer {
    guard let address = host.address else { return .nothing }
    return .now(.json(AddressJSON(base: address.base, reach: address.reach.rawValue)))
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
