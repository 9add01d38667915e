package import Scene
package import Staging

/// A shelf as rooms show it: its contents and its layout.
///
/// It is immutable.
package final class ShownShelf: Sendable {
  /// Its contents.
  package let content: CatalogueCollection
  /// Its layout.
  package let plan: ShelfPlan

  /// Lays out a shelf; the cost is proportional to its number of books.
  /// - Parameters:
  ///   - content: Its contents.
  ///   - index: Its index in its library.
  ///   - numbers: Assigns the numbers of its elements.
  init(_ content: CatalogueCollection, at index: Int, numbers: ElementNumbers) {
    self.content = content
    plan = ShelfPlan(content.outline, at: index, numbers: numbers)
  }

  /// Creates another state of a shelf with the same layout.
  private init(_ content: CatalogueCollection, plan: ShelfPlan) {
    (self.content, self.plan) = (content, plan)
  }

  /// Returns the shelf with another state of a book; nil if that needs another layout.
  fileprivate func replacing(_ book: CatalogueBook, at index: Int) -> ShownShelf? {
    guard content.books[index].outline == book.outline else { return nil }
    var content = content
    content.books[index] = book
    return ShownShelf(content, plan: plan)
  }
}

/// The part of a library that is shown: its contents, and its layout for the stage.
///
/// It is immutable and shared by the rooms that show it; a copy is a handful of references. It is
/// created away from the thread that sends frames, unless it shows a single book or shelf.
package struct ShownLibrary: Sendable {
  /// The shelves, in list order, or what a recording shows of books that may be gone.
  private enum Contents: Sendable {
    case shelves([ShownShelf])
    /// The books are looked up in a library that may have changed since the recording.
    indirect case recorded(ShownLibrary)
  }

  /// Its layout.
  package let layout: LibraryLayout
  /// Assigns the numbers of its elements.
  let numbers: ElementNumbers
  /// The ids of books that are not on a shelf because their files are gone; see
  /// ``Scene/Catalogue/missing``.
  let missing: Set<String>
  private let contents: Contents

  init(shelves: [ShownShelf], missing: Set<String>, numbers: ElementNumbers) {
    layout = LibraryLayout(shelves: shelves.map(\.plan))
    contents = .shelves(shelves)
    (self.missing, self.numbers) = (missing, numbers)
  }

  /// Lays out a catalogue; the cost is proportional to its number of books.
  package init(_ catalogue: Catalogue, numbers: ElementNumbers = ElementNumbers()) {
    let shelves = catalogue.collections.enumerated().map { index, collection in
      ShownShelf(collection, at: index, numbers: numbers)
    }
    self.init(shelves: shelves, missing: catalogue.missing, numbers: numbers)
  }

  /// Creates what a recording shows: the books of its layout as a library has them, and blank paper
  /// for those that are gone.
  init(recorded layout: LibraryLayout, in library: ShownLibrary) {
    self.layout = layout
    (numbers, missing) = (library.numbers, library.missing)
    contents = .recorded(library)
  }

  /// The shelves; empty for a recording.
  var shelves: [ShownShelf] {
    if case .shelves(let shelves) = contents { shelves } else { [] }
  }

  /// The contents, for tests and tools; the cost is proportional to the number of shelves.
  package var catalogue: Catalogue {
    Catalogue(collections: shelves.map(\.content), missing: missing)
  }
}

// MARK: - Changes

extension ShownLibrary {
  /// Creates another state of a library with the same layout.
  private init(_ shelves: [ShownShelf], of library: ShownLibrary) {
    (layout, numbers, missing) = (library.layout, library.numbers, library.missing)
    contents = .shelves(shelves)
  }

  /// Returns the shelves that differ with another state of some books, by their index; nil if a
  /// book is not here or needs another layout.
  func shelves(with books: [CatalogueBook]) -> [Int: ShownShelf]? {
    let shelves = shelves
    var changed: [Int: ShownShelf] = [:]
    for book in books {
      guard layout.index(of: book.id) != nil else { return nil }
      // It may be on several shelves.
      for (index, shelf) in shelves.enumerated() {
        guard let place = shelf.plan.index(of: book.id) else { continue }
        let shelf = changed[index] ?? shelf
        guard shelf.content.books[place] != book else { continue }
        guard let next = shelf.replacing(book, at: place) else { return nil }
        changed[index] = next
      }
    }
    return changed
  }

  /// Returns the library with other states of some shelves, which have the same layout.
  func replacing(_ changed: [Int: ShownShelf]) -> ShownLibrary {
    var shelves = shelves
    for (index, shelf) in changed { shelves[index] = shelf }
    return ShownLibrary(shelves, of: self)
  }
}

// MARK: - What is where

extension ShownLibrary {
  /// The number of collections.
  var count: Int { layout.shelves.count }

  /// Returns the number of books of a collection; 0 if there is no such collection.
  func bookCount(ofCollection index: Int) -> Int {
    layout.shelves.indices.contains(index) ? layout.shelves[index].count : 0
  }

  /// Returns the id of a collection; empty if there is no such collection.
  func name(ofCollection index: Int) -> String {
    layout.shelves.indices.contains(index) ? layout.shelves[index].outline.id : ""
  }

  /// Returns the title of a collection; nil if there is no such collection.
  func title(ofCollection index: Int) -> String? {
    guard layout.shelves.indices.contains(index) else { return nil }
    switch contents {
    case .shelves(let shelves): return shelves[index].content.title
    case .recorded(let library):
      return library.shelf(layout.shelves[index].outline)?.content.title ?? ""
    }
  }

