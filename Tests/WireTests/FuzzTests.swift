import TestVectors
import Testing
import Wire

@Suite("Hostile bytes")
struct FuzzTests {
  @Test("never make the decoders trap")
  func decodersNeverTrap() {
    var numbers = SplitMix64(seed: 2)
    let messages =
      Samples.client.map { $0.packet.encoded() } + Samples.server.map { $0.message.encoded() }
    var understood = 0
    for round in 0..<20_000 {
      var bytes: [UInt8]
      if round.isMultiple(of: 4) {
        bytes = (0..<Int.random(in: 0...600, using: &numbers)).map { _ in
          UInt8.random(in: 0...255, using: &numbers)
        }
        // Half of them begin like a message.
        if round.isMultiple(of: 8), !bytes.isEmpty {
          bytes[0] =
            UInt8.random(in: 1...0x1e, using: &numbers) | (round.isMultiple(of: 16) ? 0x80 : 0)
        }
      } else {
        bytes = mutated(messages[Int.random(in: 0..<messages.count, using: &numbers)], &numbers)
      }
      if (try? ClientPacket(decoding: bytes)) != nil { understood += 1 }
      if let message = try? ServerMessage(decoding: bytes) {
        understood += 1
        var decoder = FrameDecoder()
        try? decoder.apply(message)
      }
    }
    // Mutations that change only numbers are valid messages: the fuzzing passes the first check.
    #expect(understood > 1000)
  }

  @Test("that are decoded can be encoded and decoded again")
  func roundTrip() throws {
    var numbers = SplitMix64(seed: 3)
    for _ in 0..<5000 {
      let (_, packet) = Samples.client[Int.random(in: 0..<Samples.client.count, using: &numbers)]
      let bytes = mutated(packet.encoded(), &numbers)
      if let packet = try? ClientPacket(decoding: bytes) {
        #expect(try ClientPacket(decoding: packet.encoded()) == packet)
      }
      let (_, answer) = Samples.server[Int.random(in: 0..<Samples.server.count, using: &numbers)]
      let other = mutated(answer.encoded(), &numbers)
      if let answer = try? ServerMessage(decoding: other) {
        #expect(try ServerMessage(decoding: answer.encoded()) == answer)
      }
    }
  }

  private func mutated(_ bytes: [UInt8], _ numbers: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &numbers)
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(255, at: place)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
