import Foundation
import Geometry
import Scene
import Testing
import Wire

/// The bytes that the page's wire.js is held to as well.
@Suite struct `The vectors` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Vectors/wire.json")

  @Test func `are what is written today`() throws {
    let vectors: [String: Any] = [
      "client": Samples.client.map { name, message in
        ["name": name, "hex": hex(message.encoded()), "message": described(message)]
      },
      "server": Samples.server.map { name, message in
        ["name": name, "hex": hex(message.encoded()), "message": described(message)]
      },
      "chain": try chain(),
    ]
    let data = try JSONSerialization.data(
      withJSONObject: vectors,
      options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    )
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try (data + Data("\n".utf8)).write(to: Self.file)
    }
    let stored = try Data(contentsOf: Self.file)
    #expect(
      stored == data + Data("\n".utf8),
      "The bytes changed. Set UPDATE_GOLDEN=1 if they should."
    )
  }

  @Test func `are read as what they were written from`() throws {
    let stored = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file))
    let vectors = try #require(stored as? [String: Any])
    let client = try #require(vectors["client"] as? [[String: Any]])
    let server = try #require(vectors["server"] as? [[String: Any]])
    #expect(client.count == Samples.client.count)
    for (vector, sample) in zip(client, Samples.client) {
      let bytes = try bytes(#require(vector["hex"] as? String))
      #expect(try ClientMessage(decoding: bytes) == sample.message)
    }
    for (vector, sample) in zip(server, Samples.server) {
      let bytes = try bytes(#require(vector["hex"] as? String))
      #expect(try ServerMessage(decoding: bytes) == sample.message)
    }
  }

  /// A short story of one room: messages and what is shown after each frame.
  private func chain() throws -> [[String: Any]] {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var steps: [[String: Any]] = []
    for number in 0..<12 {
      let pages = Array(max(0, number - 6)..<min(5, number + 2))
      let placements = pages.map { page in
        Placement(
          key: ElementKey(kind: .page, collection: 0, page: page),
          transform: Samples.turn(page == 2 ? 0.5 : Double(number + page) / 8, x: Double(page)),
          opacity: page == 1 ? Double(number) / 12 : 1,
          shade: Double(number) / 24,
          z: number % 3
        )
      }
      let frame = Frame(screen: .book, isSettled: number == 11, placements: placements)
      let unknown = encoder.unknown(in: frame)
      if !unknown.isEmpty {
        let bytes = encoder.introduce(unknown.map(Samples.element))
        try decoder.apply(ServerMessage(decoding: bytes))
      }
      var bytes: [UInt8] = []
      let time = Double(number) / 64
      if number.isMultiple(of: 7) {
        encoder.snapshot(of: frame, number: UInt32(number), time: time, into: &bytes)
      } else {
        encoder.delta(of: frame, number: UInt32(number), time: time, into: &bytes)
      }
      try decoder.apply(ServerMessage(decoding: bytes))
      let shown = try #require(decoder.latest).shown
      steps.append([
        "hex": hex(bytes),
        "shown": shown.map { element in
          [
            "id": element.id, "opacity": element.opacity, "shade": element.shade, "z": element.z,
            "m": numbers(element.matrix),
          ]
        },
      ])
    }
    return steps
  }
}

private func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

private func bytes(_ hex: String) throws -> [UInt8] {
  try stride(from: 0, to: hex.count, by: 2).map { offset in
    try #require(UInt8(hex.dropFirst(offset).prefix(2), radix: 16))
  }
}

private func numbers(_ matrix: WireMatrix) -> [Double] { (0..<16).map { Double(matrix[$0]) } }

