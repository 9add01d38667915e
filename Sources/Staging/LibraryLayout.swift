internal import Bookwork
public import Scene

/// A collection laid out as a shelf: where its covers stand and how large they are.
///
/// Constant, and shared by all stages that show it. Laying it out costs as much as it has books, so
/// that is done away from the thread that sends frames.
public final class ShelfPlan: Sendable {
  /// The shapes.
  public let outline: CollectionOutline
  /// The number of the collection's element.
  public let number: UInt64
  /// The first number of each book, see ``ElementNumbers``.
  let numbers: [UInt64]
  let boxes: [PageBox]
  let layout: ShelfLayout
  /// The index of each book, by its id; books without an id are not in it.
  private let indices: [String: Int]
  /// The index of each book, by its first number.
  private let items: [UInt64: Int]

  /// Lays out a collection.
  /// - Parameters:
  ///   - outline: The shapes.
  ///   - index: Where it is in its library; names it where it has no id.
  ///   - numbers: What gives numbers to its elements.
  public init(_ outline: CollectionOutline, at index: Int, numbers: ElementNumbers) {
    self.outline = outline
    let name = outline.id.isEmpty ? "\(index)" : outline.id
    number = numbers.collection(name)
    boxes = outline.books.map { PageBox(fitting: $0.pageSize) }
    layout = ShelfLayout(boxes: boxes)
    var indices: [String: Int] = [:]
    var items: [UInt64: Int] = [:]
    var first: [UInt64] = []
    first.reserveCapacity(outline.books.count)
    for (place, book) in outline.books.enumerated() {
      let id = book.id.isEmpty ? "\(name)/\(place)" : book.id
      let item = numbers.book(id, faces: book.pageCount)
      first.append(item)
      if items[item] == nil { items[item] = place }
      if !book.id.isEmpty, indices[book.id] == nil { indices[book.id] = place }
    }
    self.numbers = first
    self.indices = indices
    self.items = items
  }

  /// How many books there are.
  public var count: Int { boxes.count }

  /// The index of a book by its id; nil if it is not here.
  public func index(of book: String) -> Int? { indices[book] }

  /// The index of the book with a first number; nil if it is not here.
  func index(ofItem item: UInt64) -> Int? { items[item] }

  /// The index here of a book of another plan of this collection.
  func index(of index: Int, in old: ShelfPlan) -> Int? {
    guard old.outline.books.indices.contains(index) else { return nil }
    let id = old.outline.books[index].id
    if id.isEmpty { return outline.books.indices.contains(index) ? index : nil }
    return indices[id]
  }
}

/// A library laid out for the stage: its shelves, and where each book is.
///
/// Constant, and shared by all stages that show it. A layout of shelves that are laid out already
/// costs as much as there are shelves and, unless there is only one, books.
public final class LibraryLayout: Sendable {
  /// The shelves, in list order.
  public let shelves: [ShelfPlan]
  let list: LedgeList
  private let collections: [String: Int]
  /// The index of each collection, by the number of its element.
  private let ledges: [UInt64: Int]
  /// Where each book is, by its id; empty for a single shelf, which knows itself.
  private let places: [String: Stage.Place]
  /// What each first number belongs to; empty for a single shelf.
  private let items: [UInt64: Stage.Place]

  /// Lays out a library of shelves.
  public init(shelves: [ShelfPlan]) {
    self.shelves = shelves
    list = LedgeList(count: shelves.count)
    var collections: [String: Int] = [:]
    var ledges: [UInt64: Int] = [:]
    var places: [String: Stage.Place] = [:]
    var items: [UInt64: Stage.Place] = [:]
    for (collection, shelf) in shelves.enumerated() {
      let id = shelf.outline.id
      if !id.isEmpty, collections[id] == nil { collections[id] = collection }
      if ledges[shelf.number] == nil { ledges[shelf.number] = collection }
      // A single shelf knows where its books are.
      guard shelves.count > 1 else { break }
      for (book, outline) in shelf.outline.books.enumerated() {
        let place = Stage.Place(collection: collection, book: book)
        if !outline.id.isEmpty, places[outline.id] == nil { places[outline.id] = place }
        if items[shelf.numbers[book]] == nil { items[shelf.numbers[book]] = place }
      }
    }
    (self.collections, self.ledges) = (collections, ledges)
    (self.places, self.items) = (places, items)
  }

