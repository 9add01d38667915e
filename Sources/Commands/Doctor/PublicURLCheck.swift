internal import Foundation
internal import Server
internal import SharedStore
internal import WebServer

/// Whether readers reach the server at its public address, with a WebSocket as a page opens it.
struct PublicURLCheck {
  private let url: PublicURL

  init(_ url: PublicURL) { self.url = url }

  /// Returns the findings; those after the first one only if that is good.
  func findings() -> [Finding] {
    let page = page()
    return page.verdict == .ok ? [page, webSocket()] + [proxy()].compactMap { $0 } : [page]
  }

  /// What the server says about the sender of a request; see `GET /api/address`.
  struct Sender: Decodable {
    var proxy: String
    var client: String
  }

  /// Returns whether the server distinguishes the readers behind its proxy; nil if that is unknown.
  private func proxy() -> Finding? {
    guard let answer = try? HTTPProbe.get(url.base + "/api/address"),
      let sender = try? JSONDecoder().decode(Sender.self, from: Data(answer.body))
    else { return nil }
    return finding(sender)
  }

  /// Returns whether the server distinguishes the readers behind its proxy, by what it says about
  /// one of them.
  func finding(_ sender: Sender) -> Finding {
    let shared = "makes all readers count as one address, \(sender.client), and share its limits"
    switch sender.proxy {
    case HTTPRequest.ProxyReport.ignored.rawValue:
      return warning("\(shared); if that is your proxy, add its address to --trust-proxy")
    // Without a proxy there would be no TLS.
    case HTTPRequest.ProxyReport.missing.rawValue where url.origin.hasPrefix("https:"):
      return warning("\(shared); let the proxy send X-Forwarded-For, and add --trust-proxy")
    default: return Finding("public URL", .ok, "\(url.base) distinguishes its readers")
    }
  }

  private func page() -> Finding {
    do throws(HTTPProbe.Failure) {
      let answer = try HTTPProbe.get(url.base + "/")
      switch answer.status {
      case 200 where String(decoding: answer.body, as: UTF8.self).contains("<title>Lectern<"):
        return Finding("public URL", .ok, "\(url.base) shows Lectern's page")
      case 200: return problem("shows something else than Lectern's page; correct --public-url")
      case 301, 302, 307, 308:
        return problem("redirects; give --public-url the address to which it leads")
      case 401: return warning("asks for a login, so what lies behind it was not checked")
      case 502, 503, 504:
        return warning(
          "reaches a proxy but no server (status \(answer.status)); start the server, then try"
            + " again"
        )
      case let status: return problem("answers with status \(status); look at the log of the proxy")
      }
    } catch {
      return warning(
        "does not answer (\(error.reason)); start the server and its proxy, then try again"
      )
    }
  }

  private func webSocket() -> Finding {
    let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    let headers = [
      "Connection: Upgrade", "Upgrade: websocket", "Origin: \(url.origin)",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
      "Sec-WebSocket-Protocol: \(WebServer.subprotocol)",
    ]
    let reason: String
    do throws(HTTPProbe.Failure) {
      let answer = try HTTPProbe.get(url.base + WebServer.webSocketPath, headers: headers)
      if answer.status == 101 { return Finding("public URL", .ok, "\(url.base) opens WebSockets") }
      reason = "status \(answer.status)"
    } catch { reason = error.reason }
    return problem(
      "opens no WebSocket at \(WebServer.webSocketPath) (\(reason)); let the proxy pass on HTTP/1.1"
        + " with the Upgrade, Connection and Host headers"
    )
  }

  private func problem(_ text: String) -> Finding {
    Finding("public URL", .problem, "\(url.base) \(text)")
  }

  private func warning(_ text: String) -> Finding {
    Finding("public URL", .warning, "\(url.base) \(text)")
  }
}
