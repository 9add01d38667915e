/// Names in the order of their times, as a binary heap.
///
/// A name whose time changes is added again. Whoever takes names compares the time with the current
/// one, and ignores those that are out of date.
struct DueQueue: Sendable {
  private struct Item: Sendable {
    let time: Double
    let name: String
  }

  private var items: [Item] = []

  /// The number of names, including those that are out of date.
  var count: Int { items.count }

  /// The earliest time; infinite if there is none.
  var time: Double { items.first?.time ?? .infinity }

  mutating func removeAll() { items.removeAll(keepingCapacity: true) }

  mutating func add(_ name: String, at time: Double) {
    items.append(Item(time: time, name: name))
    var place = items.count - 1
    while place > 0, items[place].time < items[(place - 1) / 2].time {
      items.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the earliest name with a time up to the given one.
  mutating func take(until now: Double) -> (name: String, time: Double)? {
    guard let first = items.first, first.time <= now, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return (first.name, first.time) }
    items[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < items.count && items[child].time < items[least].time { least = child }
      guard least != place else { break }
      items.swapAt(place, least)
      place = least
    }
    return (first.name, first.time)
  }
}
