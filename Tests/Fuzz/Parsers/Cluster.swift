import Fabric

@testable import FabricNATS

/// Reads bytes as a message, and as parts of messages, each after its length.
func checkCluster(_ bytes: [UInt8]) throws {
  _ = try decoded(bytes, by: { bytes in try ClusterMessage(bytes) }, encodedBy: \.bytes)
  _ = LeaseOwner(Record(value: bytes, revision: 1))?.bytes
  try checkPass(String(decoding: bytes, as: UTF8.self))
  let limit = 64
  var joined = Reassembly(messageBytesMax: limit, expectsFirst: bytes.count.isMultiple(of: 2))
  for part in parts(of: bytes) {
    let (envelope, events) = part.withUnsafeBytes { (Envelope($0), joined.receive($0)) }
    try require(0...4 * limit ~= joined.partialBytes, "\(joined.partialBytes) bytes wait")
    for case .message(let message, _) in events {
      try require(message.count <= limit, "a message of \(message.count) bytes")
    }
    guard let envelope else { continue }
    var encoded: [UInt8] = []
    envelope.encode(into: &encoded)
    try require(part.starts(with: encoded), "\(envelope) is encoded as \(encoded)")
  }
}

/// Reads the text of a pass, which a browser shows.
private func checkPass(_ text: String) throws {
  guard let pass = Pass(text: text), !pass.issued.isNaN else { return }
  // A writer keeps the first parts only.
  let again = Pass(text: pass.text)
  try require(again?.member == pass.member && again?.issued == pass.issued, "\(pass.text)")
  _ = pass.isValid(at: 1.8e9)
}
