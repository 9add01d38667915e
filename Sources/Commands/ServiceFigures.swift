internal import Rooms
internal import Wire

/// What is counted of every message: plain numbers, put into words only when somebody asks.
struct ServiceFigures: Sendable {
  /// Messages sent, by their first byte, each counted once for each member.
  private var sent = [UInt64](repeating: 0, count: 256)
  private var bytesSent: UInt64 = 0
  private var choked: UInt64 = 0
  private var received: UInt64 = 0
  private var resumed: UInt64 = 0

  /// Kinds of messages that are frames.
  private static let frames: Set = ["snapshot", "delta", "batch"]

  /// How many messages were sent.
  var messagesSent: UInt64 { sent.reduce(0, +) }

  /// Notes a message to one member.
  mutating func noteSent(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    sent[Int(first)] += 1
    bytesSent += UInt64(bytes.count)
  }

  /// Notes that a member was left out, since its line takes nothing at the moment.
  mutating func noteChoked() { choked += 1 }

  /// Notes a message of a member.
  mutating func noteReceived() { received += 1 }

  /// Notes that a member came back.
  mutating func noteResumed() { resumed += 1 }

  /// Puts the numbers where they are read.
  func write(_ rooms: RoomFigures, into metrics: inout Metrics) {
    for byte in UInt8.min...UInt8.max {
      guard sent[Int(byte)] > 0, let kind = ServerMessage.kind(ofFirstByte: byte) else { continue }
      metrics.set(Self.frames.contains(kind) ? .framesSent : .newsSent, kind, to: sent[Int(byte)])
    }
    metrics.set(.bytesSent, to: bytesSent)
    metrics.set(.framesSkipped, "choked", to: choked)
    metrics.set(.messagesReceived, to: received)
    metrics.set(.resumes, "kept", to: resumed)
    metrics.set(.inputsRejected, "stale", to: UInt64(rooms.staleInputs))
    metrics.set(.inputsRejected, "rate", to: UInt64(rooms.droppedInputs))
    for (change, count) in rooms.roleChanges {
      metrics.set(.roleChanges, change.rawValue, to: UInt64(count))
    }
    metrics.set(.rooms, "active", to: Double(rooms.active))
    metrics.set(.rooms, "idle", to: Double(rooms.idle))
    metrics.set(.members, to: Double(rooms.members))
    for fraction in [0.5, 0.9, 1] {
      let place = Int((fraction * Double(rooms.sizes.count)).rounded(.up)) - 1
      let size = rooms.sizes.indices.contains(place) ? rooms.sizes[place] : 0
      metrics.set(.roomMembers, Metrics.number(fraction), to: Double(size))
    }
    metrics.set(.laggingClients, to: Double(rooms.lagging))
    metrics.set(.playoutDelay, to: rooms.longestDelay)
    metrics.set(.presenterAbsentRooms, to: Double(rooms.presenterAbsent))
  }
}