private func described(_ message: ClientMessage) -> [String: Any] {
  switch message {
  case .hello(let hello):
    described(hello.viewport, hello.reducesMotion, type: "hello").merging(
      ["room": hello.room, "reportsImages": hello.reportsImages]
    ) { $1 }
  case .pointers(let pointers):
    [
      "type": "pointers", "target": pointers.target,
      "samples": pointers.samples.map { sample in
        [
          "id": sample.id, "phase": sample.phase.rawValue, "age": sample.ageSeconds,
          "x": sample.x, "y": sample.y,
        ]
      },
    ]
  case .wheel(let dx, let dy, let point, let ctrl):
    ["type": "wheel", "dx": dx, "dy": dy, "x": point.x, "y": point.y, "ctrl": ctrl]
  case .key(let key): ["type": "key", "key": key.rawValue]
  case .viewport(let viewport, let reducesMotion):
    described(viewport, reducesMotion, type: "viewport")
  case .clock(let clientTime): ["type": "clock", "clientTime": clientTime]
  case .zoom(let phase, let scale, let point):
    ["type": "zoom", "phase": phase.rawValue, "scale": scale, "x": point.x, "y": point.y]
  case .visibility(let isVisible): ["type": "visibility", "visible": isVisible]
  case .ready(let ids): ["type": "ready", "elements": ids]
  case .jump(let page): ["type": "jump", "page": page]
  case .go(let book, let opens, let page):
    ["type": "go", "book": book, "opens": opens].merging(page.map { ["page": $0] } ?? [:]) { $1 }
  case .arrange(let arrangement):
    ["type": "arrange", "order": arrangement.order.rawValue, "filter": arrangement.filter]
  case .lay(let order): ["type": "lay", "pose": order.rawValue]
  case .zoomStep(let factor, let point):
    ["type": "zoomStep", "factor": factor ?? 0, "x": point.x, "y": point.y]
  }
}

private func described(
  _ viewport: Viewport,
  _ reducesMotion: Bool,
  type: String
) -> [String: Any] {
  [
    "type": type, "width": viewport.size.width, "height": viewport.size.height,
    "pixelRatio": viewport.pixelRatio, "reducedMotion": reducesMotion,
  ]
}

private func described(_ message: ServerMessage) -> [String: Any] {
  switch message {
  case .welcome(let welcome):
    [
      "type": "welcome", "version": 1, "room": welcome.room, "memberId": welcome.memberID,
      "serverTime": welcome.serverTime,
    ]
  case .elements(let elements): ["type": "elements", "elements": elements.map(described)]
  case .snapshot(let update): described(update, type: "snapshot")
  case .delta(let update): described(update, type: "delta")
  case .batch(let updates):
    ["type": "batch", "frames": updates.map { described($0, type: "delta") }]
  case .camera(let matrix): ["type": "camera", "matrix": numbers(matrix)]
  case .cameras(let cameras):
    [
      "type": "cameras",
      "cameras": cameras.map { ["time": $0.time, "matrix": numbers($0.matrix)] as [String: Any] },
    ]
  case .clock(let clientTime, let serverTime):
    ["type": "clock", "clientTime": clientTime, "serverTime": serverTime]
  case .error(let code, let message): ["type": "error", "code": code, "message": message]
  case .caption(let caption):
    [
      "type": "caption", "screen": caption.screen.rawValue, "index": caption.index,
      "count": caption.count, "heading": caption.heading, "title": caption.title,
      "detail": caption.detail, "book": caption.book, "flags": caption.flags.rawValue,
      "page": caption.page, "order": caption.arrangement.order.rawValue,
      "filter": caption.arrangement.filter,
    ]
  }
}

private func described(_ element: WireElement) -> [String: Any] {
  [
    "id": element.id, "kind": element.kind.rawValue, "index": element.index,
    "side": element.side.rawValue, "width": Double(element.width),
    "height": Double(element.height), "cornerRadius": Double(element.cornerRadius),
    "imageURL": element.imageURL, "title": element.title, "subtitle": element.subtitle,
  ]
}

private func described(_ update: FrameUpdate, type: String) -> [String: Any] {
  [
    "type": type, "number": update.number, "time": update.time, "screen": update.screen.rawValue,
    "settled": update.isSettled, "reset": update.resetsElements, "count": update.entries.count,
  ]
}
