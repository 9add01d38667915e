internal import Wire

extension ClusterWriter {
  mutating func message(_ message: GatewayMessage) {
    switch message {
    case .hello(let member, let hello, let peer, let room):
      begin(1, member)
      block(ClientMessage.hello(hello).encoded())
      text(peer)
      text(room)
    case .packet(let member, let packet):
      begin(2, member)
      block(packet.message.encoded(role: packet.role))
    case .tooOften(let member): begin(3, member)
    case .blocked(let member): begin(4, member)
    case .unblocked(let member): begin(5, member)
    case .left(let member, let code):
      begin(6, member)
      number(code)
    }
  }

  mutating func begin(_ kind: UInt8, _ member: MemberID) {
    byte(kind)
    number(member.rawValue)
  }
}

extension ClusterReader {
  mutating func gatewayMessage() throws(ClusterFault) -> GatewayMessage {
    let (kind, member) = (try byte(), try member())
    switch kind {
    case 1:
      guard case .hello(let hello) = try packet().message else { throw .unknown }
      return .hello(member, hello, peer: try text(), room: try text())
    case 2: return .packet(member, try packet())
    case 3: return .tooOften(member)
    case 4: return .blocked(member)
    case 5: return .unblocked(member)
    case 6: return .left(member, code: try number(UInt16.self))
    default: throw .unknown
    }
  }

  private mutating func packet() throws(ClusterFault) -> ClientPacket {
    let block = try block()
    do {
      return try bytes[block].withUnsafeBytes { bytes throws(WireError) in
        try ClientPacket(decoding: bytes)
      }
    } catch { throw .unknown }
  }
}
