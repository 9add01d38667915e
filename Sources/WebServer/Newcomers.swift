/// Connections whose first request has not come whole: libwebsockets does not know them yet.
///
/// They cost a descriptor and nothing else, so many silent ones keep nobody else from being read.
struct Newcomers {
  struct Newcomer {
    let id: NewcomerID
    let descriptor: Int32
    let household: String
    let isAdmin: Bool
    /// Until when its request has to be there, in seconds of the server's clock.
    let deadline: Double
    /// Counts up from one that came to the next.
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
    // A name kept by mistake must not find who comes next into the slot.
    slots[slot].generation &+= 1
    free.append(newcomer.id.slot)
    let count = count(of: newcomer.household)
    counts[newcomer.household] = count > 1 ? count - 1 : nil
  }

  /// The one of a household that has waited longest.
  /// - Complexity: O(`count`).
  func oldest(of household: String) -> Newcomer? {
    all.filter { $0.household == household }.min { $0.number < $1.number }
  }

  /// The one that has waited longest of the household that has the most of them.
  /// - Complexity: O(`count`).
  func oldestOfLargest() -> Newcomer? {
    counts.max { $0.value < $1.value }.flatMap { oldest(of: $0.key) }
  }
}

/// Names one newcomer for as long as it is one.
struct NewcomerID: Hashable, Sendable {
  let slot: UInt32
  let generation: UInt32
}

/// The head of a request, as far as it has to be known before libwebsockets reads it.
struct RequestPeek: Equatable {
  /// How many bytes the head has; nil when it has not come whole.
  let count: Int?
  /// Whether it asks for a WebSocket.
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

  /// Where the empty line has ended; one before the first line is none of the head's.
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
