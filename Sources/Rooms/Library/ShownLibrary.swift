public import Scene
public import Staging

/// A shelf as rooms show it: its contents and how it is laid out.
///
/// It never changes.
public final class ShownShelf: Sendable {
  /// What is on it.
  public let content: CatalogueCollection
  /// How it is laid out.
  public let plan: ShelfPlan

  /// Lays out a shelf; costs as much as it has books.
  /// - Parameters:
  ///   - content: What is on it.
  ///   - index: Where it is in its library.
  ///   - numbers: What gives numbers to its elements.
  init(_ content: CatalogueCollection, at index: Int, numbers: ElementNumbers) {
    self.content = content
    plan = ShelfPlan(content.outline, at: index, numbers: numbers)
  }
}

/// What of a library is shown: its contents, and how it is laid out for the stage.
///
/// Constant, and shared by the rooms that show it: a copy is a handful of references. It is made
/// away from the thread that sends frames, but for what shows a single book or shelf.
public struct ShownLibrary: Sendable {
  /// The shelves, in list order, and what a recording shows of books that may be gone.
  private enum Contents: Sendable {
    case shelves([ShownShelf])
    /// Books are looked up in a library that may have changed since.
    indirect case recorded(ShownLibrary)
  }

  /// How it is laid out.
  public let layout: LibraryLayout
  /// What gives numbers to its elements.
  let numbers: ElementNumbers
  private let contents: Contents

  init(shelves: [ShownShelf], numbers: ElementNumbers) {
    layout = LibraryLayout(shelves: shelves.map(\.plan))
    contents = .shelves(shelves)
    self.numbers = numbers
  }

  /// Lays out a catalogue; costs as much as it has books.
  public init(_ catalogue: Catalogue, numbers: ElementNumbers = ElementNumbers()) {
    let shelves = catalogue.collections.enumerated().map { index, collection in
      ShownShelf(collection, at: index, numbers: numbers)
    }
    self.init(shelves: shelves, numbers: numbers)
  }

  /// What a recording shows: the books of its layout as this library has them, and blank paper for
  /// those that are gone.
  init(recorded layout: LibraryLayout, in library: ShownLibrary) {
    self.layout = layout
    numbers = library.numbers
    contents = .recorded(library)
  }

  /// The shelves; none of a recording.
  var shelves: [ShownShelf] {
    if case .shelves(let shelves) = contents { shelves } else { [] }
  }

  /// The contents, for tests and tools; costs as much as there are shelves.
  public var catalogue: Catalogue { Catalogue(collections: shelves.map(\.content)) }
}

// MARK: - What is where

extension ShownLibrary {
  /// How many collections there are.
  var count: Int { layout.shelves.count }

  /// How many books a collection has; 0 for one that is not here.
  func bookCount(ofCollection index: Int) -> Int {
    layout.shelves.indices.contains(index) ? layout.shelves[index].count : 0
  }

  /// The title of a collection; nil for one that is not here.
  func title(ofCollection index: Int) -> String? {
    guard layout.shelves.indices.contains(index) else { return nil }
    switch contents {
    case .shelves(let shelves): return shelves[index].content.title
    case .recorded(let library):
      return library.shelf(layout.shelves[index].outline)?.content.title ?? Words.recordedShelf
    }
  }

  /// The address of the drawing of a collection's ledge; nil for a collection that is not here.
  ///
  /// For a recording this costs as much as the collection has books: the drawing shows their
  /// spines, so a recording that lacks some of them shows the ledge of a single book instead.
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

  /// The shelf that was recorded, as it is now; nil if it is gone.
  private func shelf(_ recorded: CollectionOutline) -> ShownShelf? {
    layout.collection(named: recorded.id).map { shelves[$0] }
  }

  /// The book at a place; nil if there is none.
  func book(at place: Stage.Place) -> CatalogueBook? {
    guard layout.contains(place) else { return nil }
    switch contents {
    case .shelves(let shelves): return shelves[place.collection].content.books[place.book]
    case .recorded(let library):
      let outline = layout.shelves[place.collection].outline.books[place.book]
      return library.book(named: outline.id)?.shaped(as: outline) ?? CatalogueBook(lost: outline)
    }
  }

  /// A book by its id; nil if it is not here.
  func book(named id: String) -> CatalogueBook? {
    layout.place(of: id).flatMap { book(at: $0) }
  }

  /// The shelf that a book stands on; nil if it stands nowhere, and in a recording.
  func shelf(of book: String) -> ShownShelf? {
    let shelves = shelves
    guard !shelves.isEmpty, let place = layout.place(of: book) else { return nil }
    return shelves[place.collection]
  }
}

// MARK: - Parts of it

extension ShownLibrary {
  /// Some books alone, in this order, on the shelf of the last of them; without them, nothing.
  func only(_ ids: [String]) -> ShownLibrary {
    guard let last = ids.last, var content = shelf(of: last)?.content else {
      return ShownLibrary(shelves: [], numbers: numbers)
    }
    content.books = ids.compactMap { book(named: $0) }
    // The ledge of the shelf would show the spines of its other books.
    content.ledgeURL = Self.ledgeURL(ofBook: last)
    let shelf = ShownShelf(content, at: 0, numbers: numbers)
    return ShownLibrary(shelves: [shelf], numbers: numbers)
  }

  /// The shelf of a book alone; nil if it stands nowhere.
  func onlyShelf(of book: String) -> ShownLibrary? {
    shelf(of: book).map { ShownLibrary(shelves: [$0], numbers: numbers) }
  }
}

extension ShownLibrary: Equatable {
  /// Whether both show the same objects; two that were laid out apart are not the same.
  public static func == (one: ShownLibrary, other: ShownLibrary) -> Bool {
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
  /// The book with as many pages, of the shape, that it had when it was recorded.
  fileprivate func shaped(as outline: BookOutline) -> CatalogueBook {
    var book = self
    book.pageSize = outline.pageSize
    book.progression = outline.progression
    if pageURLs.count != outline.pageCount {
      // Before first pages were read inside, a book had a face for each page and no more.
      if lead > 0, outline.pageCount == pageCount {
        book.lead = 0
        book.pageURLs = pageURLs.pages
      }
      book.pageURLs = book.pageURLs.resized(to: outline.pageCount)
    }
    return book
  }

  /// Blank paper in the shape of a book that is not here any more.
  fileprivate init(lost outline: BookOutline) {
    self.init(
      id: outline.id,
      title: Words.lostBook,
      author: "",
      pageURLs: PageAddresses([]).resized(to: outline.pageCount),
      pageSize: outline.pageSize,
      progression: outline.progression
    )
  }
}
