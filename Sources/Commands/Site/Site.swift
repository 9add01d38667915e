internal import Foundation
internal import Library
internal import Telemetry
internal import WebServer

/// What the server answers over HTTP beside the page's files: images of pages, ledges, and the
/// library as JSON.
///
/// Lives on the service thread; whatever may block runs on `workers` and answers later.
final class Site {
  weak var server: WebServer?

  let library: Library
  let uploads: Uploads?
  let access: Access
  /// Where the server is reached.
  var address: ServerAddress?
  private var guesses = Guesses()
  /// Where is noted who was refused.
  var audit: Audit?
  /// What rooms recorded.
  var recordings: Recordings?
  /// The folder of the page's files.
  var web = ""
  /// What is measured of the service.
  let metrics: ServiceMetrics
  /// Brings what is measured up to date, before somebody reads it.
  var measure: () -> Void = {}
  /// Whether somebody who is in a room shows a pass.
  var isPass: (_ pass: String) -> Bool = { _ in false }
  /// Whether somebody who shows a pass may see a book.
  var opens: (_ book: String, _ pass: String) -> Bool = { _, _ in false }
  /// Whether somebody has a book open at a page.
  var isShown: (_ book: String, _ page: Int) -> Bool = { _, _ in true }
  /// Blocking work: the database and the disk.
  let workers = WorkerPool(width: 4)

  var bodies: [RequestID: IncomingBody] = [:]
  /// Pages that are being printed for somebody.
  var tickets: [RequestID: PictureTicket] = [:]

  init(library: Library, uploads: Uploads?, access: Access, metrics: ServiceMetrics) {
    self.metrics = metrics
    self.library = library
    self.uploads = uploads
    self.access = access
  }

  func respond(to request: HTTPRequest, as id: RequestID) -> HTTPAnswer {
    guard let route = Route(request.method, path: request.path) else { return .nothing }
    if let refusal = refusal(of: route, request) { return .now(refusal) }
    switch route {
    case .ledge(let collection): return ledge(collection, request)
    case .spines(let collection): return spines(collection, request)
    case .bookLedge(let book): return ledge(book: book, request)
    case .room: return page("index.html", fields: [HTTPField("x-robots-tag", "noindex")])
    case .demo: return page("demo.html")
    case .address: return whereabouts()
    case .qrCode:
      bodies[id] = .link([], host: request.host)
      return .body(limit: route.bodyMax)
    case .recordings, .deleteRecording: return recordings(route, id)
    case .image(let book, let page, let size): return image(book, page, size, request, id)
    case .books, .book, .outline, .pages, .text, .search, .retry:
      return read(route, request, id)
    case .edit, .unlock, .newUpload: return gather(route, id)
    case .uploads, .upload, .cancelUpload: return uploads(route, request, id)
    case .uploadPart(let upload): return part(of: upload, request, id)
    case .unknown:
      return .now(
        .problem(404, "There is no \(request.path) here; the README lists what there is.")
      )
    }
  }

  private func refusal(of route: Route, _ request: HTTPRequest) -> HTTPResponse? {
    let refusal: HTTPResponse?
    if route.isWrite {
      refusal = access.refusal(ofWriting: request)
    } else if route.showsLibrary(Query(request.query)) {
      refusal = access.refusal(ofReading: request)
    } else if let book = route.shownBook(Query(request.query)) {
      refusal = self.refusal(ofShowing: book, request)
    } else {
      return nil
    }
    guard request.fields["authorization"] != nil else { return refusal }
    // Who guessed too often is not told which guess was right.
    let now = WebServer.now()
    guard !guesses.shutsOut(request.peer, at: now) else {
      audit?.noteRefusal("too many wrong keys", to: request.peer)
      return .problem(429, "Too many wrong keys came from here; wait a minute.", canRetry: true)
    }
    guard refusal != nil else { return nil }
    guesses.note(request.peer, at: now)
    audit?.noteRefusal("wrong key", to: request.peer)
    metrics.site.wrongKeys.add()
    return refusal
  }

  /// The answer to somebody who may not see a book: it takes the library's key, or the pass of a
  /// member who sees that book.
  private func refusal(ofShowing book: String, _ request: HTTPRequest) -> HTTPResponse? {
    guard access.refusal(ofReading: request) != nil else { return nil }
    if let pass = Query(request.query)["pass"], opens(book, pass) { return nil }
    return .problem(403, "This book is not open to you. Open it in a room that you are in.")
  }

  /// Does something that may block and answers with what comes of it.
  func later(_ id: RequestID, _ work: @escaping @Sendable () -> HTTPResponse) {
    guard let mailbox = server?.mailbox else { return }
    workers.run {
      let response = work()
      mailbox.perform { $0.answer(id, response) }
    }
  }
}

extension Mailbox {
  /// Answers a request from any thread.
  func answer(_ id: RequestID, _ response: HTTPResponse) { perform { $0.answer(id, response) } }
}

extension HTTPResponse {
  /// An answer in JSON.
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

  /// What went wrong, in words that can be shown.
  static func problem(_ status: Int, _ message: String, canRetry: Bool = false) -> HTTPResponse {
    json(Problem(error: message, retry: canRetry), status: status)
  }
}

/// What went wrong.
private struct Problem: Encodable {
  var error: String
  var retry: Bool
}
