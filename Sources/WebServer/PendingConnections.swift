/// Connections whose first request is incomplete and which libwebsockets does not know yet.
///
/// They cost a descriptor and nothing else, so that many silent ones do not block other clients.
struct PendingConnections {
  private var slots: [(generation: UInt32, connection: PendingConnection?)] = []
  private var free: [UInt32] = []
  /// The number of pending connections of each household at this server.
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

  mutating func add(
    _ descriptor: Int32,
    of household: String,
    isAdmin: Bool,
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
      household: household,
      isAdmin: isAdmin,
      deadline: deadline,
      number: lastNumber
    )
    slots[Int(slot)].connection = connection
    counts[household, default: 0] += 1
    census.addConnection(of: household, isPending: true, now: now)
    return connection
  }

  mutating func remove(_ connection: PendingConnection) {
    guard self[connection.id] != nil else { return }
    let slot = Int(connection.id.slot)
    slots[slot].connection = nil
    // An outdated id must not find the next connection in the slot.
    slots[slot].generation &+= 1
    free.append(connection.id.slot)
    let count = counts[connection.household] ?? 0
    counts[connection.household] = count > 1 ? count - 1 : nil
    census.removeConnection(of: connection.household, isPending: true)
  }

  /// Returns the connection of a household that has waited longest.
  /// - Complexity: O(`count`).
  func oldest(of household: String) -> PendingConnection? {
    all.filter { $0.household == household }.min { $0.number < $1.number }
  }

  /// Returns the connection that has waited longest in the household with the most of them.
  /// - Complexity: O(`count`).
  func oldestOfLargest() -> PendingConnection? {
    counts.max { $0.value < $1.value }.flatMap { oldest(of: $0.key) }
  }
}

/// A connection whose first request is incomplete.
struct PendingConnection: Equatable {
  let id: PendingConnectionID
  let descriptor: Int32
  let household: String
  let isAdmin: Bool
  /// The deadline of its request, in seconds of the server's clock.
  let deadline: Double
  /// A serial number in the order of arrival.
  let number: UInt64
}

/// Identifies a pending connection while it is pending; never reused.
struct PendingConnectionID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}
