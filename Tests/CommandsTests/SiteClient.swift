import Dispatch
import Foundation
import Library
import Synchronization
import Telemetry
import Testing

@testable import Commands
@testable import Server
@testable import WebServer

/// Sends requests to a site: with or without a socket, by the same calls.
protocol SiteClient {
  /// Sends a request, whose path includes its query, and waits for the response.
  func send(_ request: HTTPRequest, body: String) throws -> Reply
}

extension SiteClient {
  /// Requests a path with its query, and with the library's key if one is given.
  func ask(
    _ path: String,
    _ method: HTTPRequest.Method = .get,
    key: String? = nil,
    body: String = "",
    fields: [String: String] = [:],
    isForAdmin: Bool = false
  ) throws -> Reply {
    var fields = fields
    fields["authorization"] = key.map { "Bearer \($0)" }
    return try send(
      HTTPRequest(method: method, path: path, fields: fields, isForAdmin: isForAdmin),
      body: body
    )
  }

  /// The ids of the books, shelf by shelf.
  func books(key: String? = nil) throws -> [String] {
    try ask("/api/books", key: key).body.matches(of: /"id":"([0-9a-z]{24})"/).map { String($0.1) }
  }
}

/// A response with its head.
struct Reply {
  var status: Int
  var head: String
  var body: String

  func field(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}

/// How requests reach a site.
enum SiteRoute: CaseIterable {
  /// By calls, without a server or rooms.
  case direct
  /// Over a socket, to a whole server.
  case served

  /// Returns a client of a site over a library.
  func client(
    _ folder: SampleFolder,
    change: (inout ReadingServer.Options) -> Void = { _ in }
  ) throws -> any SiteClient {
    self == .direct
      ? try DirectSite(folder, change: change) : try ServingThread(folder, change: change)
  }
}

/// A server that is asked over a socket, with curl.
protocol ServingClient: SiteClient {
  var port: Int { get }
  /// The port for administrators.
  var adminPort: Int { get }
}

extension ServingThread: ServingClient {}

extension ServingProcess: ServingClient {
  var adminPort: Int { port }
}

extension ServingClient {
  func send(_ request: HTTPRequest, body: String) throws -> Reply {
    var words = ["curl", "-s", "-i", "-m", "60", "-X", request.method.rawValue]
    for (name, value) in request.fields { words += ["-H", "\(name): \(value)"] }
    if !body.isEmpty { words += ["--data-binary", body] }
    let port = request.isForAdmin ? adminPort : port
    let (code, output) = try run(
      "/usr/bin/env",
      words + ["http://127.0.0.1:\(port)\(request.path)"]
    )
    #expect(code == 0)
    // Text read from a pipe keeps its line ends.
    let end = try #require(output.range(of: "\r\n\r\n"))
    let head = String(output[..<end.lowerBound])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Reply(status: status ?? 0, head: head, body: String(output[end.upperBound...]))
  }
}

/// A site alone, on a queue that serves as its service thread, for one request at a time.
private final class DirectSite: SiteClient, SiteHost, SiteOutlet, @unchecked Sendable {
  private let queue = DispatchQueue(label: "site")
  private let id = RequestID(slot: 0, generation: 0)
  private let response = Mutex<HTTPResponse?>(nil)
  private let isAnswered = DispatchSemaphore(value: 0)
  private let library: BookLibrary
  private var site: Site?

  var outlet: any SiteOutlet { self }
  var address: ServerAddress? {
    ServerAddress(publicURL: nil, listen: "127.0.0.1", port: 1, machine: [])
  }

  init(_ folder: SampleFolder, change: (inout ReadingServer.Options) -> Void) throws {
    var options = ReadingServer.Options(library: folder.library, web: folder.web)
    change(&options)
    library = try options.openLibrary(.disabled, LibraryFeed())
    library.settle(atMost: 30)
    let key = options.keys.library ?? library.key
    let metrics = ServiceMetrics(in: MetricRegistry())
    site = Site(options.sources(library, key: key, metrics: metrics, .disabled), host: self)
  }

  deinit { library.stop() }

  func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func answer(_ id: RequestID, _ response: HTTPResponse) {
    self.response.withLock { $0 = response }
    isAnswered.signal()
  }

  func setPaused(_ isPaused: Bool, body id: RequestID) {}

  func send(_ request: HTTPRequest, body: String) throws -> Reply {
    let parts = request.path.split(separator: "?", maxSplits: 1).map(String.init)
    var request = request
    request.path = parts[0]
    request.query = parts.dropFirst().flatMap { $0.split(separator: "&").map(String.init) }
    (request.host, request.peer, request.contentLength) = ("127.0.0.1:1", "::1", body.utf8.count)
    perform { [self, request] in respond(to: request, Array(body.utf8)) }
    try #require(isAnswered.wait(timeout: .now() + 60) == .success)
    return Reply(try #require(response.withLock { $0 }))
  }

  private func respond(to request: HTTPRequest, _ body: [UInt8]) {
    switch site?.respond(to: request, as: id) ?? .nothing {
    case .now(let response): answer(id, response)
    case .later: break
    case .body(let limit) where body.count > limit: answer(id, .text(status: 413, ""))
    case .body:
      body.withUnsafeBytes { site?.bodyReceived(id, $0) }
      site?.bodyEnded(id)
    case .nothing: answer(id, .text(status: 404, ""))
    }
  }
}

extension Reply {
  /// Shows a response without the fields that a server adds to all.
  fileprivate init(_ response: HTTPResponse) {
    let bytes: [UInt8] =
      switch response.body {
      case .bytes(let bytes): bytes
      case .file(let path): FileManager.default.contents(atPath: path).map(Array.init) ?? []
      }
    let fields = [
      HTTPField("content-type", response.contentType),
      HTTPField("cache-control", response.caching.headerValue),
    ]
    self.init(
      status: response.status,
      head: (fields + response.fields).map { "\($0.name): \($0.value)" }.joined(separator: "\r\n"),
      body: String(decoding: bytes, as: UTF8.self)
    )
  }
}
