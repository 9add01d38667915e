import Geometry
import Scene
import Testing
import Wire

@Suite struct `Messages` {
  @Test(arguments: Samples.client.indices)
  func `of a client read back as they were written`(index: Int) throws {
    let message = Samples.client[index].message
    #expect(try ClientMessage(decoding: message.encoded()) == message)
  }

  @Test(arguments: Samples.server.indices)
  func `of a server read back as they were written`(index: Int) throws {
    let message = Samples.server[index].message
    #expect(try ServerMessage(decoding: message.encoded()) == message)
  }

  @Test func `are refused at every length but their own`() {
    for (_, message) in Samples.client {
      let bytes = message.encoded()
      for length in 0..<bytes.count {
        #expect(throws: WireError.self) { try ClientMessage(decoding: Array(bytes[..<length])) }
      }
      #expect(throws: WireError.trailingBytes(offset: bytes.count, count: 1)) {
        try ClientMessage(decoding: bytes + [0])
      }
    }
    for (_, message) in Samples.server {
      let bytes = message.encoded()
      for length in 0..<bytes.count {
        #expect(throws: WireError.self) { try ServerMessage(decoding: Array(bytes[..<length])) }
      }
      #expect(throws: WireError.trailingBytes(offset: bytes.count, count: 1)) {
        try ServerMessage(decoding: bytes + [0])
      }
    }
  }

  @Test func `name the number that is not finite`() {
    let lost = ClientMessage.wheel(dx: 0, dy: .nan, at: Point(x: 0, y: 0), ctrl: false)
    #expect(throws: WireError.notFinite(field: "dy")) {
      try ClientMessage(decoding: lost.encoded())
    }
    let endless = ClientMessage.clock(clientTime: .infinity)
    #expect(throws: WireError.notFinite(field: "clientTime")) {
      try ClientMessage(decoding: endless.encoded())
    }
  }

  @Test func `are refused outside of the limits`() {
    let flat = Viewport(size: Size(width: 0, height: 10))
    let tooFar = ClientMessage.zoom(.began, scale: 1, at: Point(x: 2e6, y: 0))
    let inverted = ClientMessage.zoom(.began, scale: 0, at: Point(x: 0, y: 0))
    for message in [.viewport(flat, reducesMotion: false), tooFar, inverted] {
      #expect(throws: WireError.self) { try ClientMessage(decoding: message.encoded()) }
    }
    #expect(throws: WireError.tooLong(bytes: 513, limit: 512)) {
      try ClientMessage(decoding: [UInt8](repeating: 1, count: 513))
    }
    #expect(throws: WireError.tooMany(field: "samples", count: 17, limit: 16)) {
      try ClientMessage(decoding: [2] + [UInt8](repeating: 0, count: 8) + [17])
    }
  }

  @Test func `are refused with values that mean nothing`() {
    #expect(throws: WireError.empty) { try ClientMessage(decoding: []) }
    #expect(throws: WireError.unknownType(0x83)) { try ClientMessage(decoding: [0x83]) }
    #expect(throws: WireError.unknownType(1)) { try ServerMessage(decoding: [1]) }
    #expect(throws: WireError.unknownValue(field: "key", value: 15)) {
      try ClientMessage(decoding: [4, 15])
    }
    #expect(throws: WireError.unknownValue(field: "visible", value: 2)) {
      try ClientMessage(decoding: [8, 2])
    }
    #expect(throws: WireError.wrongVersion(2)) { try ClientMessage(decoding: [1, 2]) }
  }

  @Test(arguments: ["a b", "Zürich", "../x", String(repeating: "a", count: 33)])
  func `refuse a room of that name`(name: String) {
    let hello = ClientMessage.hello(Hello(room: name, viewport: Samples.viewport))
    #expect(throws: WireError.badRoomName(String(name.prefix(32)))) {
      try ClientMessage(decoding: hello.encoded())
    }
  }

  @Test func `refuse text that is not UTF-8`() {
    #expect(throws: WireError.notUTF8(field: "room", offset: 2)) {
      try ClientMessage(decoding: [1, 1, 2, 0, 0xc3, 0x28])
    }
  }

  @Test func `cut long texts between two characters`() throws {
    let message = ServerMessage.error(code: 1, message: String(repeating: "é", count: 1500))
    let cut = ServerMessage.error(code: 1, message: String(repeating: "é", count: 1024))
    #expect(try ServerMessage(decoding: message.encoded()) == cut)
  }

  @Test func `with errors say what to do and how to close`() {
    let errors: [WireError] = [
      .empty, .tooLong(bytes: 513, limit: 512), .wrongVersion(9), .badRoomName("a b"),
      .brokenChain(last: nil, number: 3),
    ]
    for error in errors { #expect(error.description.hasSuffix(".")) }
    #expect(
      errors.map(\.closeCode) == [
        .malformed, .messageTooLarge, .wrongVersion, .badRoomName, .malformed,
      ]
    )
    // A close frame's reason has room for 123 bytes.
    for code in CloseCode.allCases { #expect(code.meaning.utf8.count <= 123) }
  }
}
