internal import Fabric
internal import Foundation
internal import Library
internal import Notices
internal import Pressroom
internal import Telemetry
internal import WebServer

/// The services that a site needs from its application, on the service thread.
protocol SiteHost: AnyObject {
  /// What sends the responses that are not given at once.
  var outlet: any SiteOutlet { get }
  /// The address to share; nil before the server listens.
  var address: ServerAddress? { get }
  /// Receives no more of a body for now, or again.
  func setPaused(_ isPaused: Bool, body id: RequestID)
}

/// Sends responses later; any thread may call any function.
protocol SiteOutlet: Sendable {
  /// Runs a closure on the service thread soon, unless the server has ended.
  func perform(_ work: @escaping @Sendable () -> Void)
  /// Answers a request, unless the server has ended.
  func answer(_ id: RequestID, _ response: HTTPResponse)
}

/// The outlet of a server, which is nil before it listens and after it has ended.
extension Mailbox?: SiteOutlet {
  func perform(_ work: @escaping @Sendable () -> Void) { self?.perform(work) }
  func answer(_ id: RequestID, _ response: HTTPResponse) {
    self?.perform { $0.answer(id, response) }
  }
}

/// Everything that the server answers over HTTP besides the page's files: images of pages, ledges,
/// and the library as JSON.
///
/// It lives on the service thread; work that may block runs on `workers` and answers later.
final class Site {
  /// The resources of a site.
  struct Sources {
    let library: BookLibrary
    let uploads: Uploads
    let recordings: Recordings
    let access: Access
    /// The log of rejected requests.
    let audit: Audit
    /// The metrics of the service.
    let metrics: ServiceMetrics
    /// The wrong keys of each address, which the sites of all threads share.
    let wrongKeys: WrongKeys
    /// The passes of the members of all rooms.
    let passes: Passes
    /// The folder of the page's files; empty for none.
    let web: String
    /// The path below which a proxy serves the library.
    let basePath: BasePath
  }

  let sources: Sources
  /// The access to the library at present; at first, that of the sources.
  var access: Access
  unowned let host: any SiteHost
  /// The threads for work that may block: the database and the disk.
  let workers = WorkerPool(width: 4)

  var bodies: [RequestID: IncomingBody] = [:]
  /// The requests that wait for a page to be rendered.
  var tickets: [RequestID: PrintTicket] = [:]

  /// Creates the site of an application, which owns and outlives it.
  init(_ sources: Sources, host: any SiteHost) {
    self.sources = sources
    access = sources.access
    self.host = host
  }