  /// Returns the address of the drawing of a collection's ledge; nil if there is no such
  /// collection.
  ///
  /// For a recording the cost is proportional to the collection's number of books: the drawing
  /// shows their spines, so a recording that lacks some of them shows the ledge of a single book
  /// instead.
  func ledgeURL(ofCollection index: Int) -> String? {
    guard layout.shelves.indices.contains(index) else { return nil }
    switch contents {
    case .shelves(let shelves): return shelves[index].content.ledgeURL
    case .recorded(let library):
      let recorded = layout.shelves[index].outline
      guard let content = library.shelf(recorded)?.content else { return "" }
      let ids = Set(recorded.books.map(\.id))
      if content.books.allSatisfy({ ids.contains($0.id) }) { return content.ledgeURL }
      let last = recorded.books.last { library.book(named: $0.id) != nil }
      return last.map { Self.ledgeURL(ofBook: $0.id) } ?? ""
    }
  }

  private static func ledgeURL(ofBook id: String) -> String { "/ledges/book/\(id).svg" }

  /// Returns the current state of a shelf that was recorded; nil if the shelf is gone.
  private func shelf(_ recorded: CollectionOutline) -> ShownShelf? {
    layout.collection(named: recorded.id).map { shelves[$0] }
  }

  /// Returns the book at a place; nil if there is none.
  func book(at place: BookIndex) -> CatalogueBook? {
    guard layout.contains(place) else { return nil }
    switch contents {
    case .shelves(let shelves): return shelves[place.collection].content.books[place.book]
    case .recorded(let library):
      let outline = layout.shelves[place.collection].outline.books[place.book]
      return library.book(named: outline.id)?.shaped(as: outline) ?? CatalogueBook(lost: outline)
    }
  }

  /// Returns the book with an id; nil if it is not here.
  func book(named id: String) -> CatalogueBook? { layout.index(of: id).flatMap { book(at: $0) } }

  /// Finds the shelf that contains a book.
  /// - Parameters:
  ///   - book: The id of the book.
  ///   - preferred: The id of the collection to return if several contain the book.
  /// - Returns: The shelf; nil if none contains the book, and for a recording.
  func shelf(of book: String, preferring preferred: String) -> ShownShelf? {
    let shelves = shelves
    let collection = layout.collection(named: preferred) ?? -1
    guard !shelves.isEmpty, let place = layout.index(of: book, preferring: collection) else {
      return nil
    }
    return shelves[place.collection]
  }
}

// MARK: - Parts of it

extension ShownLibrary {
  /// Selects a shared book alone on its shelf, after the one that is left for it.
  /// - Parameters:
  ///   - shared: The shared book and its collection.
  ///   - other: The id of the book that is left; nil for none.
  /// - Returns: The library of these books; empty if the shared one has no shelf.
  func only(_ shared: RoomRecord, after other: String? = nil) -> ShownLibrary {
    guard var content = shelf(of: shared)?.content else { return parts([]) }
    content.books = [other, shared.book].compactMap { id in id.flatMap { book(named: $0) } }
    // The ledge of the shelf would show the spines of its other books.
    content.ledgeURL = Self.ledgeURL(ofBook: shared.book)
    return parts([ShownShelf(content, at: 0, numbers: numbers)])
  }

  /// Returns the shelf of a shared book alone; nil if no shelf contains the book.
  func onlyShelf(of shared: RoomRecord) -> ShownLibrary? { shelf(of: shared).map { parts([$0]) } }

  private func shelf(of shared: RoomRecord) -> ShownShelf? {
    shelf(of: shared.book, preferring: shared.collection)
  }

  private func parts(_ shelves: [ShownShelf]) -> ShownLibrary {
    ShownLibrary(shelves: shelves, missing: missing, numbers: numbers)
  }
}

extension ShownLibrary: Equatable {
  /// Whether both show the same objects; two libraries that were laid out separately are not equal.
  package static func == (one: ShownLibrary, other: ShownLibrary) -> Bool {
    switch (one.contents, other.contents) {
    case (.shelves(let some), .shelves(let others)):
      some.count == others.count && zip(some, others).allSatisfy { $0 === $1 }
    case (.recorded(let library), .recorded(let another)):
      one.layout === other.layout && library == another
    default: false
    }
  }
}

extension CatalogueBook {
  /// Returns the book with the number of pages, the shape and the paper stock that it had when it
  /// was recorded.
  fileprivate func shaped(as outline: BookOutline) -> CatalogueBook {
    var book = self
    book.pageSize = outline.pageSize
    book.progression = outline.progression
    book.stock = outline.stock
    guard pageURLs.count != outline.pageCount else { return book }
    // Before wide pages took two faces, and before first pages were also read inside, a book had
    // one face for each page.
    let earlier = [true, false].map { Imposition(pageCount: pageCount, repeatsCover: $0) }
    if let imposition = earlier.first(where: { $0.faceCount == outline.pageCount }) {
      book.imposition = imposition
      book.pageURLs = pageURLs.imposed(imposition)
    }
    book.imposition = book.imposition.resized(to: outline.pageCount)
    book.pageURLs = book.pageURLs.resized(to: outline.pageCount)
    return book
  }

  /// Creates blank paper in the shape of a book that is gone.
  fileprivate init(lost outline: BookOutline) {
    self.init(
      id: outline.id,
      title: "",
      author: "",
      pageURLs: PageAddresses([]).resized(to: outline.pageCount),
      pageSize: outline.pageSize,
      progression: outline.progression,
      stock: outline.stock
    )
  }
}
