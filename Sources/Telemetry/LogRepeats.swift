/// Decides which entries are written although similar ones have just been written.
///
/// Among entries with the same key, one is written within ``quietSeconds``; the first one after
/// that period says how many were left out (`repeats`). A flood of rejections thus becomes a few
/// lines, and a full disk becomes one.
struct LogRepeats: Sendable {
  /// The period in which only one entry with a key is written, in seconds.
  static let quietSeconds = 10.0
  /// The maximum number of distinct keys; further keys share one.
  static let keysMax = 1000

  private struct Repeats {
    var entry: LogEntry
    var count = 0

    /// If the clock was set back, the quiet period must not become longer.
    func isQuiet(at now: Double) -> Bool {
      now >= entry.time && now < entry.time + LogRepeats.quietSeconds
    }
  }

  private var repeats: [String: Repeats] = [:]
  private var lastCleaning = -Double.infinity

  /// Returns the lines to write for an entry: the entry or nothing, preceded by the summaries of
  /// other entries that were left out.
  mutating func admit(_ entry: LogEntry) -> [LogEntry] {
    guard let key = entry.key else { return [entry] }
    var lines: [LogEntry] = []
    if repeats.count >= Self.keysMax, !(lastCleaning...lastCleaning + 1 ~= entry.time) {
      lastCleaning = entry.time
      lines = drain { !$0.isQuiet(at: entry.time) }
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

  /// Returns the summaries that are still pending, for the end of the log.
  mutating func drainRest() -> [LogEntry] { drain { _ in true } }

  private mutating func drain(where isDue: (Repeats) -> Bool) -> [LogEntry] {
    let due = repeats.filter { isDue($0.value) }
    for key in due.keys { repeats[key] = nil }
    return due.values.filter { $0.count > 0 }.sorted { $0.entry.time < $1.entry.time }
      .map { $0.entry.standing(for: $0.count) }
  }
}
