import Motion
import Notices
import Scene
import TestVectors
import Wire

/// One of each message, with texts beyond ASCII and numbers that Float32 holds exactly.
enum Samples {
  static let viewport = Viewport(size: Size(width: 1280, height: 800.5), pixelRatio: 1.5)

  static let frames: [(name: String, message: ServerMessage)] = [
    (
      "welcome",
      .welcome(
        Welcome(
          room: "k7-X",
          memberID: 4_000_000_001,
          serverTime: 3600.125,
          numbering: 4_000_000_007
        )
      )
    ),
    (
      "elements",
      .elements([
        WireElement(element(ElementKey(kind: .page, item: 0, page: 31))),
        WireElement(element(ElementKey(kind: .cover, item: ElementNumbers.max))),
      ])
    ),
    ("no elements", .elements([])),
    ("snapshot", .snapshot(update(7, time: 5.5, [full(3), full(260)], settled: true))),
    (
      "snapshot of far numbers", .snapshot(update(8, time: 6, [full(ElementNumbers.max), full(0)]))
    ),
    ("snapshot of parts", .snapshot(update(8, time: 6, [full(3), full(3, part: .strip(7))]))),
    ("retired", .retired([0, 127, 128, 16_384, ElementNumbers.max])),
    ("no retired", .retired([])),
    ("delta", .delta(update(9, time: 6.016, changes))),
    ("delta of other entries", .delta(update(10, time: 6.024, otherChanges))),
    ("empty delta", .delta(update(10, time: 6.032, [], settled: true))),
    (
      "batch",
      .batch([update(11, time: 6.05, [full(4)]), update(12, time: 6.07, changes)])
    ),
    ("camera", .camera(WireMatrix(turn(0.25)))),
    (
      "framing",
      .framing(
        FramingEvent(
          pages: .right,
          scale: 0.96875,
          range: PageRange(labels: ["ix"], total: "32")
        )
      )
    ),
    ("pass", .pass("7~4745437268921827328~b-k3q9.c2lnbmF0dXJl")),
    ("clock", .clock(clientTime: 98_765.432_1, serverTime: 3601.5)),
    (
      "error",
      .error(
        code: 4000,
        Notice(other: "The number x is not finite. Send a finite number.")
      )
    ),
    (
      "error with values",
      .error(
        code: 0,
        Notice(.noRoomForUpload, ["bytes": "\(1 << 40)", "free": "7"])
      )
    ),
    (
      "caption",
      .caption(
        caption(.book) {
          ($0.index, $0.count, $0.size, $0.page) = (4, 32, 32, 9)
          ($0.heading, $0.title) = ("Küste", "Der Deich – 堤防")
          ($0.author, $0.book) = ("Ilse Marow", "b7k")
          $0.range = PageRange(labels: ["viii", "ix"], total: "32")
          $0.flags = [.isFlat, .waitsForImages]
          $0.arrangement = Arrangement(order: .added, filter: "küste")
          $0.spread = [11, 4_000_000_012]
        }
      )
    ),
    (
      "caption of a shelf",
      .caption(
        caption(.shelf) {
          ($0.count, $0.size) = (1, 32)
          ($0.heading, $0.title, $0.book) = ("Küste", "Der Deich", "b7k")
          $0.flags = [.isBegun, .isLost]
        }
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

  /// Returns a caption with the given facts.
  static func caption(_ screen: Screen, _ change: (inout Caption) -> Void) -> Caption {
    var caption = Caption(screen: screen)
    change(&caption)
    return caption
  }

  static func element(_ key: ElementKey) -> Element {
    Element(
      key: key,
      index: key.page,
      size: Size(width: 362.5, height: 568),
      side: ElementSide.right,
      stock: key.kind == .cover ? .board : .card,
      cornerRadius: 20,
      imageURL: "/books/\(key.item)/\(key.page)",
      title: "Seite \(key.page) – „Wörter“ 📖",
      author: key.kind == .cover ? "Ilse Marow" : "",
      count: key.kind == .cover ? 0 : 1
    )
  }

  /// Returns the transform of a page turned about the spine under the perspective.
  static func turn(_ angle: Double, x: Double = 0) -> Transform3D {
    // The first terms of sine and cosine suffice: no test depends on an exact circle.
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

  private static func full(_ id: UInt64, part: ElementPart = .whole) -> FrameEntry {
    let placement = Placement(
      key: ElementKey(kind: .cover, item: id, part: part),
      transform: turn(0.5, x: Double(id % 1000)),
      opacity: 1,
      shade: 0.25,
      z: -Int(id % 1000)
    )
    return FrameEntry(appearing: ShownElement(placement))
  }

  private static var changes: [FrameEntry] {
    var turned = FrameEntry(id: 3)
    var transform = turn(0)
    (transform.m11, transform.m13, transform.m31, transform.m33) = (0.5, 0.75, -0.75, 0.5)
    (transform.m14, transform.m34, transform.m41) = (0.75 / -2000, 0.5 / -2000, 17)
    turned.matrixMask = 0b0001_1101_0000_1101
    turned.matrix = WireMatrix(transform)
    turned.shade = 32_768
    var faded = FrameEntry(id: 260)
    faded.opacity = 1
    faded.z = -32_768
    var gone = FrameEntry(id: 4)
    gone.isHidden = true
    return [turned, faded, gone]
  }

  /// Changes of entries that do not follow from others, or of which only some do.
  private static var otherChanges: [FrameEntry] {
    var free = FrameEntry(id: 3)
    free.matrixMask = 0b1001_0000_0000_1001
    (free.matrix[0], free.matrix[3], free.matrix[12], free.matrix[15]) = (0.5, -0.25, 17, 1.5)
    var strip = FrameEntry(id: 3)
    strip.part = .strip(7)
    strip.matrixMask = 0b1111_0000_1111_0001
    (strip.matrix[0], strip.matrix[4], strip.matrix[6]) = (0.75, 0.25, 40)
    (strip.matrix[12], strip.matrix[14]) = (20, 1000)
    (strip.matrix[7], strip.matrix[15]) = (40 / -2000, 1 + 1000 / -2000)
    return [free, strip]
  }

  private static func update(
    _ number: UInt32,
    time: Double,
    _ entries: [FrameEntry],
    settled: Bool = false
  ) -> FrameUpdate {
    FrameUpdate(
      number: number,
      time: time,
      screen: .book,
      isSettled: settled,
      entries: entries
    )
  }
}
