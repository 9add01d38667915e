package import Scene
internal import Staging

/// The changes of a library since the previous update.
package struct LibraryUpdate: Sendable {
  /// The current library; shelves that did not change are the same objects as before.
  package let library: ShownLibrary
  /// The ids of new books.
  package let added: Set<String>
  /// The ids of books that are gone.
  package let removed: Set<String>
  /// The ids of books with another title, cover or page, or on another shelf, or that are off all
  /// shelves for another reason.
  package let altered: Set<String>
  /// The ids of collections that are new, moved or gone, that have another title or ledge, or whose
  /// books are different ones or in another order.
  package let rearranged: Set<String>

  /// Whether the books differ only in when they were last read.
  package var isReadingAlone: Bool {
    added.isEmpty && removed.isEmpty && altered.isEmpty && rearranged.isEmpty
  }

  /// Whether a book that is shown alone looks different, is gone or is back.
  package func concerns(_ book: String) -> Bool {
    added.contains(book) || removed.contains(book) || altered.contains(book)
  }

  /// Whether the open book of a session has lost its file with this update, and stays open until
  /// it is closed.
  func takesFile(from session: StageSession) -> Bool {
    session.selection.keepsBook(of: session.stage)
      && session.stage.openBook.map(removed.contains) == true
  }
}

/// Tracks a library, away from the thread that sends frames: finds what changed and lays out only
/// that.
package struct LibraryTracker: Sendable {
  /// The library after the last update.
  package private(set) var library: ShownLibrary

  /// Creates a tracker of a library.
  package init(_ library: ShownLibrary) { self.library = library }

  /// Takes over a change of the catalogue.
  ///
  /// The cost of changed books is that of copying the lists of their shelves.
  /// - Parameters:
  ///   - change: What has changed.
  ///   - catalogue: Returns the current catalogue.
  /// - Returns: What changed for rooms; nil if nothing did.
  package mutating func update(
    _ change: CatalogueChange,
    of catalogue: () -> Catalogue
  ) -> LibraryUpdate? {
    guard case .books(let books) = change, let shelves = library.shelves(with: books) else {
      return update(to: catalogue())
    }
    guard !shelves.isEmpty else { return nil }
    let altered = books.filter { library.book(named: $0.id)?.neverRead != $0.neverRead }
    library = library.replacing(shelves)
    return LibraryUpdate(
      library: library,
      added: [],
      removed: [],
      altered: Set(altered.map(\.id)),
      rearranged: []
    )
  }

  /// Compares the library with its current catalogue; the cost is proportional to the number of
  /// books.
  /// - Returns: What changed; nil if nothing did.
  package mutating func update(to catalogue: Catalogue) -> LibraryUpdate? {
    let before = library.shelves
    var known: [String: ShownShelf] = [:]
    for (index, shelf) in before.enumerated() { known[Self.name(shelf.content, index)] = shelf }
    var isOther = before.count != catalogue.collections.count
    var rearranged: Set<String> = []
    let shelves = catalogue.collections.enumerated().map { index, content in
      let name = Self.name(content, index)
      let old = known.removeValue(forKey: name)
      if old !== (before.indices.contains(index) ? before[index] : nil) {
        (isOther, _) = (true, rearranged.insert(name))
      }
      if let old, old.content == content { return old }
      isOther = true
      if old.map({ !$0.content.isArranged(like: content) }) ?? true { rearranged.insert(name) }
      return ShownShelf(content, at: index, numbers: library.numbers)
    }
    rearranged.formUnion(known.keys)
    let missing = library.missing.symmetricDifference(catalogue.missing)
    guard isOther || !known.isEmpty || !missing.isEmpty else { return nil }
    let (old, new) = (Self.books(before), Self.books(shelves))
    library = ShownLibrary(
      shelves: shelves,
      missing: catalogue.missing,
      numbers: library.numbers
    )
    return LibraryUpdate(
      library: library,
      added: Set(new.keys.filter { old[$0] == nil }),
      removed: Set(old.keys.filter { new[$0] == nil }),
      altered: Set(new.filter { id, book in old[id].map { $0 != book } ?? false }.keys)
        .union(missing.filter { old[$0] == nil && new[$0] == nil }),
      rearranged: rearranged
    )
  }

  private static func name(_ collection: CatalogueCollection, _ index: Int) -> String {
    collection.id.isEmpty ? "\(index)" : collection.id
  }

  /// A book on its shelf, regardless of when it was read.
  private struct Standing: Equatable {
    let book: CatalogueBook
    let shelf: String
  }

  private static func books(_ shelves: [ShownShelf]) -> [String: Standing] {
    var books: [String: Standing] = [:]
    for (index, shelf) in shelves.enumerated() {
      let name = name(shelf.content, index)
      for (place, book) in shelf.content.books.enumerated() {
        let id = book.id.isEmpty ? "\(name)/\(place)" : book.id
        guard books[id] == nil else { continue }
        books[id] = Standing(book: book.neverRead, shelf: name)
      }
    }
    return books
  }
}

extension CatalogueCollection {
  /// Whether another state has the same title and ledge and the same books in the same order.
  fileprivate func isArranged(like other: CatalogueCollection) -> Bool {
    title == other.title && ledgeURL == other.ledgeURL
      && books.lazy.map(\.id).elementsEqual(other.books.lazy.map(\.id))
  }
}

extension CatalogueBook {
  fileprivate var neverRead: CatalogueBook {
    var book = self
    book.lastRead = nil
    return book
  }
}

/// A request to sort or filter the library of a room.
///
/// The time to sort grows with the library, so it is done away from the thread that sends frames.
package struct ArrangementRequest: Equatable, Sendable {
  /// The library to arrange.
  let library: ShownLibrary
  /// The library whose reading times determine the order; nil if they are not needed.
  let timed: ShownLibrary?
  /// The order and the filter.
  package let arrangement: Arrangement
  /// The id of a book that is kept regardless of the filter; nil for none.
  let kept: String?

  /// Computes the arrangement, on any thread; the cost is n log n for n books.
  package func arranged() -> ShownLibrary {
    var catalogue = library.catalogue
    if let timed { catalogue = catalogue.read(at: timed.catalogue.lastReadTimes) }
    return ShownLibrary(catalogue.arranged(arrangement, keeping: kept), numbers: library.numbers)
  }
}

extension Arrangement {
  /// Whether it is the library's own arrangement, so that nothing has to be sorted.
  var isPlain: Bool { order == .shelved && filter.allSatisfy(\.isWhitespace) }
}
