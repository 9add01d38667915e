extension Catalogue {
  /// Returns the catalogue in an arrangement: books sorted on their shelves, without books that the
  /// filter excludes and without shelves that become empty.
  ///
  /// - Parameters:
  ///   - arrangement: The order and the filter; each word of the filter must match.
  ///   - kept: The id of a book that is never excluded, such as an open one; nil for none.
  /// - Returns: The catalogue to show; it may be empty.
  public func arranged(_ arrangement: Arrangement, keeping kept: String? = nil) -> Catalogue {
    let words = SearchKey.folded(arrangement.filter).split(whereSeparator: \.isWhitespace)
    if arrangement.order == .shelved, words.isEmpty { return self }
    var arranged = Catalogue(collections: [])
    for shelf in collections {
      var shelf = shelf
      if !words.isEmpty {
        shelf.books.removeAll { book in
          book.id != kept && !words.allSatisfy { book.searchKey.contains($0) }
        }
        if shelf.books.isEmpty { continue }
      }
      if arrangement.order != .shelved {
        shelf.books = shelf.books.enumerated()
          .sorted { arrangement.order.isBefore($0.element, $1.element) ?? ($0.offset < $1.offset) }
          .map(\.element)
      }
      arranged.collections.append(shelf)
    }
    return arranged
  }

  /// Returns the catalogue with new times of reading.
  ///
  /// - Parameter times: The time when each book was last read, in Unix seconds, by its id.
  /// - Returns: The same books; a book without a time was never read.
  public func read(at times: [String: Double]) -> Catalogue {
    var changed = self
    for shelf in collections.indices {
      for book in collections[shelf].books.indices {
        let id = collections[shelf].books[book].id
        changed.collections[shelf].books[book].lastRead = times[id]
      }
    }
    return changed
  }

  /// The time when each book was last read, in Unix seconds, by its id; books that were never read
  /// are omitted.
  public var lastReadTimes: [String: Double] {
    var times: [String: Double] = [:]
    for shelf in collections {
      for book in shelf.books { times[book.id] = book.lastRead }
    }
    return times
  }
}

extension Arrangement.Order {
  /// Returns whether a book comes before another; nil if the order does not decide.
  fileprivate func isBefore(_ a: CatalogueBook, _ b: CatalogueBook) -> Bool? {
    func compare<Value: Comparable>(_ a: Value, _ b: Value) -> Bool? { a == b ? nil : a < b }
    switch self {
    case .shelved: return nil
    case .title: return compare(a.searchKey, b.searchKey)
    case .added: return compare(b.added, a.added)
    case .lastRead: return compare(b.lastRead ?? -.infinity, a.lastRead ?? -.infinity)
    }
  }
}
