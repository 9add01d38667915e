import Motion
import Scene
import Wire

extension Samples {
  /// One of each message from a client.
  static let client: [(name: String, packet: ClientPacket)] =
    told.map { ($0, ClientPacket($1)) } + done.map { ($0, ClientPacket($1, role: $2)) }

  /// Messages that report a state or leave the decision to the room.
  private static let told: [(String, ClientMessage)] = [
    ("hello to a new room", .hello(Hello(viewport: viewport))),
    (
      "hello to a named room",
      .hello(Hello(room: "Reading-Room-7", viewport: viewport, reducesMotion: true))
    ),
    (
      "hello of a page that reports images",
      .hello(Hello(room: "A", viewport: viewport, reportsImages: true))
    ),
    (
      "hello with a key and a name",
      .hello(
        Hello(
          room: "k7-X",
          key: "r3Y6mEJw0bC9uX1qL8sTfA",
          resume: "Zk2_v-0aQ9",
          reader: "Qe7dT5kq0LxWn2vB8zYc4g",
          persona: Persona(name: "Þórunn 👓", colour: 5),
          viewport: viewport,
          reportsImages: true,
          sharesStage: true
        )
      )
    ),
    ("viewport", .viewport(viewport, reducesMotion: true)),
    ("viewport of one that likes motion", .viewport(viewport, reducesMotion: false)),
    ("clock", .clock(clientTime: 98_765.432_1)),
    ("hidden", .visibility(isVisible: false)),
    ("visible", .visibility(isVisible: true)),
    ("ready", .ready([0, 7, 4_000_000_000])),
    ("persona", .persona(Persona(name: "Ødegård", colour: 0))),
    ("persona of no colour", .persona(Persona())),
    (
      "ack",
      .ack(Ack(frame: 4_000_000_009, lateness: -0.125, syncError: 0.007_812_5, roundTrip: 0.5))
    ),
    ("raised hand", .raise(true)),
    ("hand taken down", .raise(false)),
    ("wander", .wander(true)),
    ("catch up", .wander(false)),
    ("ask for the book", .handover(.ask)),
    ("ask no more", .handover(.withdraw)),
    ("offer the book", .handover(.offer(4_000_000_001))),
    ("accept", .handover(.accept)),
    ("decline", .handover(.decline)),
    ("refuse", .handover(.refuse(2))),
    ("take the book", .handover(.take)),
    ("lay the book down", .handover(.layDown)),
    ("share", .share),
    (
      "settings",
      .settings(RoomSettings(policy: .passTheBook, isLocked: true, mayWander: false))
    ),
    (
      "settings that share the shelf",
      .settings(RoomSettings(policy: .hostLeads, sharesShelf: true))
    ),
    ("renew the links", .renewLinks),
    ("end the reading", .endReading),
    ("show out", .showOut(4_000_000_001)),
    ("grant", .grant(3, .present)),
    ("record", .record(true)),
    ("record no more", .record(false)),
    ("open a recording", .open(recording: "2026-11-21-Küste")),
    ("pause", .play(.pause)),
    ("play", .play(.play)),
    ("seek", .play(.seek(98_765.432_1))),
    ("close the recording", .play(.close)),
    ("bring all along", .bring(book: "b7k-ä")),
    ("read alone", .bring(book: nil)),
    ("lower a hand", .lowerHand(4_000_000_001)),
    (
      "fit the words",
      .fit(Fit(.words, words: Fit.Words(left: 0.125, top: 0.0625, right: 0.875, bottom: 0.9375)))
    ),
    ("show the whole book", .fit(.whole)),
  ]

  /// Messages that act in a role, with its number.
  private static let done: [(String, ClientMessage, UInt16)] = [
    ("pointers without samples", .pointers(Pointers(target: 12.25)), 1),
    (
      "pointers",
      .pointers(
        Pointers(
          target: 1234.5678,
          samples: [
            PointerSample(id: 1, phase: .down, ageSeconds: 0.0123, x: 640.25, y: 400),
            PointerSample(id: 1, phase: .move, ageSeconds: 0.0042, x: 612.5, y: -3.75),
            PointerSample(id: 2, phase: .up, ageSeconds: 6.5535, x: 0, y: 799),
            PointerSample(id: 255, phase: .cancel, x: 1, y: 2),
          ]
        )
      ),
      65_534
    ),
    ("wheel", .wheel(dx: -4.5, dy: 120, at: Point(x: 10, y: 20.5), ctrl: false), 2),
    ("wheel with ctrl", .wheel(dx: 0, dy: -1, at: Point(x: 512, y: 384), ctrl: true), 0x0201),
    ("key", .key(.pageDown), 3),
    ("key F", .key(.keyF), 4),
    ("zoom", .zoom(.changed, scale: 1.75, at: Point(x: 300, y: 200.25)), 5),
    ("jump", .jump(page: 100_000), 6),
    ("go", .go(book: "b7k-ä", opens: true, page: 31), 7),
    ("go to the cover", .go(book: "b7k", opens: false, page: nil), 8),
    ("arrange", .arrange(Arrangement(order: .lastRead, filter: "Öl 油")), 9),
    ("lay", .lay(.flat), 10),
    ("zoom step", .zoomStep(factor: 1.5, at: Point(x: 300, y: 200.25)), 11),
    ("zoom back", .zoomStep(factor: nil, at: Point(x: 0, y: 0)), 12),
    ("point", .point(at: Point(x: 300, y: 200.25)), 13),
    ("point no more", .point(at: nil), 14),
  ]
}
