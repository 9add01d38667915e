internal import Library
internal import Telemetry
internal import WebServer

// How the server is, and what is measured of it.
extension Site {
  /// Whether the server does what it is there for: the catalogue can be read.
  ///
  /// One that stops answers 503 by itself, and then nothing any more.
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

  /// All metrics, as Prometheus reads them.
  func measures() -> HTTPAnswer {
    let metrics = sources.metrics
    host.measure()
    server?.measure()
    metrics.site.books.set(Double(library.bookCount))
    metrics.site.pagesAwaited.set(Double(tickets.count))
    return .now(
      HTTPResponse(
        contentType: "text/plain; version=0.0.4; charset=utf-8",
        body: .bytes(Array(metrics.registry.text.utf8))
      )
    )
  }
}
