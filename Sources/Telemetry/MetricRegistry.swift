internal import Synchronization

/// All metrics of a process, and their text for Prometheus.
///
/// Registering a metric returns the handle that updates it, so updates need no lookup. No metric is
/// broken down by reader or book, and one by room only as a table of a limited length, so the text
/// does not grow.
///
/// ```swift
/// let registry = MetricRegistry()
/// let accepted = registry.counter("connections_accepted_total", help: "Connections accepted.")
/// accepted.add()
/// registry.text  // "# HELP connections_accepted_total Connections accepted.\n..."
/// ```
package final class MetricRegistry: Sendable {
  /// The name and value of a label.
  package typealias Labels = KeyValuePairs<String, String>

  enum Kind: String, Sendable { case counter, gauge, histogram }

  enum Value: Sendable {
    case counter(Counter)
    case gauge(Gauge)
    case histogram(Histogram)
    case sampled(@Sendable () -> Double)
    case table(@Sendable () -> [Row])
  }

  /// A row of a table: the values of its labels, in their order.
  package typealias Row = [String]

  struct Series: Sendable {
    var labels: [(name: String, value: String)]
    var value: Value
  }

  struct Family: Sendable {
    var name: String
    var help: String
    var kind: Kind
    var series: [Series]
  }

  private let families = Mutex<[Family]>([])

  /// Creates a registry without metrics.
  package init() {}

  /// Registers a counter.
  /// - Parameters:
  ///   - name: Letters, digits and `_`; ends in `_total`.
  ///   - help: A sentence that describes the metric.
  ///   - labels: The labels that distinguish it from others with the same name.
  /// - Returns: The handle that updates it.
  /// - Precondition: No metric has this name and these labels, and no metric with this name has
  ///   another type.
  package func counter(_ name: String, help: String, labels: Labels = [:]) -> Counter {
    let counter = Counter()
    register(name, help, .counter, labels, .counter(counter))
    return counter
  }

  /// Registers a counter for each case of an enumeration, whose raw values are the values of the
  /// label.
  /// - Precondition: As for ``counter(_:help:labels:)``.
  package func counters<Label>(
    _ name: String,
    help: String,
    label: String,
    of: Label.Type
  ) -> CounterSet<Label> {
    CounterSet { counter(name, help: help, labels: [label: $0.rawValue]) }
  }

  /// Registers a gauge.
  /// - Precondition: As for ``counter(_:help:labels:)``.
  package func gauge(_ name: String, help: String, labels: Labels = [:]) -> Gauge {
    let gauge = Gauge()
    register(name, help, .gauge, labels, .gauge(gauge))
    return gauge
  }

  /// Registers a histogram.
  /// - Precondition: As for ``counter(_:help:labels:)``; the bounds are finite and ascending.
  package func histogram(
    _ name: String,
    help: String,
    bounds: [Double],
    labels: Labels = [:]
  ) -> Histogram {
    let histogram = Histogram(bounds: bounds)
    register(name, help, .histogram, labels, .histogram(histogram))
    return histogram
  }

  /// Registers a value that is read whenever the text is generated, on that thread.
  ///
  /// A value that only grows is reported as a counter.
  /// - Precondition: As for ``counter(_:help:labels:)``.
  package func sampled(
    _ name: String,
    help: String,
    isCounter: Bool = false,
    labels: Labels = [:],
    sample: @escaping @Sendable () -> Double
  ) {
    register(name, help, isCounter ? .counter : .gauge, labels, .sampled(sample))
  }

  /// Registers facts that are read whenever the text is generated, on that thread: each row is a
  /// gauge of the value 1, and the facts are its labels.
  /// - Parameters:
  ///   - name: Letters, digits and `_`.
  ///   - help: A sentence that describes the metric.
  ///   - columns: The names of the labels.
  ///   - rows: Returns the rows, each with a value for each column; the caller limits their number.
  /// - Precondition: As for ``counter(_:help:labels:)``.
  package func table(
    _ name: String,
    help: String,
    columns: [String],
    rows: @escaping @Sendable () -> [Row]
  ) {
    let value = Value.table(rows)
    register(name, help, .gauge, columns.map { (name: $0, value: "") }, value)
  }

  private func register(
    _ name: String,
    _ help: String,
    _ kind: Kind,
    _ labels: Labels,
    _ value: Value
  ) {
    register(name, help, kind, labels.map { ($0.key, $0.value) }, value)
  }

  private func register(
    _ name: String,
    _ help: String,
    _ kind: Kind,
    _ labels: [(name: String, value: String)],
    _ value: Value
  ) {
    let series = Series(labels: labels, value: value)
    families.withLock { families in
      guard let index = families.firstIndex(where: { $0.name == name }) else {
        return families.append(Family(name: name, help: help, kind: kind, series: [series]))
      }
      let family = families[index]
      let isNew = !family.series.contains { $0.labels.elementsEqual(series.labels, by: ==) }
      precondition(family.kind == kind && isNew, "\(name) is registered already")
      families[index].series.append(series)
    }
  }

  /// All metrics in the text format of Prometheus, version 0.0.4, in the order of registration.
  package var text: String {
    PrometheusText(families.withLock { $0 }).text
  }
}
