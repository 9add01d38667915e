public import Motion

/// The kind of an element; raw values are the bytes of the wire.
public enum ElementKind: UInt8, Equatable, Hashable, Sendable, CaseIterable {
  /// A ledge of book spines in the list of collections.
  case collection = 0
  /// A book's cover on a shelf.
  case cover = 1
  /// A page of the open book; page 0 is the front cover.
  case page = 2
  /// The board behind the last leaf of the open book.
  case board = 3
}

/// The identity of an element, which is the item of the library that it shows.
public struct ElementKey: Hashable, Sendable {
  /// The kind, such as a cover or a page.
  public var kind: ElementKind
  /// The first number of the collection or book; see ``ElementNumbers``.
  public var item: UInt64
  /// The index of the face in its book; 0 for other kinds.
  public var page: Int
  /// The part of the element that is shown.
  public var part: ElementPart

  /// The offset of the first face's number, after those of the cover and the board.
  static let pagesFrom: UInt64 = 2

  /// Creates a key.
  public init(kind: ElementKind, item: UInt64, page: Int = 0, part: ElementPart = .whole) {
    self.kind = kind
    self.item = item
    self.page = page
    self.part = part
  }

  /// The key of the whole element.
  public var whole: ElementKey {
    var key = self
    key.part = .whole
    return key
  }

  /// The element's number, the same in all rooms for the lifetime of the process; all parts of an
  /// element share it.
  public var number: UInt64 {
    switch kind {
    case .collection, .cover: item
    case .board: item &+ 1
    case .page: item &+ Self.pagesFrom &+ UInt64(clamping: page)
    }
  }
}

/// The three screens; raw values are the bytes of the wire.
public enum Screen: UInt8, Equatable, Sendable, CaseIterable {
  /// The list of collections.
  case collections = 0
  /// The carousel of one collection.
  case shelf = 1
  /// An open book.
  case book = 2
}

/// The position of one visible element in a frame.
public struct Placement: Equatable, Sendable {
  /// The element.
  public var key: ElementKey
  /// The matrix about the element's transform-origin, in stage points.
  public var transform: Transform3D
  /// The opacity, 0...1.
  public var opacity: Double
  /// The strength of the moving shadow, 0...1.
  public var shade: Double
  /// The paint order; higher is in front.
  public var z: Int

  /// Creates a placement.
  public init(key: ElementKey, transform: Transform3D, opacity: Double, shade: Double, z: Int) {
    self.key = key
    self.transform = transform
    self.opacity = opacity
    self.shade = shade
    self.z = z
  }
}

/// Everything that is visible at one time.
public struct Frame: Equatable, Sendable {
  /// The screen: at rest the present one; while a finger drives, the previous one; in flight, the
  /// next one.
  public var screen: Screen
  /// Whether no finger and no motion is active and the pose is exactly at rest.
  public var isSettled: Bool
  /// The visible elements, in a stable order.
  public var placements: [Placement]

  /// Creates a frame.
  public init(screen: Screen, isSettled: Bool, placements: [Placement]) {
    self.screen = screen
    self.isSettled = isSettled
    self.placements = placements
  }
}
