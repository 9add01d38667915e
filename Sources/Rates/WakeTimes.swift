/// The times at which things need attention without input, by their keys.
///
/// This is a binary heap: the soonest time is always known, and a change costs the logarithm of the
/// number of keys. A change allocates nothing once the buffers have grown. Everything is inlinable,
/// because code that is not specialized for a type of keys would allocate memory for each of them.
public struct WakeTimes<Key: Hashable & Comparable & Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var time: Double
    @usableFromInline var key: Key

    @inlinable
    init(time: Double, key: Key) { (self.time, self.key) = (time, key) }
  }

  /// No entry is sooner than its parent, which is at half of its position.
  @usableFromInline var heap: [Entry] = []
  @usableFromInline var places: [Key: Int] = [:]

  /// Creates an empty set of times.
  @inlinable public init() {}

  /// The soonest time; nil if there is none.
  @inlinable public var soonest: Double? { heap.first?.time }

  /// The number of keys with a time.
  @inlinable public var count: Int { heap.count }

  /// The time of a key; nil if it has none.
  ///
  /// - Complexity: To set it, O(log *n*); O(1) if it stays the same.
  @inlinable public subscript(key: Key) -> Double? {
    get { heap.isEmpty ? nil : places[key].map { heap[$0].time } }
    set {
      guard let newValue else { return heap.isEmpty ? () : remove(key) }
      guard let place = places[key] else { return insert(key, newValue) }
      let before = heap[place].time
      guard before != newValue else { return }
      heap[place].time = newValue
      newValue < before ? rise(from: place) : sink(from: place)
    }
  }

  /// Returns the keys whose time is not later than a given one, in ascending order.
  ///
  /// - Complexity: Depends on the number of these keys, and not on that of the others.
  @inlinable public func due(at time: Double) -> [Key] {
    var due: [Key] = []
    var open = soonest.map { $0 <= time } == true ? [0] : []
    while let place = open.popLast() {
      due.append(heap[place].key)
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].time <= time { open.append(child) }
    }
    return due.sorted()
  }

  /// Removes and returns the key with the soonest time, unless that is later than a given one.
  @inlinable public mutating func next(until time: Double) -> Key? {
    guard let first = heap.first, first.time <= time else { return nil }
    remove(first.key)
    return first.key
  }

  @inlinable mutating func insert(_ key: Key, _ time: Double) {
    places[key] = heap.count
    heap.append(Entry(time: time, key: key))
    rise(from: heap.count - 1)
  }

  @inlinable mutating func remove(_ key: Key) {
    guard let place = places.removeValue(forKey: key) else { return }
    let last = heap.removeLast()
    guard place < heap.count else { return }
    let before = heap[place].time
    heap[place] = last
    places[last.key] = place
    last.time < before ? rise(from: place) : sink(from: place)
  }

  @inlinable mutating func rise(from start: Int) {
    var place = start
    while place > 0, heap[place].time < heap[(place - 1) / 2].time {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  @inlinable mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      let (left, right) = (2 * place + 1, 2 * place + 2)
      if left < heap.count, heap[left].time < heap[least].time { least = left }
      if right < heap.count, heap[right].time < heap[least].time { least = right }
      guard least != place else { return }
      exchange(place, least)
      place = least
    }
  }

  @inlinable mutating func exchange(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].key] = one
    places[heap[other].key] = other
  }
}
