internal import Foundation
internal import HeadlessReader
internal import Motion
internal import Scene
internal import Wire

/// Measures how a flooding reader affects a reader in another room of the same server.
///
/// For each kind of message a member floods its room twice: first at the highest rate that the
/// server tolerates permanently, then as fast as it can, reconnecting immediately when it is
/// disconnected. Meanwhile a second reader turns a leaf in another room, and every answer to its
/// finger is timed.
enum FloodFigures {
  private static let books = 1000
  /// The duration of each flood in seconds, and the two rates in messages a second.
  private static let seconds = 4.0
  private static let rates = [450.0, 20_000.0]
  /// How often the finger of the second reader moves, per second.
  private static let moves = 120.0
  private static let importSeconds = 600.0

  /// Prints the figures of all kinds, or of one.
  static func report(only name: String? = nil) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lectern-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FloodLibrary.make(in: folder, books: books)
    let server = try MeasuredProcess("/proc/self/exe", ["library", folder.path])
    defer { server.stop() }
    let port = try server.readPort()
    let ids = try FloodLibrary.settle(port: port, books: books, within: importSeconds)
    let other = try OtherMember(port: port)
    // The flooding members join the room of this reader, one after another.
    let flooded = try HeadlessReader(port: port)
    flooded.close()
    _ = try other.answers(for: seconds, moves: moves)
    let baseline = try other.answers(for: 2 * seconds, moves: moves)
    Table.row(
      "another member's own frame, nobody floods: p50 / p99",
      asked: "",
      "\(milliseconds(baseline, 0.5)) / \(milliseconds(baseline, 0.99)) ms"
    )
    let (room, reader) = (flooded.room, flooded.reader)
    let kinds = FloodKind.all(books: ids).map { kind in
      (kind.name, FloodMember(port: port, room: room, reader: reader, kind: kind).visit)
    }
    var worst = 0.0
    for (kind, visit) in kinds + [("pings", PingClient(port: port).visit)]
    where name == nil || kind == name {
      worst = max(worst, try figure(kind, other: other, visit))
    }
    Table.row(
      "the worst p99 of all floods, a library of \(books) books",
      asked: "<= 20 ms",
      "\(Table.number(worst * 1000, 1)) ms"
    )
  }

  /// Prints the effect of floods of one kind.
  /// - Returns: The worst p99 of the second reader, in seconds.
  private static func figure(
    _ name: String,
    other: OtherMember,
    _ visit: @escaping @Sendable (Flood) -> Void
  ) throws -> Double {
    var worst = 0.0
    var figures: [String] = []
    for rate in rates {
      let flood = Flood(rate: rate, visit: visit)
      flood.start()
      let answers = try other.answers(for: seconds, moves: moves)
      let (sent, closes) = flood.stop()
      worst = max(worst, quantile(answers, 0.99))
      figures.append(
        "\(milliseconds(answers, 0.5)) / \(milliseconds(answers, 0.99)) ms "
          + "(\(Int(Double(sent) / seconds)) a second"
          + (closes > 0 ? ", closed \(closes) times)" : ")")
      )
    }
    Table.row(
      "the same, \(name) flooded: steadily; without bounds",
      asked: "p99 <= 20 ms",
      figures.joined(separator: "; ")
    )
    return worst
  }

  private static func quantile(_ values: [Double], _ fraction: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .infinity : sorted[Int(Double(sorted.count - 1) * fraction)]
  }

  private static func milliseconds(_ values: [Double], _ fraction: Double) -> String {
    Table.number(quantile(values, fraction) * 1000, 1)
  }
}

/// A kind of message, and the contents of a flood of it.
struct FloodKind: Sendable {
  let name: String
  /// Returns a message of the flood with the sender's role.
  let message: @Sendable (_ turn: Int, _ role: UInt16, _ member: UInt32) -> [UInt8]

  private init(_ name: String, _ message: @escaping @Sendable (Int) -> ClientMessage) {
    self.name = name
    self.message = { turn, role, _ in message(turn).encoded(role: role) }
  }

  private init(
    _ name: String,
    bytes: @escaping @Sendable (_ turn: Int, _ role: UInt16, _ member: UInt32) -> [UInt8]
  ) {
    self.name = name
    message = bytes
  }

