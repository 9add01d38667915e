import Fabric

@testable import Rooms

/// A hash of every byte, every recipient and every time of the messages that rooms sent (FNV-1a).
struct Trace: Equatable {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ effects: Effects, at now: Double) {
    add(now.bitPattern)
    for byte in effects.messages.bytes { add(UInt64(byte)) }
    for message in effects.messages.list {
      switch message {
      case .send(let range, let id): add(UInt64(range.count) << 32 | UInt64(id.rawValue))
      case .attach(let id, _), .detach(let id): add(UInt64(id.rawValue))
      case .close(let id, let code, _): add(UInt64(code) << 32 | UInt64(id.rawValue))
      default: add(UInt64(effects.messages.list.count))
      }
    }
    for effect in effects.list {
      switch effect {
      case .noteInput(_, _, let time), .noteFrame(_, let time): add(time.bitPattern)
      default: add(UInt64(effects.list.count))
      }
    }
  }

  private mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01b3 }
}
