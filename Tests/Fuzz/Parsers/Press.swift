import Notices
import PressProtocol

func checkPress(_ bytes: [UInt8]) throws {
  let reply = try decoded(
    bytes,
    by: { bytes in try PressReply(decoding: bytes) },
    encodedBy: { Array($0.encoded().dropFirst(PressFrame.headerBytes)) }
  )
  if let reply {
    try checkLimits(reply.message)
    try checkBuffer(reply.message.encoded(), cut: Int(bytes.last ?? 0))
  }
  _ = try decoded(
    bytes,
    by: { bytes in try PressRequest(decoding: bytes) },
    encodedBy: { Array($0.encoded().dropFirst(PressFrame.headerBytes)) }
  )
}

/// Checks that a reply is within the limits on which the server relies.
private func checkLimits(_ reply: PressReply) throws {
  let limits = PressLimits.standard
  switch reply {
  case .opened(let facts):
    try require(facts.pages.count <= limits.document.pages, "\(facts.pages.count) pages")
    try require(facts.fit == facts, "\(facts) is not fit")
  case .outline(let entries):
    try require(entries.count <= limits.content.outlineEntries, "\(entries.count) entries")
    try require(
      entries.allSatisfy { 0..<limits.content.outlineDepth ~= $0.depth },
      "a depth of \(entries)"
    )
  case .page(let content):
    let size = content.text.utf8.count
    try require(size <= limits.content.textBytes, "\(size) bytes")
    try require(
      content.words.allSatisfy { $0.start >= 0 && $0.length >= 0 && $0.start + $0.length <= size },
      "a word beyond the text of \(content)"
    )
  case .rendition(let rendition):
    try require(
      1...limits.picture.side ~= rendition.width && 1...limits.picture.side ~= rendition.height,
      "\(rendition.width) x \(rendition.height)"
    )
  case .asset(let asset):
    try require(0..<limits.document.pages ~= asset.page, "page \(asset.page)")
    _ = (asset.fault?.notice.message, asset.facts.isStrip)
  case .headers(let headers):
    for case .success(let header) in headers {
      let sides = 0.001...ImageHeader.sideMax
      try require(sides ~= header.width && sides ~= header.height, "\(header)")
    }
  case .colours(let colours):
    try require(colours.count <= PressReply.coloursMax, "\(colours.count) colours")
  case .imageFacts(let facts): _ = facts.isStrip
  case .fault(let fault): _ = (fault.notice.message, "\(fault)")
  case .done: break
  }
}

/// Checks that a message that arrives in two pieces is the same.
private func checkBuffer(_ frame: [UInt8], cut: Int) throws {
  var buffer = PressFrameBuffer()
  buffer.append(frame.prefix(cut))
  let early = try buffer.next()
  buffer.append(frame.dropFirst(cut))
  let found = try early ?? buffer.next()
  try require(found == Array(frame.dropFirst(PressFrame.headerBytes)), "\(frame) is not found")
  try require(buffer.isEmpty, "bytes are left over of \(frame)")
}
