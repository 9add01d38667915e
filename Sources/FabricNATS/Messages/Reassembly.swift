internal import Fabric

/// Joins the parts of the messages that arrive on one subject, and notices gaps.
struct Reassembly: Sendable {
  /// What a part of a message leads to.
  enum Event: Equatable {
    case message([UInt8], from: NodeID)
    case dropped(Int, from: NodeID)
  }

  private struct Sender {
    /// The number of the latest message of which a part was received.
    var number: UInt64
    var nextPart: UInt16 = 0
    /// The parts that were received of a message that is incomplete.
    var parts: [UInt8] = []
  }

  /// The maximum number of senders that are remembered.
  static let sendersMax = 4096

  private let messageBytesMax: Int
  private let partialBytesMax: Int
  /// Whether messages from the first one on are expected of a sender that is not known yet.
  private let expectsFirst: Bool
  private var senders: [NodeID: Sender] = [:]
  /// The size of all incomplete messages.
  private(set) var partialBytes = 0

  init(messageBytesMax: Int, expectsFirst: Bool) {
    (self.messageBytesMax, self.expectsFirst) = (messageBytesMax, expectsFirst)
    partialBytesMax = 4 * messageBytesMax
  }

  /// Takes a part of a message and returns what it completes and reveals.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    guard let envelope = Envelope(bytes) else { return [] }
    let payload = bytes[Envelope.byteCount...]
    var events: [Event] = []
    var sender = senders[envelope.sender] ?? Sender(number: unknownNumber(envelope))
    partialBytes -= sender.parts.count

    if envelope.number != sender.number {
      let lost = Self.lost(between: sender, and: envelope.number)
      if lost > 0 { events.append(.dropped(lost, from: envelope.sender)) }
      sender = Sender(number: envelope.number)
    }
    let isInOrder = envelope.part == sender.nextPart
    let size = sender.parts.count + payload.count
    if isInOrder, size <= messageBytesMax, partialBytes + size <= partialBytesMax {
      if envelope.partCount == 1 {
        events.append(.message(Array(payload), from: envelope.sender))
      } else {
        sender.parts += payload
        sender.nextPart += 1
        if sender.nextPart == envelope.partCount {
          events.append(.message(sender.parts, from: envelope.sender))
          sender.parts = []
          sender.nextPart = 0
        }
      }
    } else if sender.nextPart != .max {
      // The rest of the message is ignored.
      events.append(.dropped(1, from: envelope.sender))
      sender.parts = []
      sender.nextPart = .max
    }
    partialBytes += sender.parts.count
    remember(sender, envelope.sender)
    return events
  }

  /// The largest gap that is reported, so that sums of gaps do not overflow.
  static let gapMax = 1 << 32

  /// Returns the number of messages that are missing before one with another number, at most
  /// ``gapMax``.
  private static func lost(between sender: Sender, and number: UInt64) -> Int {
    // A lower number belongs to a sender that forgot this receiver and counts from 1 again.
    let skipped = number > sender.number ? number - sender.number - 1 : 0
    let isIncomplete = sender.nextPart > 0 && sender.nextPart != .max
    return Int(clamping: min(skipped, UInt64(gapMax - 1))) + (isIncomplete ? 1 : 0)
  }

  private func unknownNumber(_ envelope: Envelope) -> UInt64 {
    expectsFirst ? 0 : envelope.number - 1
  }

  private mutating func remember(_ sender: Sender, _ node: NodeID) {
    if senders[node] == nil, senders.count >= Self.sendersMax {
      senders.removeAll()
      partialBytes = sender.parts.count
    }
    senders[node] = sender
  }
}
