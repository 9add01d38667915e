/// Decides which responses are sent next, and how much of each.
///
/// A long response that can continue waits in the queue. In each turn of the server's loop, between
/// two looks at its sockets, those in front are sent, a share of each, up to a number of bytes
/// together. One that can continue goes to the end. So neither one response nor many delay other
/// work by more than a turn, and every response gets as much as the others.
struct DownloadQueue {
  /// The maximum number of bytes of one turn.
  static let turn = 262_144
  /// The maximum number of bytes of one response before others get their turn.
  static let share = 65_536
  /// The number of bytes that a response counts at least, because a system call takes time even if
  /// it sends nothing.
  static let least = 2048

  /// The waiting responses, from ``start``.
  private var waiting: [RequestID] = []
  private var start = 0
  /// The number of bytes that are left of the turn.
  private var left = 0

  /// The number of waiting responses.
  var count: Int { waiting.count - start }
  /// Whether no response waits.
  var isEmpty: Bool { count == 0 }

  /// Adds a response that can continue and does not wait yet.
  mutating func add(_ response: RequestID) { waiting.append(response) }

  /// Begins a turn.
  mutating func beginTurn() { left = Self.turn }

  /// Removes the first response.
  /// - Returns: The response and the bytes that it may send now; nil if the turn is over.
  mutating func next() -> (response: RequestID, bytes: Int)? {
    guard left > 0, !isEmpty else { return nil }
    let response = waiting[start]
    start += 1
    // The removal of the part before it is worth its cost once that is the larger one.
    if start * 2 > waiting.count {
      waiting.removeFirst(start)
      start = 0
    }
    return (response, min(Self.share, left))
  }

  /// Counts what the last response has sent.
  mutating func note(sent count: Int) { left -= max(count, Self.least) }
}
