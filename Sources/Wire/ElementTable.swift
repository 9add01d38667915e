internal import Scene

/// The ids that a room gave to its elements.
///
/// Ids go up and start over after 65535, past those in use, so that an id is not soon used again.
struct ElementTable: Sendable {
  private var ids: [ElementKey: UInt16] = [:]
  private var keys: [UInt16: ElementKey] = [:]
  private var elements: [UInt16: WireElement] = [:]
  private var next: UInt16 = 0

  /// How many elements are known.
  var count: Int { ids.count }

  /// The id of an element, if it is known.
  func id(of key: ElementKey) -> UInt16? { ids[key] }

  /// The element of an id, if it is known.
  func key(of id: UInt16) -> ElementKey? { keys[id] }

  /// All elements, by id.
  var all: [WireElement] { elements.values.sorted { $0.id < $1.id } }

  /// Gives an element its id, or keeps that it has.
  mutating func introduce(_ element: Element) -> WireElement {
    let id = ids[element.key] ?? unusedID()
    let introduced = WireElement(element, id: id)
    ids[element.key] = id
    keys[id] = element.key
    elements[id] = introduced
    return introduced
  }

  /// Forgets elements and frees their ids.
  mutating func forget(where isForgotten: (ElementKey) -> Bool) {
    for (key, id) in ids where isForgotten(key) {
      ids[key] = nil
      keys[id] = nil
      elements[id] = nil
    }
  }

  private mutating func unusedID() -> UInt16 {
    precondition(count < Int(UInt16.max), "Reset the table of elements.")
    while elements[next] != nil { next &+= 1 }
    defer { next &+= 1 }
    return next
  }
}
