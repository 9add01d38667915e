internal import Synchronization

/// A count of events, which only grows.
///
/// Any thread can update and read it: an update is one atomic addition and allocates nothing.
package final class Counter: Sendable {
  private let total = Atomic<UInt64>(0)

  init() {}

  /// The count so far.
  package var value: UInt64 { total.load(ordering: .relaxed) }

  /// Adds one or more.
  package func add(_ amount: UInt64 = 1) { total.wrappingAdd(amount, ordering: .relaxed) }

  /// Raises the count to a total from elsewhere; a smaller total changes nothing.
  package func raise(to total: UInt64) { self.total.max(total, ordering: .relaxed) }
}

/// A value that goes up and down.
///
/// Any thread can set and read it: an update is one atomic store.
package final class Gauge: Sendable {
  private let bits = Atomic<UInt64>(0)

  init() {}

  /// The current value.
  package var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  /// Sets the current value.
  package func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// Counters with one name and one label, with one counter for each case of an enumeration.
///
/// ```swift
/// let refused = registry.counters("requests_refused_total", help: "...", label: "reason",
///   of: Excess.self)
/// refused[.waiting].add()
/// ```
package struct CounterSet<Label>: Sendable
where Label: CaseIterable & Equatable & RawRepresentable<String> & Sendable {
  private let counters: [Counter]

  init(_ make: (Label) -> Counter) { counters = Label.allCases.map(make) }

  /// The counter of a case; a lookup is O(number of cases).
  package subscript(_ label: Label) -> Counter {
    // The list contains every case, so the counter is always found.
    zip(Label.allCases, counters).first { $0.0 == label }?.1 ?? Counter()
  }
}
