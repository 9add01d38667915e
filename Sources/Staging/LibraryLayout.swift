internal import Motion
package import Scene

/// The layout of a collection as a shelf: the positions and sizes of its covers.
///
/// The plan is immutable and is shared by all stages that show it. Laying it out is linear in the
/// number of its books, so this happens outside the thread that sends frames.
package final class ShelfPlan: Sendable {
  /// The outline of the collection.
  package let outline: CollectionOutline
  /// The number of the collection's element.
  package let number: UInt64
  /// The first number of each book; see ``ElementNumbers``.
  let numbers: [UInt64]
  let boxes: [PageBox]
  let layout: ShelfLayout
  let wall: WallLayout
  /// The index of each book by its id; books without an id are omitted.
  private let indices: [String: Int]
  /// The index of each book by its first number.
  private let items: [UInt64: Int]

  /// Creates the layout of a collection.
  /// - Parameters:
  ///   - outline: The outline of the collection.
  ///   - index: The index of the collection in the library, which identifies it if it has no id.
  ///   - numbers: The source of element numbers.
  package init(_ outline: CollectionOutline, at index: Int, numbers: ElementNumbers) {
    self.outline = outline
    let name = outline.id.isEmpty ? "\(index)" : outline.id
    number = numbers.collection(name)
    boxes = outline.books.map { PageBox(fitting: $0.pageSize) }
    layout = ShelfLayout(boxes: boxes)
    wall = WallLayout(count: boxes.count)
    var indices: [String: Int] = [:]
    var items: [UInt64: Int] = [:]
    var first: [UInt64] = []
    first.reserveCapacity(outline.books.count)
    for (place, book) in outline.books.enumerated() {
      let id = book.id.isEmpty ? "\(name)/\(place)" : book.id
      let item = numbers.book(id, faces: book.pageCount, copy: book.copy)
      first.append(item)
      if items[item] == nil { items[item] = place }
      if !book.id.isEmpty, indices[book.id] == nil { indices[book.id] = place }
    }
    self.numbers = first
    self.indices = indices
    self.items = items
  }

  /// The number of books.
  package var count: Int { boxes.count }

  /// Returns the index of a book by its id; nil if it is not on this shelf.
  package func index(of book: String) -> Int? { indices[book] }

  /// Returns the index of the book with a first number; nil if it is not on this shelf.
  func index(ofItem item: UInt64) -> Int? { items[item] }

  /// Returns the index here of a book in another layout of this collection; nil if it is not here.
  func index(of index: Int, in old: ShelfPlan) -> Int? {
    guard old.outline.books.indices.contains(index) else { return nil }
    let id = old.outline.books[index].id
    if id.isEmpty { return outline.books.indices.contains(index) ? index : nil }
    return indices[id]
  }
}

