/// Connections without a complete request, which libwebsockets does not know.
///
/// They cost a descriptor and nothing else, so that many silent ones do not block other clients.
/// Those whose first request is incomplete are new; those that wait for another request are idle.
struct PendingConnections {
  private var slots: [(generation: UInt32, connection: PendingConnection?)] = []
  private var free: [UInt32] = []
  /// The number of new connections of each source at this server.
  private var counts: [String: Int] = [:]
  private var lastNumber: UInt64 = 0
  private let census: Census

  init(census: Census) { self.census = census }

  var count: Int { slots.count - free.count }
  var all: [PendingConnection] { slots.compactMap(\.connection) }

  subscript(_ id: PendingConnectionID) -> PendingConnection? {
    guard slots.indices.contains(Int(id.slot)) else { return nil }
    let slot = slots[Int(id.slot)]
    return slot.generation == id.generation ? slot.connection : nil
  }

  /// Adds a connection, which the census counts already if `isCounted` is true.
  mutating func add(
    _ descriptor: Int32,
    of source: String,
    isAdmin: Bool,
    isIdle: Bool = false,
    isCounted: Bool = false,
    deadline: Double,
    now: Double = 0
  )
    -> PendingConnection
  {
    let slot = free.popLast() ?? UInt32(slots.count)
    if slot == slots.count { slots.append((0, nil)) }
    lastNumber += 1
    let connection = PendingConnection(
      id: PendingConnectionID(slot: slot, generation: slots[Int(slot)].generation),
      descriptor: descriptor,
      source: source,
      isAdmin: isAdmin,
      isIdle: isIdle,
      number: lastNumber,
      deadline: deadline
    )
    slots[Int(slot)].connection = connection
    if !isIdle { counts[source, default: 0] += 1 }
    if !isCounted { census.addConnection(of: source, isPending: !isIdle, now: now) }
    return connection
  }

  mutating func remove(_ connection: PendingConnection) {
    guard self[connection.id] != nil else { return }
    let slot = Int(connection.id.slot)
    slots[slot].connection = nil
    // An outdated id must not find the next connection in the slot.
    slots[slot].generation &+= 1
    free.append(connection.id.slot)
    if !connection.isIdle {
      let count = counts[connection.source] ?? 0
      counts[connection.source] = count > 1 ? count - 1 : nil
    }
    census.removeConnection(of: connection.source, isPending: !connection.isIdle)
  }

  /// Moves a deadline forward, or leaves it if it is earlier.
  mutating func expect(_ id: PendingConnectionID, noLaterThan deadline: Double) {
    guard let connection = self[id] else { return }
    slots[Int(id.slot)].connection?.deadline = min(connection.deadline, deadline)
  }

  /// Marks a connection whose rejected request was answered, and of which nothing more is accepted.
  mutating func beginLeaving(_ id: PendingConnectionID, deadline: Double) {
    guard self[id] != nil else { return }
    slots[Int(id.slot)].connection?.isLeaving = true
    slots[Int(id.slot)].connection?.deadline = deadline
  }

  /// Returns the new connection of a source that has waited longest.
  /// - Complexity: O(`count`).
  func oldest(of source: String) -> PendingConnection? {
    all.filter { !$0.isIdle && $0.source == source }.min { $0.number < $1.number }
  }

  /// Returns the new connection that has waited longest in the source with the most of them.
  /// - Complexity: O(`count`).
  func oldestOfLargest() -> PendingConnection? {
    counts.max { $0.value < $1.value }.flatMap { oldest(of: $0.key) }
  }

  /// Returns the oldest idle connection of the source with the most connections among those with
  /// idle ones, if it has more than the source that needs one; otherwise nil.
  /// - Complexity: O(`count`).
  func oldestIdle(
    ofMoreThan source: String,
    except proxy: (String) -> Bool
  )
    -> PendingConnection?
  {
    var idle: [String: PendingConnection] = [:]
    for connection in all where connection.isIdle {
      let known = idle[connection.source]
      if known.map({ connection.number < $0.number }) ?? true {
        idle[connection.source] = connection
      }
    }
    let counts = idle.filter { !proxy($0.key) }
      .map { (count: census.connections(of: $0.key).all, connection: $0.value) }
    guard let most = counts.max(by: { $0.count < $1.count }),
      most.count > census.connections(of: source).all + 1
    else { return nil }
    return most.connection
  }
}

/// A connection without a complete request.
struct PendingConnection: Equatable {
  let id: PendingConnectionID
  let descriptor: Int32
  let source: String
  let isAdmin: Bool
  /// Whether a request was answered on it.
  let isIdle: Bool
  /// A serial number in the order of arrival.
  let number: UInt64
  /// The deadline of its request, or of its end, in seconds of the server's clock.
  fileprivate(set) var deadline: Double
  /// Whether a request was rejected on it.
  ///
  /// What still arrives is discarded until the client closes
  /// it: with unread bytes, the kernel could reset it before the client has read the reason.
  fileprivate(set) var isLeaving = false
}

/// Identifies a pending connection while it is pending; never reused.
struct PendingConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}
