internal import Library
internal import Telemetry

/// The metrics of the store that several processes share; all are zero without one.
struct StoreMetrics: Sendable {
  private let published: Counter
  private let fetched: Counter
  private let failures: Counter
  private let waiting: Gauge
  private let unreachable: Gauge

  init(in registry: MetricRegistry) {
    published = registry.counter(
      "lectern_store_published_total",
      help: "Records and files that were stored in the shared store."
    )
    fetched = registry.counter(
      "lectern_store_fetched_total",
      help: "Records and files that were fetched from the shared store."
    )
    failures = registry.counter(
      "lectern_store_failures_total",
      help: "Requests to the shared store that failed."
    )
    waiting = registry.gauge(
      "lectern_store_waiting",
      help: "Changes that wait to be stored in the shared store."
    )
    unreachable = registry.gauge(
      "lectern_store_unreachable",
      help: "Whether the shared store is out of reach: 1 if it is."
    )
  }

  /// Stores the current figures of a library.
  func update(_ figures: SharingFigures?) {
    guard let figures else { return }
    published.raise(to: UInt64(clamping: figures.published))
    fetched.raise(to: UInt64(clamping: figures.fetched))
    failures.raise(to: UInt64(clamping: figures.failures))
    waiting.set(Double(figures.waiting))
    unreachable.set(figures.isUnreachable ? 1 : 0)
  }
}
