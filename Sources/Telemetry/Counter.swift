internal import Synchronization

/// A number of things that happened, which only grows.
///
/// Any thread may count and any may read: an update is one atomic addition and allocates nothing.
public final class Counter: Sendable {
  private let total = Atomic<UInt64>(0)

  init() {}

  /// How many there were so far.
  public var value: UInt64 { total.load(ordering: .relaxed) }

  /// Counts one, or several.
  public func add(_ amount: UInt64 = 1) { total.wrappingAdd(amount, ordering: .relaxed) }

  /// Takes over a total that is counted elsewhere; a smaller one than before changes nothing.
  public func raise(to total: UInt64) { self.total.max(total, ordering: .relaxed) }
}

/// A value that goes up and down.
///
/// Any thread may set it and any may read: an update is one atomic store.
public final class Gauge: Sendable {
  private let bits = Atomic<UInt64>(0)

  init() {}

  /// How much there is.
  public var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  /// Notes how much there is now.
  public func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// Counters of one name that a label tells apart, one for each case of an enumeration.
///
/// ```swift
/// let refused = registry.counters("requests_refused_total", help: "...", label: "reason",
///   of: Excess.self)
/// refused[.waiting].add()
/// ```
public struct CounterSet<Label>: Sendable
where Label: CaseIterable & Equatable & RawRepresentable<String> & Sendable {
  private let counters: [Counter]

  init(_ make: (Label) -> Counter) { counters = Label.allCases.map(make) }

  /// The counter of a label; its cost grows with the number of labels.
  public subscript(_ label: Label) -> Counter {
    // Every case is among all cases.
    zip(Label.allCases, counters).first { $0.0 == label }?.1 ?? Counter()
  }
}
