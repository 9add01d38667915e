import Geometry
import Rooms
import Scene
import Wire

extension Catalogue {
  /// Collections of books of these numbers of pages, in turns portrait and landscape.
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
}

extension Viewport {
  static let plain = Viewport(size: Size(width: 1024, height: 768))
}

extension Rooms {
  /// Hears a message as its bytes.
  mutating func hear(
    _ message: ClientMessage,
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    hear(bytes: message.encoded(), from: id, now: now, into: &effects)
  }

  mutating func hear(
    bytes: [UInt8],
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    let fresh = "FRESH\(id.rawValue)"
    bytes.withUnsafeBytes {
      receive($0, from: id, now: now, into: &effects, freshName: { fresh })
    }
  }

  mutating func join(
    _ id: MemberID,
    room: String,
    now: Double,
    reportsImages: Bool = false,
    into effects: inout Effects
  ) {
    opened(id, now: now)
    let hello = Hello(room: room, viewport: .plain, reportsImages: reportsImages)
    hear(.hello(hello), from: id, now: now, into: &effects)
  }
}

extension Effects {
  /// The messages to a member, in order.
  func messages(to id: MemberID) -> [[UInt8]] {
    list.compactMap { effect in
      switch effect {
      case .broadcast(let message, let to, _):
        recipients[to].contains(id) ? Array(bytes[message]) : nil
      case .send(let message, let member): member == id ? Array(bytes[message]) : nil
      case .close, .keepPlaces, .bookOpened, .noteOpening, .noteLibrary, .noteInput, .noteFrame: nil
      }
    }
  }

  /// The codes with which a member is closed.
  func closes(of id: MemberID) -> [UInt16] {
    list.compactMap { if case .close(id, let code, _) = $0 { code } else { nil } }
  }

  /// The members that get anything.
  var addressees: Set<MemberID> {
    Set(
      list.flatMap { effect -> [MemberID] in
        switch effect {
        case .broadcast(_, let to, _): Array(recipients[to])
        case .send(_, let member): [member]
        case .close, .keepPlaces, .bookOpened, .noteOpening, .noteLibrary, .noteInput, .noteFrame:
          []
        }
      }
    )
  }

  var inputs: [Input] {
    list.compactMap { if case .noteInput(let input, _, _) = $0 { input } else { nil } }
  }
}
