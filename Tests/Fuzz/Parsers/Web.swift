@testable import WebServer

/// Reads frames at once, and in two pieces, of which the first byte gives the length of the first.
func checkFrames(_ bytes: [UInt8]) throws {
  let rest = Array(bytes.dropFirst())
  let cut = min(Int(bytes.first ?? 0), rest.count)
  let (whole, parted) = (steps(rest, [rest.count]), steps(rest, [cut, rest.count]))
  try require(whole == parted, "\(whole) in one piece, \(parted) in two")
}

/// Returns what a reader makes of bytes that arrive up to the given ends.
private func steps(_ bytes: [UInt8], _ ends: [Int]) -> [String] {
  var (reader, bytes, start) = (FrameReader(limit: 512), bytes, 0)
  var steps: [String] = []
  for end in ends {
    let isOver = bytes.withUnsafeMutableBytes { all in
      let arrived = UnsafeMutableRawBufferPointer(rebasing: all[..<end])
      while true {
        let step = reader.step(arrived, from: &start)
        switch step {
        case .more: return false
        case .message(let range), .ping(let range): steps.append("\(step) \(Array(arrived[range]))")
        case .assembled, .part, .text, .pong, .close, .violation: steps.append("\(step)")
        }
        if case .violation = step { return true }
      }
    }
    if isOver { break }
  }
  return steps
}

func checkHead(_ bytes: [UInt8]) throws {
  let end = RequestHead.end(of: bytes) ?? bytes.count
  let head: RequestHead
  do { head = try RequestHead(bytes[..<end]) } catch {
    try require(400..<600 ~= error.status && !error.words.isEmpty, "\(error)")
    return
  }
  try require(HostName(head.host) != nil, "the host \(head.host) is none")
  try checkCanonical(head)
  for hop in head.reports.joined() {
    guard let address = PeerAddress(withPort: hop) else { continue }
    try require(PeerAddress(address.text) == address, "\(address.text) is not \(address)")
    _ = TrustedProxies.loopback.contains(address)
  }
  if let count = head.framing.count { try require(count >= 0, "the length \(count)") }
  _ = (head.framing.refusal, head.keepsConnection)
  _ = ResponseConditions(knownTags: head["if-none-match"]).isKnown("\"tag\"")
  if let path = BasePath(head.target) {
    try require(BasePath(path.text) == path, "\(path.text) is another base path")
    try require(path.local(path.text + "/r") == "/r" || path == .none, "below \(path.text)")
  }
}

/// Checks that libwebsockets reads the same as the server.
private func checkCanonical(_ head: RequestHead) throws {
  let bytes = head.canonical
  try require(RequestHead.end(of: bytes) == bytes.count, "\(bytes) is not one head")
  let again = try RequestHead(bytes)
  try require(again.target == head.target, "\(head.target) becomes \(again.target)")
  try require(again.asksForUpgrade == head.asksForUpgrade, "the upgrade of \(head)")
}