/// The layout of a library: its shelves, and the index of each book.
///
/// The layout is immutable and is shared by all stages that show it. Creating it from existing
/// shelves is linear in the number of shelves and, unless there is only one, of books.
package final class LibraryLayout: Sendable {
  /// The shelves, in the order of the list.
  package let shelves: [ShelfPlan]
  let list: LedgeList
  private let collections: [String: Int]
  /// The index of each collection by the number of its element.
  private let ledges: [UInt64: Int]
  /// The index of each book by its id; empty for a single shelf, which has an index itself.
  private let books: [String: BookIndex]
  /// The index of each book by its first number; empty for a single shelf.
  private let items: [UInt64: BookIndex]

  /// Creates the layout of a library from its shelves.
  package init(shelves: [ShelfPlan]) {
    self.shelves = shelves
    list = LedgeList(count: shelves.count)
    var collections: [String: Int] = [:]
    var ledges: [UInt64: Int] = [:]
    var books: [String: BookIndex] = [:]
    var items: [UInt64: BookIndex] = [:]
    for (collection, shelf) in shelves.enumerated() {
      let id = shelf.outline.id
      if !id.isEmpty, collections[id] == nil { collections[id] = collection }
      if ledges[shelf.number] == nil { ledges[shelf.number] = collection }
      // A single shelf has an index of its books.
      guard shelves.count > 1 else { break }
      for (book, outline) in shelf.outline.books.enumerated() {
        let index = BookIndex(collection: collection, book: book)
        if !outline.id.isEmpty, books[outline.id] == nil { books[outline.id] = index }
        if items[shelf.numbers[book]] == nil { items[shelf.numbers[book]] = index }
      }
    }
    (self.collections, self.ledges) = (collections, ledges)
    (self.books, self.items) = (books, items)
  }

  /// Creates the layout of a library and all its shelves.
  /// - Parameters:
  ///   - outline: The outline of the library.
  ///   - numbers: The source of element numbers.
  package convenience init(_ outline: LibraryOutline, numbers: ElementNumbers = ElementNumbers()) {
    let shelves = outline.collections.enumerated().map { index, collection in
      ShelfPlan(collection, at: index, numbers: numbers)
    }
    self.init(shelves: shelves)
  }

  /// The outline; linear in the number of shelves.
  package var outline: LibraryOutline { LibraryOutline(collections: shelves.map(\.outline)) }

  /// Returns the index of a book by its id; nil if it is not in the library.
  package func index(of book: String) -> BookIndex? {
    guard !book.isEmpty else { return nil }
    guard shelves.count == 1 else { return books[book] }
    return shelves[0].index(of: book).map { BookIndex(collection: 0, book: $0) }
  }

  /// Returns the index of a book by its id; of one that is on several shelves, that in a collection
  /// if it is there, and else the first.
  package func index(of book: String, preferring collection: Int) -> BookIndex? {
    guard !book.isEmpty else { return nil }
    if shelves.indices.contains(collection), let place = shelves[collection].index(of: book) {
      return BookIndex(collection: collection, book: place)
    }
    return index(of: book)
  }

  /// Returns the name of the book at an index: its id, or its two indices if it has none.
  func name(of index: BookIndex) -> String {
    let id = self[index].id
    return id.isEmpty ? "\(index.collection)/\(index.book)" : id
  }

  /// Returns the index of the book with a name from ``name(of:)``; nil if it is not in the library.
  func index(named name: String) -> BookIndex? {
    if let index = index(of: name) { return index }
    let indices = name.split(separator: "/").map { Int($0) }
    guard indices.count == 2, let collection = indices[0], let book = indices[1] else { return nil }
    let index = BookIndex(collection: collection, book: book)
    return contains(index) && self[index].id.isEmpty ? index : nil
  }

  /// Returns whether there is a book at an index.
  package func contains(_ index: BookIndex) -> Bool {
    shelves.indices.contains(index.collection)
      && shelves[index.collection].boxes.indices.contains(index.book)
  }

  /// The outline of the book at an index.
  subscript(index: BookIndex) -> BookOutline { shelves[index.collection].outline.books[index.book] }

  /// Returns the page box of a book.
  func box(of index: BookIndex) -> PageBox { shelves[index.collection].boxes[index.book] }

  /// Returns the key of a collection's ledge.
  func ledge(_ collection: Int) -> ElementKey {
    ElementKey(kind: .collection, item: shelves[collection].number)
  }

  /// Returns the key of a cover, a face or the board of a book.
  func key(_ kind: ElementKind, of index: BookIndex, page: Int = 0) -> ElementKey {
    ElementKey(kind: kind, item: shelves[index.collection].numbers[index.book], page: page)
  }

  /// Returns the index of the book to which an element belongs; nil for ledges and unknown
  /// elements.
  package func index(of key: ElementKey) -> BookIndex? {
    guard key.kind != .collection else { return nil }
    guard shelves.count == 1 else { return items[key.item] }
    return shelves[0].index(ofItem: key.item).map { BookIndex(collection: 0, book: $0) }
  }

  /// Returns the collection of a ledge; nil for an unknown one.
  package func collection(of key: ElementKey) -> Int? {
    guard key.kind == .collection else { return nil }
    return ledges[key.item]
  }

  /// Returns whether an element belongs to a book that is read from right to left.
  package func isMirrored(_ key: ElementKey) -> Bool {
    index(of: key).map { self[$0].progression == .rightToLeft } ?? false
  }

  /// Returns the index of a collection by its id; nil if it is not in the library.
  package func collection(named id: String) -> Int? { id.isEmpty ? nil : collections[id] }

  /// Returns whether an element belongs to this library.
  package func has(_ key: ElementKey) -> Bool {
    key.kind == .collection ? ledges[key.item] != nil : index(of: key) != nil
  }

  /// Returns the index of an element within its kind: of the collection in the list, of the book on
  /// its shelf, or of the face in its book; 0 for an unknown element.
  package func index(of key: ElementKey) -> Int {
    switch key.kind {
    case .collection: collection(of: key) ?? 0
    case .cover, .board: index(of: key)?.book ?? 0
    case .page: key.page
    }
  }

  /// Returns the index here of a collection in another layout; nil if it is not here.
  func index(of index: Int, in old: LibraryLayout) -> Int? {
    guard old.shelves.indices.contains(index) else { return nil }
    let id = old.shelves[index].outline.id
    if id.isEmpty { return shelves.indices.contains(index) ? index : nil }
    return collections[id]
  }

  /// Returns the index here of a book in another layout, even on another shelf; nil if it is not
  /// here.
  func index(of index: BookIndex, in old: LibraryLayout) -> BookIndex? {
    if let collection = self.index(of: index.collection, in: old),
      let book = shelves[collection].index(of: index.book, in: old.shelves[index.collection])
    {
      return BookIndex(collection: collection, book: book)
    }
    return self.index(of: old[index].id)
  }
}

extension LibraryLayout: Equatable {
  /// Returns whether two layouts have equal outlines with equal numbers.
  package static func == (one: LibraryLayout, other: LibraryLayout) -> Bool {
    if one === other { return true }
    return one.shelves.count == other.shelves.count
      && zip(one.shelves, other.shelves).allSatisfy { one, other in
        one === other
          || (one.number == other.number && one.numbers == other.numbers
            && one.outline == other.outline)
      }
  }
}
