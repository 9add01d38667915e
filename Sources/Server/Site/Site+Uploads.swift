internal import Foundation
internal import Library
internal import Notices
internal import Pressroom
internal import WebServer

/// The body of a request while it arrives.
enum IncomingBody {
  /// A small JSON document, which is collected as a whole.
  case words([UInt8], for: Route)
  /// A link to draw, in a request to this host.
  case link([UInt8], host: String)
  /// A part of a file; `unwritten` bytes of it are not on disk yet.
  case part(Uploads.Part, unwritten: Int, isPaused: Bool)
}

// Request bodies: small ones are collected, and those of files are passed on as they arrive.
extension Site {
  /// The maximum number of bytes of a part that wait for the disk; beyond it the server stops
  /// reading the connection.
  private static let unwrittenMax = 4 << 20

  /// The response to `GET /api/uploads`.
  private struct UploadsJSON: Encodable {
    var enabled: Bool
    var needsToken: Bool
    var limit: Int
    /// The title of the shelf for uploaded books.
    var shelf: String
  }

  func gather(_ route: Route, _ id: RequestID) -> HTTPAnswer {
    bodies[id] = .words([], for: route)
    return .body(limit: route.bodyMax)
  }

  func uploads(_ route: Route, _ request: HTTPRequest, _ id: RequestID) -> HTTPAnswer {
    let uploads = sources.uploads
    switch route {
    case .uploads:
      return .now(
        .json(
          UploadsJSON(
            enabled: true,
            needsToken: access.refusal(ofWriting: request) != nil,
            limit: uploads.sizeMax,
            shelf: Uploads.collection
          )
        )
      )
    case .upload(let upload): uploads.find(upload, then: answering(id))
    case .cancelUpload(let upload): uploads.cancel(upload, then: answering(id))
    default: return .nothing
    }
    return .later
  }

  func part(of upload: String, _ request: HTTPRequest, _ id: RequestID) -> HTTPAnswer {
    let given = request.fields["upload-offset"] ?? ""
    guard let offset = Int(given), offset >= 0 else {
      return .now(.problem(400, "Upload-Offset is \"\(given)\"; say at which byte this begins."))
    }
    bodies[id] = .part(sources.uploads.part(of: upload, at: offset), unwritten: 0, isPaused: false)
    return .body(limit: Route.uploadPart(upload).bodyMax)
  }

  func bodyReceived(_ id: RequestID, _ bytes: UnsafeRawBufferPointer) {
    switch bodies[id] {
    case .words(var words, let route):
      // The entry is removed while its bytes grow, so that they are not copied.
      bodies[id] = nil
      words += bytes
      bodies[id] = .words(words, for: route)
    case .link(var words, let host):
      bodies[id] = nil
      words += bytes
      bodies[id] = .link(words, host: host)
    case .part(let part, var unwritten, var isPaused):
      unwritten += bytes.count
      if unwritten > Self.unwrittenMax, !isPaused {
        isPaused = true
        host.setPaused(true, body: id)
      }
      bodies[id] = .part(part, unwritten: unwritten, isPaused: isPaused)
      let (count, site) = (bytes.count, OnServiceThread(self))
      part.append(Array(bytes)) { [outlet] in
        outlet.perform { site.value?.written(count, of: id) }
      }
    case nil: break
    }
  }

  /// Counts bytes of a part that are now on disk, and resumes its connection if it was paused.
  private func written(_ count: Int, of id: RequestID) {
    guard case .part(let part, var unwritten, var isPaused) = bodies[id] else { return }
    unwritten -= count
    if isPaused, unwritten <= Self.unwrittenMax / 4 {
      isPaused = false
      host.setPaused(false, body: id)
    }
    bodies[id] = .part(part, unwritten: unwritten, isPaused: isPaused)
  }

  func bodyEnded(_ id: RequestID) {
    guard let body = bodies.removeValue(forKey: id) else { return }
    switch body {
    case .part(let part, _, _): part.end(then: answering(id))
    case .link(let words, let host): drawLink(words, host: host, id)
    case .words(let words, .newUpload): begin(words, id)
    case .words(let words, .edit(let book)): edit(book, words, id)
    case .words(let words, .unlock(let book)): unlock(book, words, id)
    case .words(let words, .makeLargePrint(let book)): makeLargePrint(of: book, words, id)
    case .words: outlet.answer(id, .problem(404, "Not found."))
    }
  }

  func requestGone(_ id: RequestID) {
    tickets.removeValue(forKey: id)?.cancel()
    if case .part(let part, _, _) = bodies.removeValue(forKey: id) { part.end() }
  }

  private func begin(_ words: [UInt8], _ id: RequestID) {
    guard let file = try? JSONDecoder().decode(NewUploadJSON.self, from: Data(words)) else {
      outlet.answer(id, .problem(400, "Send {\"name\": ..., \"size\": bytes}."))
      return
    }
    sources.uploads.begin(
      name: file.name,
      size: file.size,
      collection: file.collection,
      then: answering(id, status: 201)
    )
  }

  /// Returns a closure that answers a request with an upload or its fault.
  private func answering(
    _ id: RequestID,
    status: Int = 200
  ) -> @Sendable (Result<Upload, UploadFault>) -> Void {
    { [outlet] result in
      switch result {
      case .success(let upload): outlet.answer(id, .json(UploadJSON(upload), status: status))
      case .failure(let fault):
        outlet.answer(id, .problem(fault.status, fault.notice, canRetry: fault.canRetry))
      }
    }
  }
}
