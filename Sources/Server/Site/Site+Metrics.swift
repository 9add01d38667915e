internal import Library
internal import Telemetry
internal import WebServer

// Readiness and metrics.
extension Site {
  /// Answers whether the server can do its work, which means that the catalogue can be read.
  ///
  /// A server that is stopping does not get here: it answers 503, and then nothing any more.
  func readiness(_ id: RequestID) -> HTTPAnswer {
    let library = library
    later(id) {
      do throws(LibraryFault) {
        _ = try library.outline(of: "")
      } catch {
        if case .failed = error {
          return .json(["status": "the catalogue cannot be read"], status: 503)
        }
      }
      return .json(["status": "ready"])
    }
    return .later
  }

  /// Returns all metrics in the text format of Prometheus.
  func measures() -> HTTPResponse {
    let metrics = sources.metrics
    metrics.site.books.set(Double(library.bookCount))
    metrics.site.store.update(library.sharingFigures)
    metrics.site.pagesAwaited.set(Double(tickets.count))
    return HTTPResponse(
      contentType: "text/plain; version=0.0.4; charset=utf-8",
      body: .bytes(Array(metrics.registry.text.utf8))
    )
  }
}
