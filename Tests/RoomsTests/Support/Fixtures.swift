import Fabric
import Motion
import Scene
import Synchronization
import Wire

@testable import Rooms

extension Catalogue {
  /// Returns collections of books with these numbers of pages, alternately portrait and landscape.
  static func sample(_ shelves: [[Int]]) -> Catalogue {
    Catalogue(
      collections: shelves.enumerated().map { c, books in
        CatalogueCollection(
          id: "\(c)",
          title: "Shelf \(c)",
          ledgeURL: "/ledges/\(c).svg",
          books: books.enumerated().map { b, pages in
            CatalogueBook(
              id: "\(c)/\(b)",
              title: "Book \(b)",
              author: "",
              pageURLs: (0..<pages).map { "/books/\(c)/\(b)/\($0)" },
              pageSize: b.isMultiple(of: 2)
                ? Size(width: 362, height: 568) : Size(width: 4, height: 3),
              progression: .leftToRight
            )
          }
        )
      }
    )
  }

  static let varied = sample([[12, 1, 2, 3, 100], [], [7, 2000]])

  /// Returns the same books, read in a direction.
  func read(_ progression: Progression) -> Catalogue {
    var changed = self
    for shelf in collections.indices {
      for book in collections[shelf].books.indices {
        changed.collections[shelf].books[book].progression = progression
      }
    }
    return changed
  }
}

extension Viewport {
  static let plain = Viewport(size: Size(width: 1024, height: 768))
}

extension Environment {
  /// Returns an environment with counted names and secrets, and with digests for tests only.
  static func counted(libraryKey: String? = nil) -> Environment {
    let (names, next) = (NextNumber(), NextNumber())
    return Environment(
      freshName: {
        NextNumber.wantedName.isEmpty ? "FRESH\(names())" : NextNumber.wantedName
      },
      secret: { "secret-\(next())" },
      code: { next.letters() },
      digest: digest,
      unixOffset: 1_000_000,
      keys: LibraryKeys(library: libraryKey.map(digest))
    )
  }

  static func digest(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return (0..<32).map { place in place < bytes.count ? bytes[place] : UInt8(bytes.count & 255) }
  }
}

extension String {
  /// The key of the library in tests; its holders may join any room.
  static let libraryKey = "the-key-of-the-library"
}

extension ReaderID {
  /// Returns the secret of the reader whose own room has a name.
  static func secret(of room: String) -> String { room + "-is-the-room-of-its-reader" }

  /// Returns the reader whose own room has a name.
  static func of(_ room: String) -> ReaderID {
    ReaderID(digest: Environment.digest(secret(of: room)))
  }
}

/// A sequence of increasing numbers.
final class NextNumber: Sendable {
  /// The name of the next room; empty for a counted name.
  @TaskLocal static var wantedName = ""

  private let last = Mutex(0)

  func callAsFunction() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }

  /// Returns the next number as six letters.
  func letters() -> String {
    var number = self()
    var text = ""
    for _ in 0..<6 {
      text.append(Character(UnicodeScalar(UInt8(65 + number % 8))))
      number /= 8
    }
    return text
  }
}

extension RoomRegistry {
  init(
    catalogue: Catalogue,
    notes: Bool = false,
    bookmarks: [String: [Bookmark]] = [:],
    records: [RoomRecord] = []
  ) {
    self.init(
      library: ShownLibrary(catalogue),
      notes: notes,
      directory: RoomDirectory(
        readers: bookmarks.map { ReaderRecord(id: .of($0), room: $0, bookmarks: $1) },
        records: records,
        unixOffset: 1_000_000
      )
    )
  }

  /// Replaces the state of the library.
  mutating func replace(catalogue: Catalogue, in turn: inout Turn) {
    var tracker = LibraryTracker(library)
    guard let update = tracker.update(to: catalogue) else { return }
    replace(update, in: &turn)
  }

  /// Computes at once the arrangements that effects requested.
  /// - Returns: Whether there were any.
  @discardableResult
  mutating func arrange(asked: [Effects.Effect], in turn: inout Turn) -> Bool {
    var hasAsked = false
    for case .arrange(let request, let stream) in asked {
      hasAsked = true
      take(request.arranged(), for: request, stream: stream, in: &turn)
    }
    return hasAsked
  }

  /// Returns where the owners of these rooms left their books, without times.
  func bookmarks(in rooms: String...) -> [String: [Bookmark]] {
    rooms.reduce(into: [:]) { $0[$1] = bookmarks(of: .of($1)).map(\.untimed) }
  }
}

extension Bookmark {
  /// The bookmark without its time.
  var untimed: Bookmark { Bookmark(book: book, spread: spread, isFlat: isFlat) }
}
