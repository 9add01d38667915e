internal import PressProtocol

/// The order of the books of a series: by volume, then by number.
struct SeriesOrder: Comparable {
  /// A place as far as it is a number, and as it is written; no place is the last one.
  private struct Place: Comparable {
    let value: Double
    let text: NaturalOrder

    init(_ text: String) {
      value = Double(text).flatMap { $0.isFinite ? $0 : nil } ?? .infinity
      self.text = NaturalOrder(text.isEmpty ? "\u{10FFFF}" : text)
    }

    static func < (a: Place, b: Place) -> Bool {
      if a.value != b.value { return a.value < b.value }
      return a.text < b.text
    }

    static func == (a: Place, b: Place) -> Bool { !(a < b) && !(b < a) }
  }

  private let volume: Place
  private let number: Place
  /// The position among the books of the series by other names.
  private let position: Int

  /// Creates the order of a place in a series.
  init(_ series: Series, position: Int) {
    (volume, number) = (Place(series.volume), Place(series.number))
    self.position = position
  }

  static func < (a: SeriesOrder, b: SeriesOrder) -> Bool {
    if a.volume != b.volume { return a.volume < b.volume }
    if a.number != b.number { return a.number < b.number }
    return a.position < b.position
  }

  /// Puts the books of each series in their order, where the first of them stands among the others.
  /// - Complexity: O(n log n).
  static func arranged(_ books: [Book]) -> [Book] {
    var members: [String: [SeriesOrder]] = [:]
    for (index, book) in books.enumerated() {
      guard let series = book.metadata.series else { continue }
      members[series.name.lowercased(), default: []].append(SeriesOrder(series, position: index))
    }
    guard !members.isEmpty else { return books }
    var arranged: [Book] = []
    for book in books {
      if let series = book.metadata.series {
        // The first book of the series brings all of them.
        let orders = members.removeValue(forKey: series.name.lowercased()) ?? []
        arranged += orders.sorted().map { books[$0.position] }
      } else {
        arranged.append(book)
      }
    }
    return arranged
  }
}