  static func all(books: [String]) -> [FloodKind] {
    acts(books: books) + windows + words + affairs
  }

  private static func acts(books: [String]) -> [FloodKind] {
    let middle = Point(x: 512, y: 384)
    return [
      FloodKind("drags") { turn in
        let phase: PointerPhase = turn % 40 == 0 ? .down : turn % 40 == 39 ? .up : .move
        let x = 900 - 15 * Double(turn % 40)
        return .pointers(
          Pointers(target: 0, samples: [PointerSample(id: 0, phase: phase, x: x, y: 400)])
        )
      },
      FloodKind("taps") { turn in
        let x = turn % 4 < 2 ? 900.0 : 100
        let down = PointerSample(id: 0, phase: .down, x: x, y: 400)
        let up = PointerSample(id: 0, phase: .up, x: x, y: 400)
        return .pointers(Pointers(target: 0, samples: [down, up]))
      },
      FloodKind("wheel") { .wheel(dx: 0, dy: $0 % 20 < 10 ? 99 : -99, at: middle, ctrl: false) },
      FloodKind("keys") { .key($0 % 20 < 10 ? .arrowRight : .arrowLeft) },
      FloodKind("zoom") { .zoom($0 % 2 == 0 ? .began : .changed, scale: 2, at: middle) },
      FloodKind("zoom steps") { .zoomStep(factor: $0 % 2 == 0 ? 2 : nil, at: middle) },
      FloodKind("jumps") { .jump(page: $0 % 2 == 0 ? 0 : .max) },
      FloodKind("go") {
        .go(book: books[$0 * 7919 % books.count], opens: true, page: UInt32($0 % 2))
      },
      FloodKind("lay") { _ in .lay(.toggle) },
      FloodKind("arrange") { turn in
        let orders = Arrangement.Order.allCases
        let filters = ["", "o", "book 1", "b k 7", "nothing of that name"]
        return .arrange(
          Arrangement(
            order: orders[turn % orders.count],
            filter: filters[turn / orders.count % filters.count]
          )
        )
      },
    ]
  }

  private static let windows: [FloodKind] = [
    FloodKind("point") { .point(at: Point(x: 400 + Double($0 % 100), y: 300)) },
    FloodKind("viewport") {
      .viewport(
        Viewport(size: Size(width: 800 + Double($0 % 99), height: 700)),
        reducesMotion: $0 % 2 == 0
      )
    },
    FloodKind("visibility") { .visibility(isVisible: $0 % 2 == 1) },
    FloodKind("visible") { _ in .visibility(isVisible: true) },
    FloodKind("clock") { .clock(clientTime: Double($0)) },
    FloodKind("ack") {
      .ack(Ack(frame: UInt32($0), lateness: 0.2, syncError: 0.01, roundTrip: 0.02))
    },
    FloodKind("ready") { _ in .ready(Array(0..<UInt64(WireLimits.readyElements))) },
  ]

  private static let words: [FloodKind] = [
    FloodKind("persona") { .persona(Persona(name: "Name \($0)", colour: UInt8($0 % 6))) },
    FloodKind("raise") { .raise($0 % 2 == 0) },
    FloodKind("wander") { .wander($0 % 2 == 0) },
    FloodKind("handover") { .handover($0 % 2 == 0 ? .layDown : .take) },
    FloodKind("unknown types", bytes: { _, _, _ in [0x7f] }),
    FloodKind("a second hello") { _ in
      .hello(Hello(room: "FLOOD", viewport: Viewport(size: Size(width: 9, height: 9))))
    },
  ]

  private static let affairs: [FloodKind] = [
    FloodKind("share") { _ in .share },
    FloodKind("settings") { .settings(RoomSettings(policy: .hostLeads, sharesShelf: $0 % 2 == 0)) },
    FloodKind("renew links") { _ in .renewLinks },
    FloodKind(
      "grant",
      bytes: { turn, role, member in
        ClientMessage.grant(member, turn % 2 == 0 ? .follow : .host).encoded(role: role)
      }
    ),
    FloodKind("share and end") { $0 % 2 == 0 ? .share : .endReading },
    FloodKind("record") { .record($0 % 2 == 0) },
    FloodKind("open") { _ in .open(recording: "no-recording-of-that-name") },
    FloodKind("play") { .play(.seek(Double($0 % 60))) },
  ]
}
