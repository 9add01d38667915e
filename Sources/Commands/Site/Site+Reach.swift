internal import Foundation
internal import WebServer

// Pages that have addresses of their own, and what helps others to find here.
extension Site {
  /// What an answer to `GET /api/address` says.
  private struct AddressJSON: Encodable {
    var base: String
    var reach: String
  }

  /// A page that is the same in every room, and that nobody shall keep: its address is a secret.
  func page(_ name: String, fields: [HTTPField] = []) -> HTTPAnswer {
    .now(
      HTTPResponse(
        contentType: "text/html; charset=utf-8",
        body: .file("\(sources.web)/\(name)"),
        caching: .none,
        fields: [HTTPField("referrer-policy", "no-referrer")] + fields
      )
    )
  }

  /// The address to hand out, and who can reach it.
  func whereabouts() -> HTTPAnswer {
    guard let address = host.address else { return .nothing }
    return .now(.json(AddressJSON(base: address.base, reach: address.reach.rawValue)))
  }

  /// Draws a link of this server as a QR code.
  func drawLink(_ words: [UInt8], host name: String, _ id: RequestID) {
    guard let text = String(validating: words, as: UTF8.self), let address = host.address,
      address.leads(text, host: name), let code = QRCode(text)
    else {
      server?.answer(
        id,
        .problem(
          400,
          "Send a link of this server, of at most \(QRCode.textMax) bytes, as plain text."
        )
      )
      return
    }
    server?.answer(
      id,
      HTTPResponse(
        contentType: "image/svg+xml",
        body: .bytes(Array(code.svg.utf8)),
        fields: [.sandbox]
      )
    )
  }
}
