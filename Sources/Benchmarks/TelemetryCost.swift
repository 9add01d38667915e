internal import Glibc
internal import Telemetry

/// Measures the cost of counting, measuring and logging for the service thread.
enum TelemetryCost {
  private static let batches = 30
  private static let turns = 100_000

  static func report() {
    let registry = MetricRegistry()
    let counter = registry.counter("counter_total", help: "-")
    let histogram = registry.histogram(
      "histogram_seconds",
      help: "-",
      bounds: [
        0.0005, 0.001, 0.002, 0.005, 0.01, 0.0167, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
      ]
    )
    let count = nanoseconds { _ in counter.add() }
    let observe = nanoseconds { histogram.observe(Double($0 % 100) / 1000) }
    Table.row(
      "update of a metric: a counter; a histogram of 15 buckets",
      asked: "<= 50 ns",
      "\(Table.number(count, 1)) ns; \(Table.number(observe, 1)) ns"
    )
    let file = LogFile(descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC))
    let writer = LogWriter(to: file, capacity: batches * turns)
    let event = LogEvent("test.event")
    let quiet = nanoseconds { writer.log.debug(event, "Turn \($0).", ["turn": .count($0)]) }
    let written = nanoseconds(turns: 1000) {
      writer.log.info(event, "Turn \($0).", ["turn": .count($0)])
    }
    writer.finish()
    Table.row(
      "an entry of the log, for the thread that logs: below the level; written",
      "\(Table.number(quiet, 1)) ns; \(Table.number(written, 0)) ns"
    )
  }

  /// Returns the median of batches, in nanoseconds per turn.
  private static func nanoseconds(
    turns: Int = TelemetryCost.turns,
    _ work: (Int) -> Void
  ) -> Double {
    (0..<batches).map { _ in secondsEach(turns: turns, work) * 1e9 }.median
  }
}
