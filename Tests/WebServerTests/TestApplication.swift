import WebServer

/// Echoes messages, obeys a few commands, and responds to a few addresses.
final class TestApplication: WebApplication {
  weak var server: WebServer?
  /// The server to which connections move.
  var destination: Mailbox?
  private let probe: Probe
  private var waiting: [String: RequestID] = [:]
  private var paths: [RequestID: String] = [:]
  private var bodies: [RequestID: [UInt8]] = [:]

  init(probe: Probe) {
    self.probe = probe
  }

  // MARK: HTTP

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    let parts = request.path.split(separator: "/")
    switch parts.first {
    case "healthz":
      return .now(HTTPResponse(contentType: "application/json", body: .bytes(Array("{}".utf8))))
    case "list":
      let list = (0..<1000).map(String.init).joined(separator: ",")
      return .now(
        HTTPResponse(contentType: "application/json", body: .bytes(Array("[\(list)]".utf8)))
      )
    case "large":
      return .now(
        HTTPResponse(
          contentType: "image/png",
          body: .bytes([UInt8](repeating: 7, count: 3_000_000)),
          caching: .immutable
        )
      )
    case "question":
      let query = request.query.joined(separator: ";")
      return .now(.text(status: 200, "\(query)|\(request.host)"))
    case "fields":
      let fields = request.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let lines =
        [request.method.rawValue, "\(request.contentLength ?? -1)", request.peer] + fields
      return .now(.text(status: 200, lines.joined(separator: "\n")))
    case "tagged":
      return .now(
        HTTPResponse(
          contentType: "image/svg+xml",
          body: .bytes(Array("<svg/>".utf8)),
          caching: .immutable,
          entityTag: "book-1",
          fields: [.sandbox, HTTPField("x-page", "7")]
        )
      )
    case "later", "early", "soon", "upload", "spoiled":
      waiting[request.path] = id
      paths[id] = request.path
      probe.report(.asked(request.path))
    default: return .nothing
    }
    switch parts.first {
    case "soon":
      answer(request.path, .text(status: 200, "soon"))
      return .later
    case "later": return .later
    case "upload" where request.query == ["paused"]: server?.pauseBody(id)
    default: break
    }
    return .body(limit: 50_000_000)
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    if bodies[id] == nil { probe.report(.bodyPart) }
    bodies[id, default: []] += bytes
    if let path = paths[id], path.hasPrefix("/early") {
      server?.pauseBody(id)
      if path.hasSuffix("answer") { answer(path, .text(status: 200, "early")) }
    }
    if let path = paths[id], path == "/spoiled" { answer(path, .text(status: 507, "full")) }
  }

  func bodyEnded(_ id: RequestID) {
    probe.report(.bodyEnded)
    guard let path = paths[id] else { return }
    answer(
      path,
      HTTPResponse(contentType: "application/octet-stream", body: .bytes(bodies[id] ?? []))
    )
  }

  func requestGone(_ id: RequestID) {
    guard let path = paths.removeValue(forKey: id) else { return }
    bodies[id] = nil
    probe.report(.gone(path))
  }

  func answer(_ path: String, _ response: HTTPResponse) {
    guard let id = waiting.removeValue(forKey: path) else { return }
    paths[id] = nil
    bodies[id] = nil
    server?.answer(id, response)
    // Only the first response counts.
    server?.answer(id, .text(status: 500, "again"))
  }

  func answer(to path: String) { answer(path, .text(status: 200, "to \(path)")) }

  func resumeBody(_ path: String) {
    if let id = waiting[path] { server?.resumeBody(id) }
  }

  func receivedCount(_ path: String) -> Int {
    waiting[path].flatMap { bodies[$0]?.count } ?? 0
  }

  // MARK: WebSocket

  func opened(_ connection: ConnectionID, from peer: String, now: Double) {
    probe.opened(by: peer)
  }

  func received(_ connection: ConnectionID, _ bytes: UnsafeRawBufferPointer, now: Double) {
    probe.report(.received(Array(bytes)))
    switch String(decoding: bytes, as: UTF8.self) {
    case "flood": flood(connection)
    case "too large":
      let message = [UInt8](repeating: 1, count: 262_145)
      message.withUnsafeBytes { _ = server?.webSockets.send(connection, $0) }
    case "go away": server?.webSockets.close(connection, code: 4000, reason: "as you wish")
    case "move": move(connection)
    case "drop": _ = server?.webSockets.detach(connection)
    case "leave":
      server?.webSockets.close(connection, code: 4000, reason: "as you wish")
      move(connection)
    case "tick": server?.schedule(at: WebServer.now() + 0.02)
    case "no tick":
      server?.schedule(at: WebServer.now() + 0.05)
      server?.schedule(at: nil)
    default: server?.webSockets.send(connection, bytes)
    }
  }

  func becameWritable(_ connection: ConnectionID, now: Double) { probe.report(.writable) }
  func closed(_ connection: ConnectionID, code: UInt16, now: Double) { probe.report(.closed) }
  func tick(now: Double) { probe.report(.ticked) }
  func willStop(now: Double) { probe.report(.stopping) }

  private func move(_ connection: ConnectionID) {
    guard let socket = server?.webSockets.detach(connection) else { return }
    destination?.perform { server in server.webSockets.attach(socket) { _ in } }
  }

  private func flood(_ connection: ConnectionID) {
    let frame = [UInt8](repeating: 1, count: 1000)
    var accepted = 0
    frame.withUnsafeBytes { bytes in
      while accepted < 100_000, server?.webSockets.send(connection, bytes) == true { accepted += 1 }
    }
    probe.report(.refused(afterAccepting: accepted))
  }
}
