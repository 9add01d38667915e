import Dispatch
import Synchronization
import Testing

@testable import Telemetry

@Suite("Metrics")
struct MetricTests {
  private enum Reason: String, CaseIterable { case late, early }

  private let registry = MetricRegistry()

  private var lines: Set<Substring> { Set(registry.text.split(separator: "\n")) }

  @Test("a metric has a name, a type and a description, and starts at zero")
  func start() {
    _ = registry.counter("seen_total", help: "What was \\ seen,\nso far.")
    _ = registry.gauge("rooms", help: "Rooms.", labels: ["state": "idle"])
    _ = registry.gauge("rooms", help: "Rooms.", labels: ["state": "active"])
    #expect(
      registry.text == """
        # HELP seen_total What was \\\\ seen,\\nso far.
        # TYPE seen_total counter
        seen_total 0
        # HELP rooms Rooms.
        # TYPE rooms gauge
        rooms{state="idle"} 0
        rooms{state="active"} 0

        """
    )
  }

  @Test("a table has a line for each of its current rows")
  func tables() {
    let rows = Mutex<[MetricRegistry.Row]>([])
    registry.table("owner", help: "Owners.", columns: ["room", "node"]) { rows.withLock { $0 } }
    #expect(registry.text == "# HELP owner Owners.\n# TYPE owner gauge\n")
    rows.withLock { $0 = [["a", "7"], ["b \"c\"", "9"]] }
    #expect(lines.contains("owner{room=\"a\",node=\"7\"} 1"))
    #expect(lines.contains("owner{room=\"b \\\"c\\\"\",node=\"9\"} 1"))
    rows.withLock { $0 = [] }
    #expect(lines.count == 2)
  }

  @Test("counters count by label and take over totals from elsewhere")
  func counters() {
    let refused = registry.counters("refused_total", help: "-", label: "reason", of: Reason.self)
    let bytes = registry.counter("bytes_total", help: "-")
    refused[.late].add()
    refused[.late].add(4)
    bytes.raise(to: 300)
    bytes.raise(to: 299)
    #expect(
      lines.isSuperset(of: [
        #"refused_total{reason="late"} 5"#, #"refused_total{reason="early"} 0"#, "bytes_total 300",
      ])
    )
  }

  @Test("a gauge shows the last value, whatever number it is")
  func gauges() {
    let delay = registry.gauge("delay_seconds", help: "-")
    for (value, text) in [(0.0525, "0.0525"), (3, "3"), (.infinity, "+Inf"), (.nan, "NaN")] {
      delay.set(value)
      #expect(lines.contains("delay_seconds \(text)"))
    }
  }

  @Test("a sampled value is read when the text is generated")
  func sampled() {
    let source = registry.gauge("source", help: "-")
    registry.sampled("copy_total", help: "-", isCounter: true, labels: ["a": "b", "c": "d"]) {
      source.value * 2
    }
    source.set(21)
    #expect(lines.isSuperset(of: ["# TYPE copy_total counter", #"copy_total{a="b",c="d"} 42"#]))
  }

  @Test("a bucket contains all values up to its bound")
  func buckets() {
    let late = registry.histogram("late_seconds", help: "-", bounds: [0.001, 0.25, 10])
    for value in [0.001, 0.0011, 0.2, 99] { late.observe(value) }
    #expect(
      lines.isSuperset(of: [
        #"late_seconds_bucket{le="0.001"} 1"#, #"late_seconds_bucket{le="0.25"} 3"#,
        #"late_seconds_bucket{le="10"} 3"#, #"late_seconds_bucket{le="+Inf"} 4"#,
        "late_seconds_sum 99.2021", "late_seconds_count 4",
      ])
    )
  }

  @Test("any number is counted and spoils nothing")
  func strangeNumbers() {
    let histogram = Histogram(bounds: [1, 2])
    for value in [Double.nan, .infinity, -.infinity, -1, 0, 1e300, .leastNonzeroMagnitude] {
      histogram.observe(value)
    }
    #expect(histogram.count == 7 && histogram.sum.isFinite)
    #expect(histogram.counts == [3, 0, 4])
    #expect(histogram.quantile(0.5).isFinite && histogram.quantile(.nan).isFinite)
  }

  @Test("a quantile is in the bucket of its value")
  func quantiles() {
    let histogram = Histogram(bounds: [1, 2, 4])
    #expect(histogram.quantile(0.5) == 0)
    for _ in 0..<98 { histogram.observe(1.5) }
    for _ in 0..<2 { histogram.observe(9) }
    #expect(histogram.quantile(0.49) == 1.5)
    #expect(histogram.quantile(0.98) == 2 && histogram.quantile(1) == 4)
  }

  @Test("a label is escaped, whatever it contains")
  func labels() {
    _ = registry.counter("odd_total", help: "-", labels: ["kind": "a\"b\\c\nd"])
    #expect(lines.contains(#"odd_total{kind="a\"b\\c\nd"} 0"#))
  }

  @Test("many threads count concurrently without losses")
  func threads() {
    let counter = registry.counter("counted_total", help: "-")
    let histogram = registry.histogram("sized", help: "-", bounds: [10, 100])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<1000 {
        counter.add()
        histogram.observe(Double(number))
        if number % 100 == 0 { _ = registry.text }
      }
    }
    #expect(counter.value == 8000 && histogram.count == 8000)
    #expect(histogram.sum == 8 * 999 * 500)
  }

  @Test("a metric is registered once")
  func once() async {
    await #expect(processExitsWith: .failure) {
      let registry = MetricRegistry()
      _ = registry.counter("twice_total", help: "-")
      _ = registry.counter("twice_total", help: "-")
    }
  }
}
