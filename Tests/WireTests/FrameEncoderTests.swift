import Motion
import Scene
import TestVectors
import Testing
import Wire

@Suite("The frame encoder")
struct FrameEncoderTests {
  private static func key(_ page: Int) -> ElementKey {
    ElementKey(kind: .page, item: 0, page: page)
  }

  private static func frame(_ pages: [Int], angle: Double, shade: Double = 0) -> Frame {
    let placements = pages.map { page in
      Placement(
        key: key(page),
        transform: Samples.turn(angle + Double(page) / 100),
        opacity: 1,
        shade: shade,
        z: page
      )
    }
    return Frame(screen: .book, isSettled: false, placements: placements)
  }

  /// Returns a frame in which elements appear, disappear, stay unchanged or change in any of their
  /// values.
  private static func randomFrame(_ numbers: inout SplitMix64, after last: Frame) -> Frame {
    var placements = last.placements.filter { _ in Int.random(in: 0..<8, using: &numbers) > 0 }
    for index in placements.indices where Bool.random(using: &numbers) {
      placements[index].transform = Samples.turn(.random(in: -2...2, using: &numbers))
      placements[index].transform.m41 = .random(in: -500...500, using: &numbers)
      if Bool.random(using: &numbers) {
        placements[index].shade = .random(in: 0...1, using: &numbers)
      }
      if Bool.random(using: &numbers) {
        placements[index].opacity = .random(in: 0...1, using: &numbers)
      }
      if Bool.random(using: &numbers) { placements[index].z = .random(in: -9...9, using: &numbers) }
    }
    for _ in 0..<Int.random(in: 0...3, using: &numbers) {
      let new = key(.random(in: 0..<40, using: &numbers))
      if placements.contains(where: { $0.key == new }) { continue }
      placements.insert(
        Placement(
          key: new,
          transform: .identity,
          opacity: .random(in: 0...1, using: &numbers),
          shade: 0,
          z: 0
        ),
        at: .random(in: 0...placements.count, using: &numbers)
      )
    }
    if Int.random(in: 0..<10, using: &numbers) == 0 { placements.shuffle(using: &numbers) }
    return Frame(
      screen: Screen.allCases.randomElement(using: &numbers) ?? .book,
      isSettled: Bool.random(using: &numbers),
      placements: placements
    )
  }

