import Motion
import Notices
import Scene
import TestVectors
import Testing

@testable import Wire

@Suite("The longest messages of a server")
struct BoundsTests {
  /// Returns a text far longer than allowed, with characters of one to four bytes or with marks.
  private static func longText(_ dice: inout SplitMix64) -> String {
    let letter = ["a", "é", "…", "🦦", "e\u{301}", "👩‍👩‍👧"].randomElement(using: &dice) ?? "a"
    return String(repeating: letter, count: Int.random(in: 600...4000, using: &dice))
  }

  private static func element(_ index: Int, _ dice: inout SplitMix64) -> Element {
    Element(
      key: ElementKey(kind: .cover, item: UInt64(index)),
      index: index,
      size: Size(width: 1, height: 1),
      side: .centre,
      stock: .board,
      cornerRadius: 0,
      imageURL: longText(&dice),
      title: longText(&dice),
      author: longText(&dice),
      count: 3
    )
  }

  private static func update(_ count: Int, _ number: UInt32) -> FrameUpdate {
    let entries = (0..<count).map { index in
      var entry = FrameEntry(id: UInt64(index) << 40 & ElementNumbers.max)
      (entry.matrixMask, entry.isFull) = (.max, true)
      (entry.opacity, entry.shade, entry.z) = (1, 1, 1)
      return entry
    }
    return FrameUpdate(number: number, time: 1, screen: .book, isSettled: false, entries: entries)
  }

  /// Returns one message of each kind that can grow, with the maximum contents.
  private static func huge(_ dice: inout SplitMix64) -> [ServerMessage] {
    let text = longText(&dice)
    let count = [200, 5000, 70_000].randomElement(using: &dice) ?? 200
    let people = (0..<count).map { id in
      PersonEvent(id: UInt32(id), role: .follower, state: [], colour: 0, name: text)
    }
    let gone = (0..<count).map { UInt32($0) }
    let element = WireElement(element(1, &dice))
    let camera = TimedCamera(time: 1, matrix: .identity)
    return [
      .welcome(Welcome(room: "R", memberID: 1, serverTime: 1, resume: text, key: text)),
      .elements([WireElement](repeating: element, count: count)),
      .retired(gone.map { ElementNumbers.max - UInt64($0) }),
      .snapshot(update(count, 0)), .delta(update(count, 0)),
      .batch((0..<300).map { update(min(count, 4000), $0) }),
      .cameras([TimedCamera](repeating: camera, count: count)),
      .error(code: 0, Notice(other: text)),
      .caption(
        Samples.caption(.book) {
          ($0.heading, $0.title, $0.author, $0.book) = (text, text, text, text)
          $0.range = PageRange(labels: Array(repeating: text, count: 300), total: text)
          $0.arrangement = Arrangement(order: .title, filter: text)
        }
      ),
      .people(PeopleEvent(isWhole: true, people: people, gone: gone)),
      .people(PeopleEvent(isWhole: false, people: [], gone: gone)),
      .place(PlaceEvent(book: text, page: 0)),
      .links(LinksEvent(follow: text, present: text, host: text, code: text, codeSeconds: 0)),
      .sync(gone.map { SyncEvent(member: $0, error: 0, roundTrip: 0) }),
      .playback(PlaybackEvent(isPlaying: true, time: 0, position: 0, length: 0, title: text)),
    ]
  }

  @Test("do not exceed the maximum length, and can be decoded")
  func maximumLength() throws {
    var dice = SplitMix64(seed: 61)
    for _ in 0..<6 {
      for message in Self.huge(&dice) {
        var bytes: [UInt8] = [1, 2, 3]
        message.encode(into: &bytes)
        #expect(bytes.count <= 3 + WireLimits.serverMessageBytes)
        _ = try ServerMessage(decoding: Array(bytes.dropFirst(3)))
      }
    }
  }

  @Test("introduce every element, in messages of a bounded length")
  func introductions() throws {
    var dice = SplitMix64(seed: 62)
    for count in [1, 75, 300, 1200] {
      let elements = (0..<count).map { Self.element($0, &dice) }
      var encoder = FrameEncoder()
      var seen: Set<UInt32> = []
      let messages = encoder.introduce(elements)
      #expect(messages == encoder.elementsMessages)
      for bytes in messages {
        #expect(bytes.count <= WireLimits.elementsBytes)
        guard case .elements(let part) = try ServerMessage(decoding: bytes) else { continue }
        #expect((1...WireLimits.elementsPerMessage).contains(part.count))
        seen.formUnion(part.map(\.index))
      }
      #expect(seen.count == count)
    }
  }

  @Test("contain all frames of a flight, in as many batches as necessary")
  func flightFrames() throws {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var bytes: [UInt8] = []
    let keys = (0..<600).map { ElementKey(kind: .page, item: 0, page: $0) }
    func frame(_ number: Int) -> Frame {
      // Every matrix entry differs in each frame. If there are too many elements, the first ones
      // count.
      let spin = Transform3D(
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        Double(number)
      )
      let placements = keys.enumerated().map { index, key in
        var transform = spin
        for entry in 0..<16 { transform[entry] += Double(number * 600 + index) / 7 }
        return Placement(key: key, transform: transform, opacity: 1, shade: 0, z: 0)
      }
      return Frame(screen: .book, isSettled: false, placements: placements)
    }
    for message in encoder.introduce(keys.map(Samples.element)) {
      try decoder.apply(ServerMessage(decoding: message))
    }
    encoder.snapshot(of: frame(0), number: 0, time: 0, into: &bytes)
    try decoder.apply(ServerMessage(decoding: bytes))
    var rest = (1...33).map { TimedFrame(time: Double($0), frame: frame($0)) }[...]
    var messages = 0
    while let first = rest.first {
      bytes = []
      let count = encoder.batch(of: rest, firstNumber: UInt32(first.time), into: &bytes)
      #expect(count >= 1 && bytes.count <= WireLimits.serverMessageBytes)
      try decoder.apply(ServerMessage(decoding: bytes))
      rest = rest.dropFirst(count)
      messages += 1
    }
    #expect(messages > 1)
    #expect(decoder.dequeue(at: 40)?.number == 33)
    #expect(decoder.latest?.shown.count == WireLimits.placements)
  }
}

@Suite("A text on the wire")
struct TextTests {
  @Test("is truncated between two characters")
  func betweenCharacters() {
    var dice = SplitMix64(seed: 63)
    let letters = ["a", "é", "…", "🦦", "e\u{301}", "👩‍👩‍👧", "\r\n"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...30, using: &dice))
        .map { _ in letters.randomElement(using: &dice) ?? "a" }.joined()
      let limit = Int.random(in: 25...60, using: &dice)
      let cut = text.prefix(bytes: limit)
      #expect(cut.utf8.count <= limit && text.hasPrefix(cut))
      // The next character would not fit.
      if cut.endIndex < text.endIndex {
        #expect(cut.utf8.count + text[cut.endIndex].utf8.count > limit)
      }
    }
  }

  @Test("is truncated inside a single character that is longer than a text may be")
  func insideCharacter() throws {
    let text = "e" + String(repeating: "\u{301}", count: 5000)
    #expect(text.count == 1)
    let message = ServerMessage.caption(Samples.caption(.shelf) { $0.title = text })
    guard case .caption(let cut) = try ServerMessage(decoding: message.encoded()) else { return }
    #expect(cut.title.utf8.count == WireLimits.textBytes - 1)
  }
}
