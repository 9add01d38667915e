/// Which entries are worth a line although others like them have just been written.
///
/// Of entries with the same key, one is written in ``quietSeconds``; the next after that says how
/// many were left out (`repeats`). A flood of refusals is then a few lines, and a full disk one.
struct LogRepeats: Sendable {
  /// For so long only one entry of a key is written, in seconds.
  static let quietSeconds = 10.0
  /// How many keys are told apart; entries of others share one.
  static let keysMax = 1000

  private struct Repeats {
    var entry: LogEntry
    var count = 0

    /// A clock that was set back keeps nothing quiet for longer.
    func isQuiet(at now: Double) -> Bool {
      now >= entry.time && now < entry.time + LogRepeats.quietSeconds
    }
  }

  private var repeats: [String: Repeats] = [:]
  private var lastCleaning = -Double.infinity

  /// The lines to write when an entry comes: itself or nothing, and before it what was left out of
  /// others.
  mutating func admit(_ entry: LogEntry) -> [LogEntry] {
    guard let key = entry.key else { return [entry] }
    var lines: [LogEntry] = []
    if repeats.count >= Self.keysMax, !(lastCleaning...lastCleaning + 1 ~= entry.time) {
      lastCleaning = entry.time
      lines = take { !$0.isQuiet(at: entry.time) }
    }
    let name = repeats[key] == nil && repeats.count >= Self.keysMax ? "" : key
    let before = repeats[name]
    if let before, before.isQuiet(at: entry.time) {
      repeats[name]?.count += 1
      return lines
    }
    repeats[name] = Repeats(entry: entry)
    return lines + [entry.standing(for: before?.count ?? 0)]
  }

  /// What was left out and not said yet, for the end of the log.
  mutating func takeRest() -> [LogEntry] { take { _ in true } }

  private mutating func take(where isDue: (Repeats) -> Bool) -> [LogEntry] {
    let due = repeats.filter { isDue($0.value) }
    for key in due.keys { repeats[key] = nil }
    return due.values.filter { $0.count > 0 }.sorted { $0.entry.time < $1.entry.time }
      .map { $0.entry.standing(for: $0.count) }
  }
}
