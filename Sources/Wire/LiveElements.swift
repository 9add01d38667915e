internal import Scene

/// The elements that all receivers of a stream know, because they are introduced and not retired.
struct LiveElements: Sendable {
  private struct Live: Sendable {
    var key: ElementKey
    var element: WireElement
  }

  private var elements: [UInt64: Live] = [:]

  /// The number of elements.
  var count: Int { elements.count }

  /// Returns whether an element is known.
  func contains(_ key: ElementKey) -> Bool { elements[key.number] != nil }

  /// Returns the element with a number; nil if it is not known.
  func key(of number: UInt64) -> ElementKey? { elements[number]?.key }

  /// All elements, by number.
  var all: [WireElement] { elements.values.map(\.element).sorted { $0.id < $1.id } }

  /// The keys of all elements, in no order.
  var keys: [ElementKey] { elements.values.map(\.key) }

  /// Returns whether an element is known with exactly this content.
  func has(_ element: WireElement) -> Bool { elements[element.id]?.element == element }

  /// Adds an element, or replaces it.
  mutating func introduce(_ element: Element) -> WireElement {
    let introduced = WireElement(element)
    elements[introduced.id] = Live(key: element.key, element: introduced)
    return introduced
  }

  /// Removes all elements except those to keep.
  /// - Returns: The numbers of the removed elements, ascending.
  mutating func retire(keeping isKept: (ElementKey) -> Bool) -> [UInt64] {
    let retired = elements.filter { !isKept($0.value.key) }.keys.sorted()
    for number in retired { elements[number] = nil }
    return retired
  }
}
