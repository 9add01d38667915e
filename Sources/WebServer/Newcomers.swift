/// Connections whose first request is incomplete and which libwebsockets does not know yet.
///
/// They cost a descriptor and nothing else, so that many silent ones do not block other clients.
struct Newcomers {
  struct Newcomer {
    let id: NewcomerID
    let descriptor: Int32
    let household: String
    let isAdmin: Bool
    /// The deadline of its request, in seconds of the server's clock.
    let deadline: Double
    /// A serial number in the order of arrival.
    let number: UInt64
  }

  private var slots: [(generation: UInt32, newcomer: Newcomer?)] = []
  private var free: [UInt32] = []
  private var counts: [String: Int] = [:]
  private var lastNumber: UInt64 = 0

  var count: Int { slots.count - free.count }
  var all: [Newcomer] { slots.compactMap(\.newcomer) }

  subscript(_ id: NewcomerID) -> Newcomer? {
    guard slots.indices.contains(Int(id.slot)) else { return nil }
    let slot = slots[Int(id.slot)]
    return slot.generation == id.generation ? slot.newcomer : nil
  }

  func count(of household: String) -> Int { counts[household] ?? 0 }

  mutating func add(
    _ descriptor: Int32,
    of household: String,
    isAdmin: Bool,
    deadline: Double
  )
    -> Newcomer
  {
    let slot = free.popLast() ?? UInt32(slots.count)
    if slot == slots.count { slots.append((0, nil)) }
    lastNumber += 1
    let newcomer = Newcomer(
      id: NewcomerID(slot: slot, generation: slots[Int(slot)].generation),
      descriptor: descriptor,
      household: household,
      isAdmin: isAdmin,
      deadline: deadline,
      number: lastNumber
    )
    slots[Int(slot)].newcomer = newcomer
    counts[household, default: 0] += 1
    return newcomer
  }

  mutating func remove(_ newcomer: Newcomer) {
    guard self[newcomer.id] != nil else { return }
    let slot = Int(newcomer.id.slot)
    slots[slot].newcomer = nil
    // An outdated id must not find the next newcomer in the slot.
    slots[slot].generation &+= 1
    free.append(newcomer.id.slot)
    let count = count(of: newcomer.household)
    counts[newcomer.household] = count > 1 ? count - 1 : nil
  }

  /// Returns the newcomer of a household that has waited longest.
  /// - Complexity: O(`count`).
  func oldest(of household: String) -> Newcomer? {
    all.filter { $0.household == household }.min { $0.number < $1.number }
  }

  /// Returns the newcomer that has waited longest in the household with the most newcomers.
  /// - Complexity: O(`count`).
  func oldestOfLargest() -> Newcomer? {
    counts.max { $0.value < $1.value }.flatMap { oldest(of: $0.key) }
  }
}

/// Identifies a newcomer while it is one.
struct NewcomerID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// The properties of a request's head that are needed before libwebsockets reads it.
struct RequestPeek: Equatable {
  /// The size of the head in bytes; nil if it is incomplete.
  let count: Int?
  /// Whether it requests a WebSocket.
  let isForWebSocket: Bool

  init(_ bytes: some Collection<UInt8>) {
    count = Self.end(of: bytes)
    guard let count else {
      isForWebSocket = false
      return
    }
    let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"))
    isForWebSocket = lines.dropFirst().contains { line in
      let text = String(decoding: line, as: UTF8.self).lowercased()
      let parts = text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "upgrade" else { return false }
      return parts[1].filter { $0 != "\r" }[...].trimmingSpaces == "websocket"
    }
  }

  /// Returns the end of the empty line after the head; an empty line before the first line does not
  /// count.
  private static func end(of bytes: some Collection<UInt8>) -> Int? {
    var (place, length, hasLine) = (0, 0, false)
    for byte in bytes {
      place += 1
      switch byte {
      case UInt8(ascii: "\n"):
        if length == 0, hasLine { return place }
        hasLine = hasLine || length > 0
        length = 0
      case UInt8(ascii: "\r"): break
      default: length += 1
      }
    }
    return nil
  }
}
