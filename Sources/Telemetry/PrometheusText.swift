/// The text format of Prometheus, version 0.0.4.
struct PrometheusText {
  /// All lines.
  private(set) var text = ""

  init(_ families: [MetricRegistry.Family]) {
    for family in families { write(family) }
  }

  private mutating func write(_ family: MetricRegistry.Family) {
    text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
    text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
    for series in family.series {
      switch series.value {
      case .counter(let counter): line(family.name, series.labels, "\(counter.value)")
      case .gauge(let gauge): line(family.name, series.labels, Self.number(gauge.value))
      case .sampled(let sample): line(family.name, series.labels, Self.number(sample()))
      case .table(let rows):
        for row in rows() {
          let labels = zip(series.labels, row).map { (name: $0.name, value: $1) }
          line(family.name, labels, "1")
        }
      case .histogram(let histogram): write(histogram, family.name, series.labels)
      }
    }
  }

  private mutating func write(
    _ histogram: Histogram,
    _ name: String,
    _ labels: [(name: String, value: String)]
  ) {
    var total: UInt64 = 0
    let bounds = histogram.bounds.map(Self.number) + ["+Inf"]
    for (bound, count) in zip(bounds, histogram.counts) {
      total += count
      line(name + "_bucket", labels + [("le", bound)], "\(total)")
    }
    line(name + "_sum", labels, Self.number(histogram.sum))
    line(name + "_count", labels, "\(total)")
  }

  private mutating func line(
    _ name: String,
    _ labels: [(name: String, value: String)],
    _ value: String
  ) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
    text += name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(value)\n"
  }

  private static func number(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    if value.isFinite { return "\(value)" }
    return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    text.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\"" where quotes: text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
