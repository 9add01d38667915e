import Testing

@testable import WebServer

/// A frame of a client, composed byte by byte.
struct FrameBytes {
  var first: UInt8
  var payload: [UInt8] = []
  var mask: [UInt8]? = [1, 2, 3, 4]
  /// The encoded length: its size in bytes, and its value if the value differs from the true one.
  var lengthBytes: Int?
  var length: UInt64?

  var bytes: [UInt8] {
    let length = length ?? UInt64(payload.count)
    let count = lengthBytes ?? (length < 126 ? 0 : length < 65_536 ? 2 : 8)
    let isMasked: UInt8 = mask == nil ? 0 : 0x80
    var bytes = [first, isMasked | (count == 0 ? UInt8(length) : count == 2 ? 126 : 127)]
    for index in stride(from: count - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: length >> (8 * UInt64(index))))
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }
}

@Suite("Parsing the frames of a client")
struct FrameReaderTests {
  /// Parses bytes that arrive in pieces of these sizes, the last one repeatedly.
  private func steps(_ bytes: [UInt8], pieces: [Int] = [.max]) -> [String] {
    var reader = FrameReader(limit: 512)
    var (kept, found, rest, sizes) = ([UInt8](), [String](), bytes[...], pieces[...])
    while !rest.isEmpty {
      let size = sizes.count > 1 ? sizes.removeFirst() : sizes.first ?? .max
      kept += rest.prefix(size)
      rest = rest.dropFirst(size)
      var start = 0
      let isOver = kept.withUnsafeMutableBytes { buffer in
        while true {
          let step = reader.step(buffer, from: &start)
          switch step {
          case .more: return false
          case .message(let place): found.append("message \(Array(buffer[place]))")
          case .assembled(let message): found.append("message \(message)")
          case .ping(let place): found.append("ping \(Array(buffer[place]))")
          case .part: break
          case .violation(let code, _):
            found.append("violation \(code)")
            return true
          default: found.append("\(step)")
          }
        }
      }
      if isOver { return found }
      kept.removeFirst(start)
      #expect(kept.count < FrameReader.headerMax + 512)
    }
    return found
  }

  @Test("a violation of RFC 6455 has its code as soon as its header has arrived")
  func violations() {
    let long = [UInt8](repeating: 7, count: 126)
    let table: [(String, FrameBytes, Int)] = [
      ("without a mask", FrameBytes(first: 0x82, payload: [1], mask: nil), 1002),
      ("an empty one without a mask", FrameBytes(first: 0x82, mask: nil), 1002),
      ("a ping without a mask", FrameBytes(first: 0x89, mask: nil), 1002),
      ("the first reserved bit", FrameBytes(first: 0xc2), 1002),
      ("the second", FrameBytes(first: 0xa2), 1002),
      ("the third", FrameBytes(first: 0x92), 1002),
      ("a reserved opcode", FrameBytes(first: 0x83), 1002),
      ("a reserved control opcode", FrameBytes(first: 0x8b), 1002),
      ("a ping in parts", FrameBytes(first: 0x09), 1002),
      ("a close in parts", FrameBytes(first: 0x08), 1002),
      ("a ping of 126 bytes", FrameBytes(first: 0x89, payload: long), 1002),
      ("nothing to go on with", FrameBytes(first: 0x80, payload: [1]), 1002),
      ("too wide a length", FrameBytes(first: 0x82, payload: [1], lengthBytes: 2), 1002),
      ("far too wide a length", FrameBytes(first: 0x82, payload: [1], lengthBytes: 8), 1002),
      ("a negative length", FrameBytes(first: 0x82, lengthBytes: 8, length: .max), 1002),
      ("513 bytes", FrameBytes(first: 0x82, length: 513), 1009),
      ("65536 bytes", FrameBytes(first: 0x82, length: 65_536), 1009),
      ("the most bytes there are", FrameBytes(first: 0x82, length: .max >> 1), 1009),
      ("a code of one byte", FrameBytes(first: 0x88, payload: [3]), 1002),
      ("a reason that is no text", FrameBytes(first: 0x88, payload: [3, 0xe8, 0xff]), 1007),
      ("half a letter", FrameBytes(first: 0x88, payload: [3, 0xe8, 0xc3]), 1007),
    ]
    for (name, frame, code) in table {
      #expect(steps(frame.bytes) == ["violation \(code)"], "\(name)")
      #expect(steps(frame.bytes, pieces: [1]) == ["violation \(code)"], "\(name), in bytes")
    }
    for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, .max] {
      let frame = FrameBytes(first: 0x88, payload: [UInt8(code >> 8), UInt8(code & 0xff)])
      #expect(steps(frame.bytes) == ["violation 1002"], "\(code)")
    }
    for code: UInt16 in [1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999] {
      let frame = FrameBytes(
        first: 0x88,
        payload: [UInt8(code >> 8), UInt8(code & 0xff), 0xc3, 0xa4]
      )
      #expect(steps(frame.bytes) == ["close(code: \(code))"], "\(code)")
    }
    #expect(steps(FrameBytes(first: 0x88).bytes) == ["close(code: 1005)"])
  }

  @Test("a fragmented message is one message, up to the limit, whatever interrupts it")
  func parts() {
    let half = [UInt8](repeating: 9, count: 256)
    let begin = FrameBytes(first: 0x02, payload: half).bytes
    let ping = FrameBytes(first: 0x89, payload: [5]).bytes
    let end = FrameBytes(first: 0x80, payload: half).bytes
    #expect(steps(begin + ping + end) == ["ping [5]", "message \(half + half)"])
    let more = FrameBytes(first: 0x80, payload: half + [1]).bytes
    #expect(steps(begin + more) == ["violation 1009"])
    #expect(steps(begin + begin) == ["violation 1002"])
    #expect(steps(begin + end + end) == ["message \(half + half)", "violation 1002"])
  }

  @Test("the result does not depend on where reads end or how messages are framed")
  func pieces() {
    for seed in UInt64(0)..<200 {
      var random = SystemLike(state: seed)
      var (bytes, expected) = ([UInt8](), [String]())
      for _ in 0..<20 {
        let message = (0..<Int.random(in: 0...512, using: &random)).map { UInt8($0 & 0xff) }
        var cuts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Int.random(in: 0...message.count, using: &random)
        }
        cuts = [0] + cuts.sorted() + [message.count]
        for index in 1..<cuts.count {
          let first: UInt8 = (index == 1 ? 2 : 0) | (index == cuts.count - 1 ? 0x80 : 0)
          let mask = (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &random) }
          let payload = Array(message[cuts[index - 1]..<cuts[index]])
          bytes += FrameBytes(first: first, payload: payload, mask: mask).bytes
        }
        expected.append("message \(message)")
      }
      let sizes = (0..<200).map { _ in Int.random(in: 1...600, using: &random) }
      #expect(steps(bytes, pieces: sizes) == expected, "seed \(seed)")
    }
  }

  @Test("no bytes make the reader trap")
  func fuzz() {
    for seed in UInt64(0)..<2000 {
      var random = SystemLike(state: seed)
      let bytes = (0..<40).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      _ = steps(bytes, pieces: [Int.random(in: 1...40, using: &random)])
    }
  }
}

/// A generator with the same numbers for the same seed.
struct SystemLike: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
