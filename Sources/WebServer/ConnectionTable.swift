/// The open connections, and the room for more.
///
/// A connection is pending until the head of a request is complete. It is then a visitor, which
/// libwebsockets knows, and pending again after the response.
struct ConnectionTable {
  /// The room for another connection.
  enum Room: Equatable {
    case free
    /// Room if this connection is closed.
    case replacing(PendingConnection)
    case none
  }

  var pending: PendingConnections
  var visitors: Visitors
  /// What all servers of the process together are used for.
  let census: Census
  private let options: ServerOptions

  init(options: ServerOptions, census: Census) {
    (self.options, self.census) = (options, census)
    pending = PendingConnections(census: census)
    visitors = Visitors(census: census)
  }

  /// Returns the room for another connection of a source.
  ///
  /// A source displaces its own new connections first, then those of the source with the
  /// most, and then idle connections of a source with more connections than itself. All servers
  /// of the process count, but a server closes only connections of its own; without one, there is
  /// no room.
  /// - Complexity: O(connections) at a limit, otherwise O(1).
  func room(for source: String) -> Room {
    let limits = options.limits.connections
    if !options.isProxy(source) {
      let own = census.connections(of: source)
      guard own.all < limits.perAddress else { return .none }
      if own.pending >= limits.pendingPerAddress {
        return pending.oldest(of: source).map { .replacing($0) } ?? .none
      }
    }
    guard census.totals.connections >= limits.total else { return .free }
    if let oldest = pending.oldestOfLargest() { return .replacing(oldest) }
    let idle = pending.oldestIdle(ofMoreThan: source, except: options.isProxy)
    return idle.map { .replacing($0) } ?? .none
  }
}
