import Bytes
import Motion
import Notices
import Scene
import Testing
import Wire

@Suite("Messages")
struct MessageTests {
  @Test("from a client are decoded as they were encoded", arguments: Samples.client.indices)
  func clientRoundTrip(index: Int) throws {
    let packet = Samples.client[index].packet
    #expect(try ClientPacket(decoding: packet.encoded()) == packet)
  }

  @Test("from a server are decoded as they were encoded", arguments: Samples.server.indices)
  func serverRoundTrip(index: Int) throws {
    let message = Samples.server[index].message
    #expect(try ServerMessage(decoding: message.encoded()) == message)
  }

  @Test("are rejected at every length except their own")
  func wrongLength() {
    for (_, packet) in Samples.client {
      let bytes = packet.encoded()
      for length in 0..<bytes.count {
        #expect(throws: WireError.self) { try ClientPacket(decoding: Array(bytes[..<length])) }
      }
      #expect(throws: WireError.bytes(.trailingBytes(offset: bytes.count, count: 1))) {
        try ClientPacket(decoding: bytes + [0])
      }
    }
    for (_, message) in Samples.server {
      let bytes = message.encoded()
      for length in 0..<bytes.count {
        #expect(throws: WireError.self) { try ServerMessage(decoding: Array(bytes[..<length])) }
      }
      #expect(throws: WireError.bytes(.trailingBytes(offset: bytes.count, count: 1))) {
        try ServerMessage(decoding: bytes + [0])
      }
    }
  }

  @Test("report the number that is not finite")
  func notFinite() {
    let lost = ClientMessage.wheel(dx: 0, dy: .nan, at: Point(x: 0, y: 0), ctrl: false)
    #expect(throws: WireError.bytes(.notFinite(field: "dy"))) {
      try ClientPacket(decoding: lost.encoded())
    }
    let endless = ClientMessage.clock(clientTime: .infinity)
    #expect(throws: WireError.bytes(.notFinite(field: "clientTime"))) {
      try ClientPacket(decoding: endless.encoded())
    }
  }

  @Test("are rejected outside the limits")
  func outsideLimits() {
    let flat = Viewport(size: Size(width: 0, height: 10))
    let tooFar = ClientMessage.zoom(.began, scale: 1, at: Point(x: 2e6, y: 0))
    let inverted = ClientMessage.zoom(.began, scale: 0, at: Point(x: 0, y: 0))
    for message in [.viewport(flat, reducesMotion: false), tooFar, inverted] {
      #expect(throws: WireError.self) { try ClientPacket(decoding: message.encoded()) }
    }
    #expect(throws: WireError.bytes(.tooLong(bytes: 513, limit: 512))) {
      try ClientPacket(decoding: [UInt8](repeating: 1, count: 513))
    }
    #expect(throws: WireError.bytes(.tooMany(field: "samples", count: 17, limit: 16))) {
      try ClientPacket(decoding: [2] + [UInt8](repeating: 0, count: 10) + [17])
    }
  }

  @Test("are rejected with values without a meaning")
  func invalidValues() {
    #expect(throws: WireError.bytes(.empty)) { try ClientPacket(decoding: []) }
    #expect(throws: WireError.bytes(.unknownType(0x83))) { try ClientPacket(decoding: [0x83]) }
    #expect(throws: WireError.bytes(.unknownType(1))) { try ServerMessage(decoding: [1]) }
    #expect(throws: WireError.bytes(.unknownValue(field: "key", value: 15))) {
      try ClientPacket(decoding: [4, 0, 0, 15])
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "visible", value: 2))) {
      try ClientPacket(decoding: [8, 2])
    }
    #expect(throws: WireError.wrongVersion(9)) { try ClientPacket(decoding: [1, 9]) }
  }

  @Test("that act carry the number of a role after their type, and no other messages do")
  func actionsCarryRole() {
    let acting: Set<UInt8> = [
      0x02, 0x03, 0x04, 0x07, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x11,
    ]
    for (name, packet) in Samples.client {
      let bytes = packet.message.encoded(role: 0x1234)
      let bare = packet.message.encoded(role: 0)
      #expect(acting.contains(bytes[0]) == (bytes != bare), "\(name)")
      if acting.contains(bytes[0]) { #expect(bytes[1...2] == [0x34, 0x12], "\(name)") }
    }
  }

  @Test("are rejected with unknown names and choices")
  func unknownChoices() {
    let long = String(repeating: "k", count: 65)
    let hellos = [
      Hello(key: long, viewport: Samples.viewport), Hello(resume: long, viewport: Samples.viewport),
      Hello(reader: long, viewport: Samples.viewport),
      Hello(persona: Persona(name: long), viewport: Samples.viewport),
    ]
    for hello in hellos {
      #expect(throws: WireError.self) {
        try ClientPacket(decoding: ClientMessage.hello(hello).encoded())
      }
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "colour", value: 6))) {
      try ClientPacket(decoding: [0x0f, 0, 0, 6])
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "handover", value: 8))) {
      try ClientPacket(decoding: [0x14, 8])
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "policy", value: 3))) {
      try ClientPacket(decoding: [0x16, 3, 0])
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "grant", value: 3))) {
      try ClientPacket(decoding: [0x1a, 1, 0, 0, 0, 3])
    }
    #expect(throws: WireError.bytes(.unknownValue(field: "order", value: 4))) {
      try ClientPacket(decoding: [0x1d, 4])
    }
  }

  @Test("with an element of an unknown side or paper stock are rejected")
  func unknownElements() throws {
    let element = Samples.element(ElementKey(kind: .cover, item: 0))
    let bytes = ServerMessage.elements([WireElement(element)]).encoded()
    // The type, the count, the id, the kind and the index come first.
    for (field, offset) in [("side", 9), ("stock", 10)] {
      var changed = bytes
      changed[offset] = 4
      #expect(throws: WireError.bytes(.unknownValue(field: field, value: 4))) {
        try ServerMessage(decoding: changed)
      }
    }
  }

  @Test("ignore unknown and repeated items of a set")
  func setItems() throws {
    let packet = try ClientPacket(decoding: [0x16, 1, 4, 2, 3, 255, 2])
    let settings = RoomSettings(policy: .hostLeads, mayWander: false, sharesShelf: true)
    #expect(packet == ClientPacket(.settings(settings)))
    let role = try ServerMessage(decoding: [0x8b, 7, 0, 2, 3, 2, 15, 16, 1, 7, 0, 0, 0, 0, 0, 0])
    #expect(role == .role(RoleEvent(number: 7, role: .follower, rights: .mayWander)))
  }

  @Test("with the maximum number of ready elements fit the limit")
  func mostReadyElements() throws {
    let ids = [UInt64](repeating: ElementNumbers.max, count: WireLimits.readyElements)
    let bytes = ClientMessage.ready(ids).encoded()
    #expect(bytes.count <= WireLimits.clientMessageBytes)
    #expect(try ClientPacket(decoding: bytes).message == .ready(ids))
  }

  @Test("with the longest hello fit the limit")
  func longestHello() {
    let longest = Hello(
      room: String(repeating: "r", count: WireLimits.roomNameBytes),
      key: String(repeating: "k", count: WireLimits.keyBytes),
      resume: String(repeating: "k", count: WireLimits.keyBytes),
      reader: String(repeating: "k", count: WireLimits.keyBytes),
      persona: Persona(name: String(repeating: "n", count: WireLimits.nameBytes), colour: 1),
      viewport: Samples.viewport
    )
    #expect(ClientMessage.hello(longest).encoded().count <= WireLimits.clientMessageBytes)
  }

  @Test(
    "reject an invalid room name",
    arguments: ["a b", "Zürich", "../x", String(repeating: "a", count: 33)]
  )
  func invalidRoomName(name: String) {
    let hello = ClientMessage.hello(Hello(room: name, viewport: Samples.viewport))
    #expect(throws: WireError.badRoomName(String(name.prefix(32)))) {
      try ClientPacket(decoding: hello.encoded())
    }
  }

  @Test("reject text that is not UTF-8")
  func invalidUTF8() {
    #expect(throws: WireError.bytes(.notUTF8(field: "room", offset: 4))) {
      try ClientPacket(decoding: [1, WireVersion.current, 2, 0, 0xc3, 0x28])
    }
  }

  @Test("truncate long texts between two characters")
  func longTexts() throws {
    func titled(_ count: Int) -> ServerMessage {
      let title = String(repeating: "é", count: count)
      return .caption(Samples.caption(.shelf) { $0.title = title })
    }
    #expect(try ServerMessage(decoding: titled(1500).encoded()) == titled(1024))
  }

  @Test("of a later version to people say their code")
  func laterCodes() throws {
    let message = ServerMessage.error(code: 0, Notice(.bookGone))
    var bytes = message.encoded()
    let name = Notice.Code.bookGone.name.utf8.count
    bytes[bytes.count - 2] = UInt8(ascii: "x")
    let unknown = Notice(other: String("bookGone".dropLast()) + "x")
    #expect(name == 8)
    #expect(try ServerMessage(decoding: bytes) == .error(code: 0, unknown))
  }

  @Test("with errors say what to do and how to close")
  func errors() {
    let errors: [WireError] = [
      .bytes(.empty), .bytes(.tooLong(bytes: 513, limit: 512)), .wrongVersion(9),
      .badRoomName("a b"),
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
