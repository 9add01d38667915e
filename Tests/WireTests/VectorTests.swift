import Foundation
import Motion
import Scene
import TestVectors
import Testing
import Wire

/// The bytes that the page's wire.js must match as well.
@Suite("The vectors")
struct VectorTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Vectors/wire.json")

  @Test("match the current encoding")
  func encoding() throws {
    let vectors: [String: Any] = [
      "client": Samples.client.map { name, packet in
        ["name": name, "hex": hex(packet.encoded()), "message": described(packet)]
      },
      "server": Samples.server.map { name, message in
        ["name": name, "hex": hex(message.encoded()), "message": described(message)]
      },
      "chain": try chain(), "derived": try derived(),
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

  @Test("are decoded to the messages from which they were encoded")
  func decoding() throws {
    let stored = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.file))
    let vectors = try #require(stored as? [String: Any])
    let client = try #require(vectors["client"] as? [[String: Any]])
    let server = try #require(vectors["server"] as? [[String: Any]])
    #expect(client.count == Samples.client.count)
    for (vector, sample) in zip(client, Samples.client) {
      let bytes = try bytes(#require(vector["hex"] as? String))
      #expect(try ClientPacket(decoding: bytes) == sample.packet)
    }
    for (vector, sample) in zip(server, Samples.server) {
      let bytes = try bytes(#require(vector["hex"] as? String))
      #expect(try ServerMessage(decoding: bytes) == sample.message)
    }
  }

  /// Returns a short story of one room: messages, and the elements shown after each frame.
  private func chain() throws -> [[String: Any]] {
    try steps(
      of: (0..<12).map { number in
        let pages = Array(max(0, number - 6)..<min(5, number + 2))
        let placements = pages.map { page in
          Placement(
            key: ElementKey(kind: .page, item: 0, page: page),
            transform: Samples.turn(page == 2 ? 0.5 : Double(number + page) / 8, x: Double(page)),
            opacity: page == 1 ? Double(number) / 12 : 1,
            shade: Double(number) / 24,
            z: number % 3
          )
        }
        return Frame(screen: .book, isSettled: number == 11, placements: placements)
      }
    )
  }

  /// Returns frames whose matrices follow the rules of derived entries in all, some or no entries.
  private func derived() throws -> [[String: Any]] {
    var numbers = SplitMix64(seed: 87)
    return try steps(
      of: (0..<10).map { _ in
        let placements = (0..<4).map { page in
          Placement(
            key: ElementKey(kind: .page, item: 0, page: page),
            transform: RandomMatrix.any(&numbers),
            opacity: 1,
            shade: 0,
            z: 0
          )
        }
        return Frame(screen: .book, isSettled: false, placements: placements)
      }
    )
  }

  /// Encodes frames, and returns the messages and the elements shown after each frame.
  private func steps(of frames: [Frame]) throws -> [[String: Any]] {
    var encoder = FrameEncoder()
    var decoder = FrameDecoder()
    var steps: [[String: Any]] = []
    for (number, frame) in frames.enumerated() {
      let unknown = encoder.unknown(in: frame)
      for bytes in encoder.introduce(unknown.map(Samples.element)) {
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

func numbers(_ matrix: WireMatrix) -> [Double] { (0..<16).map { Double(matrix[$0]) } }
