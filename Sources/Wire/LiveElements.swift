internal import Scene

/// The elements that all receivers of a stream know, because they are introduced and not retired.
struct LiveElements: Sendable {
  private struct Live: Sendable {
    var key: ElementKey
    var element: WireElement
  }

  private var elements: [Live] = []
  /// The positions in ``elements`` by the elements' numbers: a dictionary of the elements
  /// themselves would have space for twice as many.
  private var indices: [UInt64: Int] = [:]

  /// The number of elements.
  var count: Int { elements.count }

  /// Returns whether an element is known.
  func contains(_ key: ElementKey) -> Bool { indices[key.number] != nil }

  /// Returns the element with a number; nil if it is not known.
  func key(of number: UInt64) -> ElementKey? { indices[number].map { elements[$0].key } }

  /// All elements, by number.
  var all: [WireElement] { elements.map(\.element).sorted { $0.id < $1.id } }

  /// The keys of all elements, in no order.
  var keys: [ElementKey] { elements.map(\.key) }

  /// Returns whether an element is known with exactly this content.
  func has(_ element: WireElement) -> Bool {
    indices[element.id].map { elements[$0].element == element } ?? false
  }

  /// Adds an element, or replaces it.
  mutating func introduce(_ element: Element) -> WireElement {
    let introduced = WireElement(element)
    let live = Live(key: element.key, element: introduced)
    if let index = indices[introduced.id] {
      elements[index] = live
    } else {
      indices[introduced.id] = elements.count
      elements.append(live)
    }
    return introduced
  }

  /// Removes all elements except those to keep.
  /// - Returns: The numbers of the removed elements, ascending.
  mutating func retire(keeping isKept: (ElementKey) -> Bool) -> [UInt64] {
    let retired = elements.filter { !isKept($0.key) }.map(\.element.id).sorted()
    guard !retired.isEmpty else { return [] }
    elements = elements.filter { isKept($0.key) }
    indices = [:]
    for (index, live) in elements.enumerated() { indices[live.element.id] = index }
    return retired
  }

  /// Frees memory for further elements.
  mutating func rest() {
    var exact: [Live] = []
    exact.reserveCapacity(elements.count)
    exact.append(contentsOf: elements)
    elements = exact
  }
}
