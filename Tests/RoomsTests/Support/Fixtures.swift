import Geometry
import Scene
import Synchronization
import Wire

@testable import Rooms

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

extension RoomEnvironment {
  /// Names and secrets that are counted, digests that nobody has to trust.
  static func counted(libraryKey: String? = nil) -> RoomEnvironment {
    let (names, next) = (NextNumber(), NextNumber())
    return RoomEnvironment(
      freshName: {
        NextNumber.wantedName.isEmpty ? "FRESH\(names())" : NextNumber.wantedName
      },
      secret: { "secret-\(next())" },
      code: { next.letters() },
      digest: digest,
      unixOffset: 1_000_000,
      libraryKey: libraryKey.map(digest)
    )
  }

  static func digest(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return (0..<32).map { place in place < bytes.count ? bytes[place] : UInt8(bytes.count & 255) }
  }
}

extension ReaderID {
  /// The secret of the reader whose own room has a name.
  static func secret(of room: String) -> String { room + "-is-the-room-of-its-reader" }

  /// The reader whose own room has a name.
  static func of(_ room: String) -> ReaderID {
    ReaderID(digest: RoomEnvironment.digest(secret(of: room)))
  }
}

/// Numbers that go up.
final class NextNumber: Sendable {
  /// What the next room shall be called; empty for the next name in turn.
  @TaskLocal static var wantedName = ""

  private let last = Mutex(0)

  func callAsFunction() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }

  /// The next number in six letters.
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
    places: [String: [BookPlace]] = [:],
    records: [RoomRecord] = []
  ) {
    self.init(
      library: ShownLibrary(catalogue),
      environment: .counted(),
      notes: notes,
      readers: places.map { ReaderRecord(id: .of($0), room: $0, places: $1) },
      records: records
    )
  }

  /// Hears a message as its bytes.
  mutating func hear(
    _ message: ClientMessage,
    from id: MemberID,
    role: UInt16 = 0,
    now: Double,
    into effects: inout Effects
  ) {
    hear(bytes: message.encoded(role: role), from: id, now: now, into: &effects)
  }

  mutating func hear(
    bytes: [UInt8],
    from id: MemberID,
    now: Double,
    into effects: inout Effects
  ) {
    bytes.withUnsafeBytes { receive($0, from: id, now: now, into: &effects) }
  }

  /// Takes another state of the library.
  mutating func replace(catalogue: Catalogue, now: Double, into effects: inout Effects) {
    var tracker = LibraryTracker(library)
    guard let update = tracker.update(to: catalogue) else { return }
    replace(update, now: now, into: &effects)
  }

  /// Arranges what rooms want arranged by effects that were carried out, as if it took no time.
  /// - Returns: Whether there was anything to do.
  @discardableResult
  mutating func arrange(
    asked: [Effects.Effect],
    now: Double,
    into effects: inout Effects
  ) -> Bool {
    var hasAsked = false
    for case .arrange(let request, let room, let reader) in asked {
      hasAsked = true
      take(
        request.arranged(),
        for: request,
        room: room,
        reader: reader,
        now: now,
        into: &effects
      )
    }
    return hasAsked
  }

  mutating func join(
    _ id: MemberID,
    room: String,
    now: Double,
    reportsImages: Bool = false,
    into effects: inout Effects
  ) {
    opened(id, from: "the address of \(room)", now: now)
    // The owner of a room comes to it from the house's door; what is no name is said as it is.
    let isName = Hello.isRoomName(room)
    let hello = Hello(
      room: isName ? "" : room,
      reader: isName ? ReaderID.secret(of: room) : "",
      viewport: .plain,
      reportsImages: reportsImages
    )
    NextNumber.$wantedName.withValue(room) {
      hear(.hello(hello), from: id, now: now, into: &effects)
    }
  }

  /// Where the books of a room's owner were left, and where nothing was left, nothing.
  func places(in rooms: String...) -> [String: [BookPlace]] {
    rooms.reduce(into: [:]) { $0[$1] = places(of: .of($1)) }
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
      default: nil
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
        default: []
        }
      }
    )
  }

  /// The trace of effects that has seen none.
  static let traceStart: UInt64 = 0xcbf2_9ce4_8422_2325

  /// A number that depends on every byte and every recipient of these effects and of those before
  /// (FNV-1a).
  func traced(after trace: UInt64, at now: Double) -> UInt64 {
    var trace = trace
    func add(_ value: UInt64) { trace = (trace ^ value) &* 0x100_0000_01b3 }
    add(now.bitPattern)
    for byte in bytes { add(UInt64(byte)) }
    for effect in list {
      switch effect {
      case .broadcast(let message, let to, let introduction):
        for id in recipients[to] { add(UInt64(id.rawValue)) }
        add(UInt64(message.count) << 1 | (introduction ? 1 : 0))
      case .send(let message, let id): add(UInt64(message.lowerBound) << 32 | UInt64(id.rawValue))
      case .close(let id, let code, _): add(UInt64(code) << 32 | UInt64(id.rawValue))
      case .noteInput(_, _, let time), .noteFrame(_, let time): add(time.bitPattern)
      default: add(UInt64(list.count))
      }
    }
    return trace
  }

  var inputs: [Input] {
    list.compactMap { if case .noteInput(let input, _, _) = $0 { input } else { nil } }
  }
}
