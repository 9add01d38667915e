import Scene
import Wire

func checkClient(_ bytes: [UInt8]) throws {
  let found = try decoded(
    bytes,
    by: { bytes in try ClientPacket(decoding: bytes) },
    encodedBy: { $0.encoded() }
  )
  guard let (packet, encoded) = found else { return }
  try require(
    encoded.count <= WireLimits.clientMessageBytes,
    "\(packet) takes \(encoded.count) bytes"
  )
}

/// Decodes messages and applies them to a decoder of frames, each after its length.
func checkServer(_ bytes: [UInt8]) throws {
  var decoder = FrameDecoder()
  for part in parts(of: bytes) {
    let found = try decoded(
      part,
      by: { bytes in try ServerMessage(decoding: bytes) },
      encodedBy: { $0.encoded() }
    )
    guard let (message, encoded) = found else { continue }
    try require(encoded.count <= WireLimits.serverMessageBytes, "\(encoded.count) bytes")
    let last = decoder.latest
    do { try decoder.apply(message) } catch { _ = "\(error)" }
    try require(decoder.queue.count <= FrameDecoder.queueLimit, "\(decoder.queue.count) frames")
    if let latest = decoder.latest { try checkFrame(latest, after: last) }
  }
  if let latest = decoder.latest {
    try require(decoder.dequeue(at: .infinity) == latest, "the last frame waits")
  }
}

/// Checks that a frame is what its snapshot shows, and what its difference to the last one leads
/// to.
private func checkFrame(_ frame: DecodedFrame, after last: DecodedFrame?) throws {
  let shown = frame.shown.map { ($0.id, $0.part.rawValue) }
  try require(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 }, "the order of \(shown)")
  // No server shows as many elements as deltas can add up to.
  guard shown.count <= WireLimits.placements else { return }
  let snapshot = ServerMessage.snapshot(FrameUpdate(snapshotOf: frame))
  guard case .snapshot(let update) = try ServerMessage(decoding: snapshot.encoded()) else { return }
  let again = try DecodedFrame(snapshot: update)
  try require(again == frame, "\(frame) is shown as \(again)")
  guard let last, last.shown.count <= WireLimits.placements, frame.number == last.number &+ 1 else {
    return
  }
  let difference = ServerMessage.delta(FrameUpdate(from: last, to: frame))
  guard case .delta(let update) = try ServerMessage(decoding: difference.encoded()) else { return }
  let next = try last.followed(by: update)
  try require(next == frame, "\(last) is followed by \(next), not by \(frame)")
}
