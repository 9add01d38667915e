import Bytes
import PressProtocol
import Testing

@Suite("Press messages")
struct CodingTests {
  /// Returns the message of a frame after checking its header.
  private static func message(_ frame: [UInt8]) throws -> [UInt8] {
    #expect(try PressFrame.length(frame) == frame.count - PressFrame.headerBytes)
    return Array(frame.dropFirst(PressFrame.headerBytes))
  }

  @Test("every message is decoded as it was encoded")
  func messagesRoundTrip() throws {
    for seed in UInt64(0)..<200 {
      var samples = Samples(seed: seed)
      for request in samples.requests() {
        let message = try Self.message(request.encoded())
        #expect(try PressRequest(decoding: message) == request, "seed \(seed)")
      }
      for reply in samples.replies() {
        let message = try Self.message(reply.encoded())
        #expect(try PressReply(decoding: message) == reply, "seed \(seed)")
      }
    }
  }

  @Test("truncated messages and trailing bytes are rejected without a trap")
  func wrongLength() throws {
    for seed in UInt64(0)..<20 {
      var samples = Samples(seed: seed)
      for frame in samples.requests().map({ $0.encoded() }) {
        let message = try Self.message(frame)
        for count in 0..<message.count {
          let part = Array(message.prefix(count))
          #expect(throws: ByteError.self) { try PressRequest(decoding: part) }
        }
        #expect(throws: ByteError.trailingBytes(offset: message.count, count: 1)) {
          try PressRequest(decoding: message + [0])
        }
      }
      for frame in samples.replies().map({ $0.encoded() }) {
        let message = try Self.message(frame)
        for count in 0..<message.count {
          let part = Array(message.prefix(count))
          #expect(throws: ByteError.self) { try PressReply(decoding: part) }
        }
      }
    }
  }

  @Test("randomly changed messages never trap, and accepted ones can be encoded again")
  func changedMessages()
    throws
  {
    for seed in UInt64(0)..<300 {
      var samples = Samples(seed: seed)
      for frame in samples.replies().map({ $0.encoded() }) {
        var message = try Self.message(frame)
        for _ in 0..<samples.int(1...4) {
          message[samples.int(0...message.count - 1)] = UInt8(samples.int(0...255))
        }
        guard let reply = try? PressReply(decoding: message) else { continue }
        let again = try Self.message(reply.encoded())
        #expect(try PressReply(decoding: again) == reply, "seed \(seed)")
      }
    }
  }

  @Test("a count larger than the remaining bytes allow is rejected")
  func countTooLarge() {
    let outline: [UInt8] = [0x82, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(throws: ByteError.self) { try PressReply(decoding: outline) }
  }

  @Test("words outside the text, inverted boxes and invalid sizes are rejected")
  func invalidWords() throws {
    let word = WordBox(start: 2, length: 9, box: Box(x0: 0, y0: 0, x1: 1, y1: 1))
    let outside = PressReply.page(PageContent(text: "short", words: [word])).encoded()
    #expect(throws: ByteError.invalid(field: "word")) {
      try PressReply(decoding: Self.message(outside))
    }
    let page = PageFacts(width: .nan, height: 1)
    let sizeless = PressReply.opened(DocumentFacts(format: .pdf, pages: [page])).encoded()
    #expect(throws: ByteError.notFinite(field: "width")) {
      try PressReply(decoding: Self.message(sizeless))
    }
    let link = LinkBox(box: Box(x0: 0.2, y0: 0, x1: 1, y1: 1), target: .page(1))
    var turned = try Self.message(PressReply.page(PageContent(links: [link])).encoded())
    // Type, text, cut, words, links: the box begins at byte 14 with its left edge.
    turned.replaceSubrange(14..<16, with: [0xFF, 0xFF])
    turned.replaceSubrange(18..<20, with: [0, 0])
    #expect(throws: ByteError.invalid(field: "link")) {
      try PressReply(decoding: turned)
    }
  }
}

@Suite("Press frames")
struct FrameTests {
  @Test("frames are complete, however the bytes arrive")
  func completeFrames() throws {
    for seed in UInt64(0)..<50 {
      var samples = Samples(seed: seed)
      let replies = samples.replies()
      let stream = replies.flatMap { $0.encoded() }
      var buffer = PressFrameBuffer()
      var read: [PressReply] = []
      var offset = 0
      while offset < stream.count {
        let end = min(stream.count, offset + samples.int(1...60))
        buffer.append(stream[offset..<end])
        offset = end
        while let message = try buffer.next() { read.append(try PressReply(decoding: message)) }
      }
      #expect(read == replies, "seed \(seed)")
      #expect(buffer.isEmpty)
    }
  }

  @Test("frames must not be empty or longer than 256 MiB")
  func frameLengths() {
    var empty = PressFrameBuffer()
    empty.append([0, 0, 0, 0])
    #expect(throws: ByteError.empty) { try empty.next() }
    var long = PressFrameBuffer()
    long.append([1, 0, 0, 0x10])
    #expect(throws: ByteError.tooLong(bytes: (256 << 20) + 1, limit: 256 << 20)) { try long.next() }
  }
}
