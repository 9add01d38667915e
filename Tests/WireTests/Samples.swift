import Geometry
import Scene
import Wire

/// One of each message, with texts beyond ASCII and numbers that Float32 holds exactly.
enum Samples {
  static let viewport = Viewport(size: Size(width: 1280, height: 800.5), pixelRatio: 1.5)

  static let client: [(name: String, message: ClientMessage)] = [
    ("hello to a new room", .hello(Hello(viewport: viewport))),
    (
      "hello to a named room",
      .hello(Hello(room: "Reading-Room-7", viewport: viewport, reducesMotion: true))
    ),
    ("pointers without samples", .pointers(Pointers(target: 12.25))),
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
      )
    ),
    ("wheel", .wheel(dx: -4.5, dy: 120, at: Point(x: 10, y: 20.5), ctrl: false)),
    ("wheel with ctrl", .wheel(dx: 0, dy: -1, at: Point(x: 512, y: 384), ctrl: true)),
    ("key", .key(.pageDown)),
    ("viewport", .viewport(viewport, reducesMotion: true)),
    ("clock", .clock(clientTime: 98_765.432_1)),
    ("zoom", .zoom(.changed, scale: 1.75, at: Point(x: 300, y: 200.25))),
    ("hidden", .visibility(isVisible: false)),
    ("visible", .visibility(isVisible: true)),
    (
      "hello of a page that reports images",
      .hello(Hello(room: "A", viewport: viewport, reportsImages: true))
    ),
    ("ready", .ready([0, 7, 65_535])),
    ("jump", .jump(page: 100_000)),
    ("go", .go(book: "b7k-ä", opens: true, page: 31)),
    ("go to the cover", .go(book: "b7k", opens: false, page: nil)),
    ("arrange", .arrange(Arrangement(order: .lastRead, filter: "Öl 油"))),
    ("lay", .lay(.flat)),
    ("zoom step", .zoomStep(factor: 1.5, at: Point(x: 300, y: 200.25))),
    ("zoom back", .zoomStep(factor: nil, at: Point(x: 0, y: 0))),
    ("key F", .key(.keyF)),
  ]

  static let server: [(name: String, message: ServerMessage)] = [
    ("welcome", .welcome(Welcome(room: "k7-X", memberID: 4_000_000_001, serverTime: 3600.125))),
    (
      "elements",
      .elements([
        WireElement(element(ElementKey(kind: .page, collection: 0, book: 2, page: 31)), id: 0),
        WireElement(element(ElementKey(kind: .cover, collection: 1, book: 4)), id: 65_535),
      ])
    ),
    ("no elements", .elements([])),
    ("snapshot", .snapshot(update(7, time: 5.5, [full(3), full(260)], settled: true))),
    ("snapshot that resets", .snapshot(update(8, time: 6, [full(3)], resets: true))),
    ("delta", .delta(update(9, time: 6.016, changes))),
    ("empty delta", .delta(update(10, time: 6.032, [], settled: true))),
    (
      "batch",
      .batch([update(11, time: 6.05, [full(4)]), update(12, time: 6.07, changes)])
    ),
    ("camera", .camera(WireMatrix(turn(0.25)))),
    ("clock", .clock(clientTime: 98_765.432_1, serverTime: 3601.5)),
    ("error", .error(code: 4000, message: "The number x is not finite. Send a finite number.")),
    (
      "caption",
      .caption(
        Caption(
          screen: .book,
          index: 4,
          count: 32,
          heading: "Küste",
          title: "Der Deich – 堤防",
          detail: "Pages 4-5 of 32",
          book: "b7k",
          flags: [.isFlat, .waitsForImages],
          page: 9,
          arrangement: Arrangement(order: .added, filter: "küste")
        )
      )
    ),
    (
      "cameras",
      .cameras([
        TimedCamera(time: 6.05, matrix: WireMatrix(turn(0.25))),
        TimedCamera(time: 6.0625, matrix: WireMatrix(turn(0, x: 12))),
      ])
    ),
  ]

  static func element(_ key: ElementKey) -> Element {
    Element(
      key: key,
      size: Size(width: 362.5, height: 568),
      side: ElementSide.right,
      cornerRadius: 20,
      imageURL: "/books/\(key.collection)/\(key.book)/\(key.page)",
      title: "Seite \(key.page) – „Wörter“ 📖",
      subtitle: ""
    )
  }

  /// A page turned about the spine under the perspective.
  static func turn(_ angle: Double, x: Double = 0) -> Transform3D {
    // The first terms of sine and cosine: no test depends on the turn being a circle's.
    let sine = angle - angle * angle * angle / 6
    let cosine = 1 - angle * angle / 2
    let m34 = -1.0 / 2000
    return Transform3D(
      cosine,
      0,
      -sine,
      -sine * m34,
      0,
      1,
      0,
      0,
      sine,
      0,
      cosine,
      cosine * m34,
      x,
      0,
      0,
      1
    )
  }

  private static func full(_ id: UInt16) -> FrameEntry {
    let placement = Placement(
      key: ElementKey(kind: .page, collection: 0),
      transform: turn(0.5, x: Double(id)),
      opacity: 1,
      shade: 0.25,
      z: -Int(id)
    )
    return FrameEntry(appearing: ShownElement(placement, id: id))
  }

  private static var changes: [FrameEntry] {
    var turned = FrameEntry(id: 3)
    turned.matrixMask = 0b1001_0000_0000_1001
    turned.matrix[0] = 0.5
    turned.matrix[3] = -0.000_25
    turned.matrix[12] = 17
    turned.matrix[15] = 1.5
    turned.shade = 32_768
    var faded = FrameEntry(id: 260)
    faded.opacity = 1
    faded.z = -32_768
    var gone = FrameEntry(id: 4)
    gone.isHidden = true
    return [turned, faded, gone]
  }

  private static func update(
    _ number: UInt32,
    time: Double,
    _ entries: [FrameEntry],
    settled: Bool = false,
    resets: Bool = false
  ) -> FrameUpdate {
    FrameUpdate(
      number: number,
      time: time,
      screen: .book,
      isSettled: settled,
      resetsElements: resets,
      entries: entries
    )
  }
}
