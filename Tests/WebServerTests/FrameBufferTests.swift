import Testing

@testable import WebServer

@Suite("Framing the messages of the server")
struct FrameBufferTests {
  private func bytes(of buffer: FrameBuffer) -> [UInt8] { buffer.withBytes { Array($0) } }

  @Test("a length uses its shortest encoding, in network order (RFC 6455, section 5.2)")
  func lengths() {
    let table: [(count: Int, header: [UInt8])] = [
      (0, [0x82, 0]), (1, [0x82, 1]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]),
      (256, [0x82, 126, 1, 0]), (65_535, [0x82, 126, 0xff, 0xff]),
      (65_536, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
      (262_144, [0x82, 127, 0, 0, 0, 0, 0, 4, 0, 0]),
    ]
    for (count, header) in table {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      var buffer = FrameBuffer()
      payload.withUnsafeBytes { buffer.append($0, as: .binary) }
      #expect(bytes(of: buffer) == header + payload, "\(count) bytes")
      #expect(buffer.count == header.count + count)
    }
  }

  @Test("control frames have their opcodes, and no mask")
  func control() {
    for (opcode, first) in [
      (FrameBuffer.Opcode.close, 0x88), (.ping, 0x89), (.pong, 0x8a),
    ] as [(FrameBuffer.Opcode, UInt8)] {
      var buffer = FrameBuffer()
      [UInt8(3), 0xe8].withUnsafeBytes { buffer.append($0, as: opcode) }
      #expect(bytes(of: buffer) == [first, 2, 3, 0xe8])
    }
  }

  @Test("frames lie back to back, and none remains after their removal")
  func several() {
    var buffer = FrameBuffer()
    [UInt8(1), 2].withUnsafeBytes { buffer.append($0, as: .binary) }
    buffer.append(UnsafeRawBufferPointer(start: nil, count: 0), as: .ping)
    [UInt8(3)].withUnsafeBytes { buffer.append($0, as: .binary) }
    #expect(bytes(of: buffer) == [0x82, 2, 1, 2, 0x89, 0, 0x82, 1, 3])
    buffer.removeAll()
    #expect(buffer.count == 0)
    [UInt8(4)].withUnsafeBytes { buffer.append($0, as: .pong) }
    #expect(bytes(of: buffer) == [0x8a, 1, 4])
  }
}