  /// Lays out a library.
  /// - Parameters:
  ///   - outline: The shapes.
  ///   - numbers: What gives numbers to its elements.
  public convenience init(_ outline: LibraryOutline, numbers: ElementNumbers = ElementNumbers()) {
    let shelves = outline.collections.enumerated().map { index, collection in
      ShelfPlan(collection, at: index, numbers: numbers)
    }
    self.init(shelves: shelves)
  }

  /// The shapes; costs as much as there are shelves.
  public var outline: LibraryOutline { LibraryOutline(collections: shelves.map(\.outline)) }

  /// Where a book is, by its id; nil if it is not here.
  public func place(of book: String) -> Stage.Place? {
    guard !book.isEmpty else { return nil }
    guard shelves.count == 1 else { return places[book] }
    return shelves[0].index(of: book).map { Stage.Place(collection: 0, book: $0) }
  }

  /// Whether there is a book at a place.
  public func contains(_ place: Stage.Place) -> Bool {
    shelves.indices.contains(place.collection)
      && shelves[place.collection].boxes.indices.contains(place.book)
  }

  /// The shapes of a book that is here.
  subscript(place: Stage.Place) -> BookOutline {
    shelves[place.collection].outline.books[place.book]
  }

  /// The box of a book's pages.
  func box(of place: Stage.Place) -> PageBox { shelves[place.collection].boxes[place.book] }

  /// The key of a collection's ledge.
  func ledge(_ collection: Int) -> ElementKey {
    ElementKey(kind: .collection, item: shelves[collection].number)
  }

  /// The key of a cover, a face or the board of a book.
  func key(_ kind: ElementKind, of place: Stage.Place, page: Int = 0) -> ElementKey {
    ElementKey(kind: kind, item: shelves[place.collection].numbers[place.book], page: page)
  }

  /// Where the book is that an element belongs to; nil for ledges and for what is not here.
  public func place(of key: ElementKey) -> Stage.Place? {
    guard key.kind != .collection else { return nil }
    guard shelves.count == 1 else { return items[key.item] }
    return shelves[0].index(ofItem: key.item).map { Stage.Place(collection: 0, book: $0) }
  }

  /// The collection of a ledge; nil for one that is not here.
  public func collection(of key: ElementKey) -> Int? {
    guard key.kind == .collection else { return nil }
    return ledges[key.item]
  }

  /// The index of a collection by its id; nil if it is not here.
  public func collection(named id: String) -> Int? { id.isEmpty ? nil : collections[id] }

  /// Whether an element belongs to what is here.
  public func has(_ key: ElementKey) -> Bool {
    key.kind == .collection ? ledges[key.item] != nil : place(of: key) != nil
  }

  /// The index of an element within its kind: of the collection in the list, of the book on its
  /// shelf, of the face in its book; 0 for what is not here.
  public func index(of key: ElementKey) -> Int {
    switch key.kind {
    case .collection: collection(of: key) ?? 0
    case .cover, .board: place(of: key)?.book ?? 0
    case .page: key.page
    }
  }

  /// The index here of a collection of another layout.
  func index(of index: Int, in old: LibraryLayout) -> Int? {
    guard old.shelves.indices.contains(index) else { return nil }
    let id = old.shelves[index].outline.id
    if id.isEmpty { return shelves.indices.contains(index) ? index : nil }
    return collections[id]
  }

  /// The place here of a book of another layout, also on another shelf.
  func place(of place: Stage.Place, in old: LibraryLayout) -> Stage.Place? {
    if let collection = index(of: place.collection, in: old),
      let book = shelves[collection].index(of: place.book, in: old.shelves[place.collection])
    {
      return Stage.Place(collection: collection, book: book)
    }
    return self.place(of: old[place].id)
  }
}

extension LibraryLayout: Equatable {
  /// Whether two layouts have the same shapes with the same numbers.
  public static func == (one: LibraryLayout, other: LibraryLayout) -> Bool {
    if one === other { return true }
    return one.shelves.count == other.shelves.count
      && zip(one.shelves, other.shelves).allSatisfy { one, other in
        one === other
          || (one.number == other.number && one.numbers == other.numbers
            && one.outline == other.outline)
      }
  }
}
