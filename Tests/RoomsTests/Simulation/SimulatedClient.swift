import Fabric
import Motion
import Rooms
import Scene
import TestVectors
import Wire

/// A member of a simulated room: its connection, its decoded state, and its fingers.
struct SimulatedClient {
  let id: MemberID
  let room: String
  var decoder = FrameDecoder()
  var isVisible = true
  var fingers: [UInt8: Point] = [:]
  var isZooming = false
  /// Whether the server has closed the connection.
  var isOver = false
  var isWelcome = false
  /// The last camera, including those sent ahead of their time.
  var camera = WireMatrix.identity
  /// The pages whose images are not decoded yet; nil for a client that does not report them.
  var undecoded: [UInt64]?

  init(id: MemberID, room: String, reportsImages: Bool = false) {
    undecoded = reportsImages ? [] : nil
    self.id = id
    self.room = room
  }

  /// Handles a message.
  /// - Returns: The frames in the message.
  mutating func receive(_ bytes: [UInt8]) throws -> [DecodedFrame] {
    let message = try ServerMessage(decoding: bytes)
    switch message {
    case .batch(let updates):
      var frames: [DecodedFrame] = []
      for update in updates {
        try decoder.apply(.delta(update))
        if let frame = decoder.latest { frames.append(frame) }
      }
      return frames
    case .snapshot, .delta:
      try decoder.apply(message)
      return decoder.latest.map { [$0] } ?? []
    case .elements(let elements):
      try decoder.apply(message)
      undecoded?.append(contentsOf: elements.filter { $0.kind == .page }.map(\.id))
    case .retired: try decoder.apply(message)
    case .camera(let matrix): camera = matrix
    case .cameras(let cameras): camera = cameras.last?.matrix ?? camera
    case .welcome: isWelcome = true
    default: break
    }
    return []
  }

  /// Returns a random action of a reader.
  mutating func act(now: Double, using random: inout SplitMix64) -> ClientMessage {
    switch Int.random(in: 0..<24, using: &random) {
    case 20: return order(using: &random)
    case 21: return .lay(LayOrder.allCases.randomElement(using: &random) ?? .flat)
    case 22:
      let factor = random.happens(0.2) ? nil : Double.random(in: 0.2...4, using: &random)
      return .zoomStep(factor: factor, at: point(using: &random))
    case 23:
      guard let ids = undecoded, !ids.isEmpty else { return .jump(page: 5) }
      let count = Int.random(in: 1...min(ids.count, WireLimits.readyElements), using: &random)
      undecoded = Array(ids.dropFirst(count))
      return .ready(Array(ids.prefix(count)))
    case 0..<12: return pointers(now: now, using: &random)
    case 12, 13, 14:
      if random.happens(0.4) { return .key(.enter) }
      return .key(Key.allCases.randomElement(using: &random) ?? .enter)
    case 15:
      return .wheel(
        dx: .random(in: -300...300, using: &random),
        dy: .random(in: -300...300, using: &random),
        at: point(using: &random),
        ctrl: random.happens(0.4)
      )
    case 16:
      let size = Size(
        width: .random(in: 1...3000, using: &random),
        height: .random(in: 1...3000, using: &random)
      )
      return .viewport(Viewport(size: size), reducesMotion: false)
    case 17: return .clock(clientTime: now)
    case 18:
      let phase: GesturePhase = isZooming ? (random.happens(0.6) ? .changed : .ended) : .began
      isZooming = phase != .ended
      return .zoom(phase, scale: .random(in: 0.1...6, using: &random), at: point(using: &random))
    default:
      isVisible = !isVisible || random.happens(0.5)
      if !isVisible { (fingers, isZooming) = ([:], false) }
      return .visibility(isVisible: isVisible)
    }
  }

  private func order(using random: inout SplitMix64) -> ClientMessage {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1, 2: return .jump(page: .random(in: 0...120, using: &random))
    case 3:
      let order = Arrangement.Order.allCases.randomElement(using: &random) ?? .title
      let filter = ["", "", "book 1", "nothing at all", "2"].randomElement(using: &random) ?? ""
      return .arrange(Arrangement(order: order, filter: filter))
    default:
      let book = ["0/0", "0/4", "2/1", "2/0", "7/7"].randomElement(using: &random) ?? ""
      let page = random.happens(0.5) ? nil : UInt32.random(in: 0...50, using: &random)
      return .go(book: book, opens: random.happens(0.7), page: page)
    }
  }

  private func point(using random: inout SplitMix64) -> Point {
    Point(x: .random(in: -50...1100, using: &random), y: .random(in: -50...800, using: &random))
  }

  private mutating func pointers(
    now: Double,
    using random: inout SplitMix64
  ) -> ClientMessage {
    var samples: [PointerSample] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let id = UInt8.random(in: 0...2, using: &random)
      let age = random.happens(0.3) ? Double.random(in: 0...0.05, using: &random) : 0
      let phase: PointerPhase
      var place = point(using: &random)
      if let old = fingers[id] {
        place = Point(
          x: old.x + .random(in: -60...60, using: &random),
          y: old.y + .random(in: -20...20, using: &random)
        )
        phase = random.happens(0.75) ? .move : random.happens(0.8) ? .up : .cancel
        fingers[id] = phase == .move ? place : nil
      } else {
        phase = .down
        fingers[id] = place
      }
      samples.append(
        PointerSample(id: id, phase: phase, ageSeconds: age, x: place.x, y: place.y)
      )
    }
    let target = random.happens(0.2) ? 0 : now + .random(in: -0.1...0.3, using: &random)
    return .pointers(Pointers(target: target, samples: samples))
  }

  /// Lifts all fingers.
  mutating func letGo() -> [ClientMessage] {
    defer { (fingers, isZooming) = ([:], false) }
    let samples = fingers.sorted { $0.key < $1.key }.map {
      PointerSample(id: $0.key, phase: .up, x: $0.value.x, y: $0.value.y)
    }
    let zoom = ClientMessage.zoom(.ended, scale: 1, at: Point(x: 500, y: 300))
    return [.pointers(Pointers(target: 0, samples: samples))] + (isZooming ? [zoom] : [])
  }
}
