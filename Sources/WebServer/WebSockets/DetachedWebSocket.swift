internal import Glibc

/// A WebSocket on its way from one server of a group to another, which no thread serves meanwhile.
///
/// It holds everything that the servers know of the connection: its socket, input that was read and
/// not yet handled, the rest of a write, and the limits on its client. If no server attaches it, it
/// is closed. One thread uses it at a time.
package final class DetachedWebSocket: @unchecked Sendable {
  typealias Parts = (entry: WebSocketTable.Entry, outlet: WebSocketTable.Outlet)

  private var parts: Parts?
  private let census: Census

  init(_ parts: Parts, census: Census) { (self.parts, self.census) = (parts, census) }

  deinit {
    guard var parts else { return }
    Glibc.close(parts.outlet.descriptor)
    parts.entry.endCounting(in: census)
  }

  /// Returns the connection once; nil afterwards.
  func claim() -> Parts? {
    defer { parts = nil }
    return parts
  }
}
