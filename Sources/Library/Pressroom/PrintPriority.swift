/// How soon a page is wanted; what is least comes first.
public enum PrintPriority: Int, CaseIterable, Comparable, Sendable {
  /// Somebody looks at its place.
  case visible
  /// Somebody looks at its place closely, and sees it less sharp meanwhile.
  case sharp
  /// The next leaf to be turned.
  case next
  /// A small picture.
  case thumbnail
  /// A large picture of a page that nobody looks at.
  case unseen
  /// Nobody waits: an import, or a page made ahead.
  case background

  /// Whether one is wanted sooner than another.
  public static func < (one: PrintPriority, other: PrintPriority) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// Somebody who asks for pages: a member at an address.
///
/// Every address gets as many pages in a while as any other, and of those every member there as
/// many as any other: who comes as many members takes nothing from another address.
public struct Requester: Hashable, Sendable {
  private let address: String
  private let member: String

  /// A requester by where it is and, where that is known, by who it is there.
  public init(_ address: String, member: String = "") {
    self.address = address
    self.member = member
  }

  /// All that are at its address.
  var neighbours: Requester { Requester(address) }

  /// The library itself.
  public static let library = Requester("")
}

/// How large a page is printed.
public enum PageSize: String, CaseIterable, Sendable {
  case thumb
  case screen
  case zoom

  /// The height in pixels.
  public var height: Int {
    switch self {
    case .thumb: 300
    case .screen: 1600
    case .zoom: 3200
    }
  }
}

/// What a book's pages are made from.
public enum BookSource: Hashable, Sendable {
  /// A document with numbered pages, with the password that opens it.
  case document(path: String, password: String?)
  /// One image file a page, in order; an empty path is a blank page.
  case images([String])
}

/// A page to be printed at a size.
public struct PrintJob: Hashable, Sendable {
  /// What the book is made from.
  public var source: BookSource
  /// The page, from 0.
  public var page: Int
  /// How large it is printed.
  public var size: PageSize

  /// A page of a book at a size.
  public init(source: BookSource, page: Int, size: PageSize) {
    self.source = source
    self.page = page
    self.size = size
  }
}