  private static func introduceAll(
    of frame: Frame,
    _ encoder: inout FrameEncoder,
    to decoder: inout FrameDecoder
  ) throws {
    let unknown = encoder.unknown(in: frame)
    for bytes in encoder.introduce(unknown.map(Samples.element)) {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
  }

  @Test("encodes deltas that add up to the snapshot of each frame")
  func deltasAddUp() throws {
    var numbers = SplitMix64(seed: 11)
    var encoder = FrameEncoder()
    var follower = FrameDecoder()
    var buffer: [UInt8] = []
    var frame = Frame(screen: .shelf, isSettled: true, placements: [])
    encoder.snapshot(of: frame, number: 0, time: 0, into: &buffer)
    try follower.apply(ServerMessage(decoding: buffer))
    for number in UInt32(1)...1000 {
      frame = Self.randomFrame(&numbers, after: frame)
      try Self.introduceAll(of: frame, &encoder, to: &follower)
      buffer.removeAll(keepingCapacity: true)
      encoder.delta(of: frame, number: number, time: Double(number) / 60, into: &buffer)
      try follower.apply(ServerMessage(decoding: buffer))

      var joiner = FrameDecoder()
      for message in encoder.elementsMessages {
        try joiner.apply(ServerMessage(decoding: message))
      }
      buffer.removeAll(keepingCapacity: true)
      encoder.snapshotOfLast(into: &buffer)
      try joiner.apply(ServerMessage(decoding: buffer))
      #expect(follower.latest == joiner.latest)
      #expect(follower.latest?.shown.count == frame.placements.count)
      #expect(follower.elements == joiner.elements)
      if number.isMultiple(of: 100) {
        for message in encoder.retire(keeping: { $0.page < 10 }) {
          try follower.apply(ServerMessage(decoding: message))
        }
      }
    }
  }

  @Test("encodes at most 160 bytes per frame for a dozen turning pages")
  func deltaSize() throws {
    var encoder = FrameEncoder()
    var buffer: [UInt8] = []
    let pages = Array(0..<12)
    _ = encoder.introduce(pages.map { Samples.element(Self.key($0)) })
    encoder.snapshot(
      of: Self.frame(pages, angle: 0.3, shade: 0.1),
      number: 1,
      time: 1,
      into: &buffer
    )
    buffer.removeAll(keepingCapacity: true)
    encoder.delta(of: Self.frame(pages, angle: 0.4, shade: 0.2), number: 2, time: 2, into: &buffer)
    #expect(buffer.count == 16 + 2 + 12 * (1 + 2 * 4 + 2))
    #expect(buffer.count <= 160)
  }

  @Test("encodes only the head if no byte differs")
  func unchangedFrame() {
    var encoder = FrameEncoder()
    var buffer: [UInt8] = []
    _ = encoder.introduce([Samples.element(Self.key(1))])
    var frame = Self.frame([1], angle: 0.5)
    encoder.snapshot(of: frame, number: 1, time: 1, into: &buffer)
    // Smaller changes than Float32 and 16 bits can distinguish, and a zero of the other sign.
    frame.placements[0].transform.m11 += 1e-12
    frame.placements[0].transform.m12 = -0.0
    frame.placements[0].shade = 1e-7
    buffer.removeAll()
    encoder.delta(of: frame, number: 2, time: 2, into: &buffer)
    #expect(buffer.count == 16)
  }

  @Test("writes deltas into a buffer that does not grow")
  func bufferCapacity() {
    var encoder = FrameEncoder()
    var buffer: [UInt8] = []
    buffer.reserveCapacity(1024)
    let pages = Array(0..<12)
    _ = encoder.introduce(pages.map { Samples.element(Self.key($0)) })
    encoder.snapshot(of: Self.frame(pages, angle: 0), number: 0, time: 0, into: &buffer)
    let start = buffer.withUnsafeBytes { $0.baseAddress }
    for number in UInt32(1)...100 {
      buffer.removeAll(keepingCapacity: true)
      let frame = Self.frame(pages, angle: Double(number) / 100)
      #expect(encoder.unknown(in: frame).isEmpty)
      encoder.delta(of: frame, number: number, time: Double(number), into: &buffer)
    }
    #expect(buffer.withUnsafeBytes { $0.baseAddress } == start)
  }

  @Test("cancels flown frames with a snapshot")
  func snapshotCancelsFlownFrames() throws {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var buffer: [UInt8] = []
    let first = Self.frame([1, 2], angle: 0)
    try Self.introduceAll(of: first, &encoder, to: &decoder)
    encoder.snapshot(of: first, number: 0, time: 0, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    #expect(decoder.dequeue(at: 0)?.number == 0)

    let flown = (1...10).map {
      TimedFrame(time: Double($0), frame: Self.frame([1, 2], angle: Double($0) / 10))
    }
    buffer.removeAll()
    encoder.batch(of: flown, firstNumber: 1, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    #expect(decoder.dequeue(at: 4.5)?.number == 4)
    #expect(decoder.queue.map(\.number) == [5, 6, 7, 8, 9, 10])

    buffer.removeAll()
    encoder.snapshot(of: Self.frame([2], angle: 0.45), number: 11, time: 4.6, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    #expect(decoder.queue.map(\.number) == [11])
    #expect(decoder.latest?.shown.count == 1)

    buffer.removeAll()
    encoder.delta(of: Self.frame([2], angle: 0.5), number: 12, time: 4.7, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    #expect(decoder.dequeue(at: 9)?.number == 12)
  }

  @Test("returns the elements of a frame that were not introduced, once each")
  func unknownElements() {
    var encoder = FrameEncoder()
    let frame = Self.frame([4, 9], angle: 0)
    #expect(encoder.unknown(in: frame) == [Self.key(4), Self.key(9)])
    _ = encoder.introduce([Samples.element(Self.key(4))])
    #expect(encoder.unknown(in: frame) == [Self.key(9)])
  }

  @Test("identifies an element by the same number each time it is introduced")
  func stableNumbers() throws {
    var encoder = FrameEncoder()
    let first = encoder.introduce([Samples.element(Self.key(4))])
    #expect(encoder.introduce([Samples.element(Self.key(4))]) == first)
    #expect(encoder.elementCount == 1)
    _ = encoder.retire(keeping: { _ in false })
    #expect(encoder.elementCount == 0)
    #expect(encoder.introduce([Samples.element(Self.key(4))]) == first)
    var other = FrameEncoder()
    _ = other.introduce([Samples.element(Self.key(9))])
    #expect(other.introduce([Samples.element(Self.key(4))]) == first)
  }

  @Test("retires elements that are neither shown nor wanted, and introduces them again")
  func retires() throws {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var buffer: [UInt8] = []
    for page in 0..<WireLimits.elements {
      #expect(!encoder.isFull)
      for bytes in encoder.introduce([Samples.element(Self.key(page))]) {
        try decoder.apply(ServerMessage(decoding: bytes))
      }
    }
    #expect(encoder.isFull)
    #expect(encoder.elementsMessages.count == 4)
    encoder.snapshot(of: Self.frame([7, 8], angle: 0), number: 0, time: 0, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    for bytes in encoder.retire(keeping: { $0.page == 5 }) {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    #expect(!encoder.isFull)
    #expect(encoder.introduced.map(\.page).sorted() == [5, 7, 8])
    #expect(decoder.elements.keys.sorted() == [5, 7, 8].map { Self.key($0).number })
    let next = Self.frame([8, 9], angle: 1)
    #expect(encoder.unknown(in: next) == [Self.key(9)])
    try Self.introduceAll(of: next, &encoder, to: &decoder)
    buffer.removeAll()
    encoder.delta(of: next, number: 1, time: 1, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    #expect(decoder.latest?.shown.map(\.id) == [8, 9].map { Self.key($0).number })
  }

  @Test("moves the parts of an element independently")
  func parts() throws {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var buffer: [UInt8] = []
    func frame(_ parts: [ElementPart], angle: Double) -> Frame {
      var frame = Self.frame(parts.map { _ in 3 }, angle: angle)
      for (index, part) in parts.enumerated() {
        frame.placements[index].key.part = part
        frame.placements[index].transform = Samples.turn(angle + Double(part.rawValue))
      }
      return frame
    }
    let first = frame([.whole, .edge(0), .shadow], angle: 0)
    #expect(encoder.unknown(in: first) == [Self.key(3)])
    for bytes in encoder.introduce([Samples.element(Self.key(3))]) {
      try decoder.apply(ServerMessage(decoding: bytes))
    }
    #expect(encoder.unknown(in: first).isEmpty)
    encoder.snapshot(of: first, number: 0, time: 0, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    buffer.removeAll()
    encoder.delta(of: frame([.whole, .shadow], angle: 1), number: 1, time: 1, into: &buffer)
    try decoder.apply(ServerMessage(decoding: buffer))
    let shown = try #require(decoder.latest?.shown)
    #expect(shown.map(\.part) == [.whole, .shadow] && Set(shown.map(\.id)).count == 1)
    #expect(shown.map(\.matrix) == [1, 3].map { WireMatrix(Samples.turn($0)) })
  }
}

@Suite("The frame decoder")
struct FrameDecoderTests {
  @Test("rejects a delta that does not follow")
  func brokenChain() throws {
    var decoder = FrameDecoder()
    let delta = FrameUpdate(number: 3, time: 0, screen: .book, isSettled: false, entries: [])
    #expect(throws: WireError.brokenChain(last: nil, number: 3)) {
      try decoder.apply(.delta(delta))
    }
    try decoder.apply(.snapshot(delta))
    #expect(throws: WireError.brokenChain(last: 3, number: 3)) { try decoder.apply(.delta(delta)) }
  }

  @Test("rejects elements that were not introduced")
  func unknownElements() {
    var decoder = FrameDecoder()
    let update = Samples.server.compactMap { sample in
      if case .snapshot(let update) = sample.message { update } else { nil }
    }
    #expect(throws: WireError.unknownElement(id: 3)) { try decoder.apply(.snapshot(update[0])) }
  }

  @Test("keeps at most its limit of frames if none are taken")
  func queueLimit() throws {
    var decoder = FrameDecoder()
    for number in UInt32(0)..<600 {
      let update = FrameUpdate(
        number: number,
        time: 0,
        screen: .book,
        isSettled: false,
        entries: []
      )
      try decoder.apply(number == 0 ? .snapshot(update) : .delta(update))
    }
    #expect(decoder.queue.count == FrameDecoder.queueLimit)
  }
}
