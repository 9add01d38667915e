internal import Rooms

/// What went out of the rooms, counted on the path of every frame: numbers and nothing else.
struct Tally {
  /// Frames, each counted once for each member it went to.
  private var snapshots: UInt64 = 0
  private var driven: UInt64 = 0
  private var flown: UInt64 = 0
  /// Frames and elements that a full line did not take.
  private var choked: UInt64 = 0
  private var bytes: UInt64 = 0
  /// Messages of any kind.
  private(set) var messages: UInt64 = 0
  private var returns: UInt64 = 0

  /// A message went out; the first byte is its type.
  mutating func noteSent(_ message: UnsafeRawBufferPointer) {
    messages &+= 1
    bytes &+= UInt64(message.count)
    switch message.first {
    case 0x83: snapshots &+= 1
    case 0x84: driven &+= 1
    // A batch carries its number of frames.
    case 0x85: flown &+= UInt64(message.count > 1 ? message[1] : 0)
    default: break
    }
  }

  /// A line did not take a message that was for all.
  mutating func noteChoked() { choked &+= 1 }

  /// A member came back over another connection.
  mutating func noteReturn() { returns &+= 1 }

  /// Takes all of it over into what is measured.
  func measure(into metrics: inout Metrics) {
    metrics.set(.framesSent, "snapshot", to: snapshots)
    metrics.set(.framesSent, "driven", to: driven)
    metrics.set(.framesSent, "flown", to: flown)
    metrics.set(.framesSkipped, "choked", to: choked)
    metrics.set(.bytesSent, to: bytes)
    metrics.set(.resumes, "kept", to: returns)
  }
}

extension Metrics {
  /// Takes over how the rooms stand.
  mutating func take(_ census: Census) {
    set(.rooms, "active", to: Double(census.activeRooms))
    set(.rooms, "idle", to: Double(census.idleRooms))
    set(.members, to: Double(census.members))
    set(.laggingClients, to: Double(census.lagging))
    set(.presenterAbsentRooms, to: Double(census.presenterAbsent))
    set(.playoutDelay, to: census.longestDelay)
    set(.inputsRejected, "stale", to: UInt64(clamping: census.staleInputs))
  }
}