  var library: BookLibrary { sources.library }
  var outlet: any SiteOutlet { host.outlet }

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    guard let route = Route(request.method, path: request.path) else { return .nothing }
    if let refusal = refusal(of: route, request) { return .now(refusal) }
    return respond(to: request, route, id)
  }

  private func respond(to request: HTTPRequest, _ route: Route, _ id: RequestID) -> HTTPAnswer {
    switch route {
    case .ledge(let collection): return ledge(collection, request)
    case .spines(let collection): return spines(collection)
    case .bookLedge(let book): return ledge(book: book, request)
    case .room, .code: return page("index.html", fields: [HTTPField("x-robots-tag", "noindex")])
    case .demo: return page("demo.html")
    case .address: return whereabouts(request)
    case .login: return login(request)
    case .qrCode:
      bodies[id] = .link([], host: request.pageHost)
      return .body(limit: route.bodyMax)
    case .recordings, .deleteRecording: return recordings(route, id)
    case .image(let book, let page, let size): return image(book, page, size, request, id)
    case .books, .imports, .book, .outline, .pages, .text, .editions, .search, .retry:
      return read(route, request, id)
    case .remove, .restore, .bin, .emptyBin, .erase: return bin(route, request, id)
    case .edit, .unlock, .makeLargePrint, .newUpload: return gather(route, id)
    case .uploads, .upload, .cancelUpload: return uploads(route, request, id)
    case .uploadPart(let upload): return part(of: upload, request, id)
    case .otherMethod(let allowed): return .now(otherMethod(allowed, request))
    case .unknown:
      return .now(
        .problem(404, "There is no \(request.path) here; the article API.md lists what there is.")
      )
    }
  }

  private func otherMethod(
    _ allowed: [HTTPRequest.Method],
    _ request: HTTPRequest
  ) -> HTTPResponse {
    let names = allowed.map(\.rawValue).joined(separator: ", ")
    let what = "\(request.path) has no \(request.method.rawValue); use \(names)."
    var response = HTTPResponse.problem(405, what)
    response.fields = [HTTPField("allow", names)]
    return response
  }

  private func refusal(of route: Route, _ request: HTTPRequest) -> HTTPResponse? {
    let query = Query(request.query)
    let refusal: HTTPResponse?
    if route.isWrite {
      refusal = access.refusal(ofWriting: request)
    } else if route.showsLibrary(query) {
      refusal = access.refusal(ofReading: request)
    } else if let part = route.shownPart(query) {
      guard access.refusal(ofReading: request) != nil, !hasPass(request, query, to: part) else {
        return nil
      }
      refusal = notOpen(request)
    } else {
      return nil
    }
    // The right key is never refused: it is too long to be guessed, and the readers behind a proxy
    // may share an address with somebody who sends wrong ones.
    guard let refusal, Access.token(of: request) != nil else { return refusal }
    let now = WebServer.now()
    guard !sources.wrongKeys.isBanned(request.peer, at: now) else {
      sources.audit.noteRefusal("too many wrong keys", to: request.peer)
      return .problem(429, Notice(.tooManyKeys), canRetry: true)
    }
    sources.wrongKeys.note(request.peer, at: now)
    sources.audit.noteRefusal("wrong key", to: request.peer)
    sources.metrics.site.wrongKeys.add()
    return refusal
  }

  /// Returns the response to a request that may not see a part of the library: it has neither the
  /// library's key nor the pass of a member to whom that part is shown.
  private func notOpen(_ request: HTTPRequest) -> HTTPResponse {
    sources.audit.noteRefusal("book not open", to: request.peer)
    return .problem(403, Notice(.bookNotOpen))
  }

  /// Whether a request has the pass of a member to whom a part of the library is shown.
  private func hasPass(_ request: HTTPRequest, _ query: Query, to part: Pass.Part) -> Bool {
    let date = Date().timeIntervalSince1970
    return sources.passes.all(of: request, query).contains { pass in
      sources.passes.opens(part, with: pass, at: date)
    }
  }

  /// Returns how long an image with this query may be cached: forever if the query names a version,
  /// and by shared caches only if the library is open.
  func caching(_ query: Query) -> HTTPResponse.Caching {
    if query["v"] == nil { return access.library.isOpen ? .revalidate : .privateRevalidate }
    return access.library.isOpen ? .immutable : .privateImmutable
  }

  /// Runs work that may block and answers the request with its result.
  func later(_ id: RequestID, _ work: @escaping @Sendable () -> HTTPResponse) {
    workers.run { [outlet] in outlet.answer(id, work()) }
  }
}

extension HTTPResponse {
  /// Creates a JSON response.
  static func json(_ value: some Encodable, status: Int = 200) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = (try? encoder.encode(value)) ?? Data("{}".utf8)
    return HTTPResponse(
      status: status,
      contentType: "application/json",
      body: .bytes(Array(data) + [0x0a])
    )
  }

  /// Creates a response that explains an error to a reader.
  static func problem(_ status: Int, _ notice: Notice, canRetry: Bool = false) -> HTTPResponse {
    json(Problem(error: notice.message, notice: notice, retry: canRetry), status: status)
  }

  /// Creates a response that tells the author of a client what to send.
  static func problem(_ status: Int, _ message: String) -> HTTPResponse {
    json(Problem(error: message, retry: false), status: status)
  }
}

/// The JSON of an error.
private struct Problem: Encodable {
  var error: String
  var notice: Notice?
  var retry: Bool
}
