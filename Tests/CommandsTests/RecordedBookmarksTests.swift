import Fabric
import Foundation
import Library
import Motion
import Recording
import Rooms
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Commands
@testable import Server

/// Rooms that are recorded as the server records them, together with the frames that they showed.
private struct RecordedRooms {
  private(set) var rooms: RoomRegistry
  private var tracker: LibraryTracker
  private(set) var text: String
  private(set) var shown: [String] = []
  private var counts: [String: Int] = [:]
  private var turn: Turn
  private var now = 10.0
  @TaskLocal private static var nextName = ""

  private static func secret(of room: String) -> String { room + "-is-the-room-of-its-reader" }
  private static func reader(of room: String) -> ReaderID {
    ReaderID(digest: Secrets.digest(of: secret(of: room)))
  }

  init(catalogue: Catalogue, bookmarks: [String: [Bookmark]]) {
    tracker = LibraryTracker(ShownLibrary(catalogue))
    var environment = Environment.ofThisServer(keys: LibraryKeys())
    environment.freshName = { Self.nextName }
    turn = Turn(environment: environment)
    rooms = RoomRegistry(
      library: tracker.library,
      notes: true,
      directory: RoomDirectory(
        readers: bookmarks.map {
          ReaderRecord(id: Self.reader(of: $0), room: $0, bookmarks: $1, lastSeen: 1)
        },
        unixOffset: environment.unixOffset
      )
    )
    text = LogHeader(library: catalogue.outline).text + "\n"
  }

  mutating func pass(_ seconds: Double) {
    let end = now + seconds
    while let wake = rooms.wakeTime, wake <= end {
      now = max(now, wake)
      rooms.wake(in: &turn[at: now])
      record()
    }
    now = end
  }

  mutating func join(_ id: UInt32, room: String) {
    let secret = Self.secret(of: room)
    Self.$nextName.withValue(room) {
      let hello = Hello(reader: secret, viewport: .plain, reportsImages: true)
      let message = GatewayMessage.hello(MemberID(id), hello, peer: "the address of \(room)")
      rooms.receive(message, in: &turn[at: now])
      record()
    }
  }

  mutating func leave(_ id: UInt32) {
    rooms.receive(.left(MemberID(id), code: CloseCode.lost), in: &turn[at: now])
    record()
  }

  mutating func say(_ message: ClientMessage, _ id: UInt32) {
    let packet = GatewayMessage.packet(MemberID(id), ClientPacket(message))
    rooms.receive(packet, in: &turn[at: now])
    record()
  }

  /// Changes the library: removes a book, or restores all books.
  mutating func replace(_ catalogue: Catalogue, without book: Int) {
    var next = catalogue
    if book < 3 { next.collections[0].books.remove(at: book) }
    if let update = tracker.update(to: next) {
      rooms.replace(update, in: &turn[at: now])
    }
    record()
  }

  private mutating func record() {
    for effect in turn.effects.list {
      guard let line = LogLine(noting: effect), let room = line.room else { continue }
      text += line.text + "\n"
      switch line.event {
      case .opened: counts[room] = 0
      case .input, .library, .began, .ended: break
      case .frame:
        guard let stage = rooms.room(named: room)?.stage else { continue }
        let frame = stage.frame(at: line.time)
        let number = counts[room, default: 0]
        counts[room] = number + 1
        shown.append(
          FrameLine.text(
            of: frame,
            number: number,
            time: line.time,
            room: room,
            index: stage.library.index(of:)
          )
        )
      }
    }
    turn.effects.removeAll()
  }
}

@Suite("A recording of rooms with bookmarks")
struct RecordedBookmarksTests {
  private static let catalogue: Catalogue = {
    let books = [12, 40, 3].map { pages in
      CatalogueBook(
        id: "b\(pages)",
        title: "Of \(pages) pages",
        author: "",
        pageURLs: (0..<pages).map { "/\($0)" },
        pageSize: Size(width: 362, height: 568),
        progression: .leftToRight
      )
    }
    return Catalogue(collections: [CatalogueCollection(title: "", ledgeURL: "", books: books)])
  }()

  private static let messages: [ClientMessage] = [
    .key(.enter), .key(.enter), .key(.enter), .key(.arrowRight), .key(.arrowRight),
    .key(.arrowLeft),
    .key(.end), .key(.escape), .key(.escape), .key(.keyF), .jump(page: 7), .lay(.flat),
    .go(book: "b40", opens: true, page: 21), .arrange(Arrangement(order: .title, filter: "of")),
    .arrange(Arrangement(filter: "40")), .arrange(Arrangement()), .ready([1, 2, 3, 4, 5, 6]),
  ]

  @Test("replays to the same bytes", arguments: seeds(1...6))
  func replays(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rooms = ["EAST", "WEST"]
    var recorded = RecordedRooms(
      catalogue: Self.catalogue,
      bookmarks: [
        "EAST": [
          Bookmark(book: "b12", spread: 2, isFlat: true),
          Bookmark(book: "b40", spread: Int.random(in: 1..<20, using: &random)),
        ]
      ]
    )
    for (id, room) in zip(1...2 as ClosedRange<UInt32>, rooms) { recorded.join(id, room: room) }
    for step in 0..<120 {
      recorded.pass(Double.random(in: 0...0.8, using: &random))
      let message = Self.messages.randomElement(using: &random) ?? .key(.enter)
      recorded.say(message, UInt32.random(in: 1...2, using: &random))
      if step.isMultiple(of: 17) { recorded.replace(Self.catalogue, without: step / 17 % 4) }
      // This happens once, because it takes a thousand other rooms: both rooms are closed and open
      // again.
      if seed == 1, step == 60 {
        for id in 1...2 as ClosedRange<UInt32> { recorded.leave(id) }
        for other in 0...UInt32(RoomRegistry.emptyRoomsMax + 1) {
          recorded.pass(0.01)
          recorded.join(100 + other, room: "R\(other)")
          recorded.leave(100 + other)
        }
        for room in rooms { #expect(recorded.rooms.room(named: room) == nil) }
        for (id, room) in zip(1...2 as ClosedRange<UInt32>, rooms) { recorded.join(id, room: room) }
      }
    }
    var replayed: [String] = []
    let recording = try LogReader.recording(of: Data(recorded.text.utf8))
    ReplayCommand.frames(of: recording) { replayed.append($0) }
    #expect(replayed.count > 500)
    #expect(replayed.contains { $0.contains(#""screen":"book""#) })
    #expect(recorded.text.contains(#""event":"library""#))
    // The macro does not compare them, because it would print them all.
    let isSame = replayed == recorded.shown
    #expect(isSame, "SEED=\(seed)")
  }
}
