/// A short list that is stored in place: up to four elements take no memory from the heap.
///
/// It serves the lists of every message of a finger, most of which have one element.
public struct Few<Element: Equatable & Sendable>: Equatable, Sendable {
  @usableFromInline var first, second, third, fourth: Element?
  @usableFromInline var rest: [Element] = []

  /// Creates an empty list.
  @inlinable public init() {}

  /// Creates a list of one element.
  @inlinable public init(_ one: Element) { first = one }

  /// Creates a list of two elements.
  @inlinable public init(_ one: Element, _ two: Element) { (first, second) = (one, two) }

  /// Creates a list of the elements of a sequence.
  @inlinable public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Whether there are no elements.
  @inlinable public var isEmpty: Bool { first == nil }

  /// The number of elements.
  @inlinable public var count: Int {
    fourth != nil ? 4 + rest.count : third != nil ? 3 : second != nil ? 2 : first != nil ? 1 : 0
  }

  /// Appends an element.
  @inlinable public mutating func append(_ element: Element) {
    switch count {
    case 0: first = element
    case 1: second = element
    case 2: third = element
    case 3: fourth = element
    default: rest.append(element)
    }
  }

  /// Appends the elements of a sequence.
  @inlinable public static func += (list: inout Few, elements: some Sequence<Element>) {
    for element in elements { list.append(element) }
  }
}

extension Few: Sequence {
  /// Iterates over the elements in order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline let list: Few
    @usableFromInline var index = 0

    @inlinable init(_ list: Few) { self.list = list }

    /// Returns the next element; nil after the last one.
    @inlinable public mutating func next() -> Element? {
      defer { index += 1 }
      switch index {
      case 0: return list.first
      case 1: return list.second
      case 2: return list.third
      case 3: return list.fourth
      default: return index - 4 < list.rest.count ? list.rest[index - 4] : nil
      }
    }
  }

  /// Returns an iterator over the elements.
  @inlinable public func makeIterator() -> Iterator { Iterator(self) }
}

extension Few: ExpressibleByArrayLiteral {
  /// Creates a list of the elements of a literal.
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}
