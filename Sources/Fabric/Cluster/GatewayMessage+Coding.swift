internal import Bytes
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
  mutating func gatewayMessage() throws(ByteError) -> GatewayMessage {
    let (kind, member) = (try byte("message"), try member())
    switch kind {
    case 1:
      guard case .hello(let hello) = try packet().message else {
        throw .invalid(field: "hello")
      }
      return .hello(member, hello, peer: try text("peer"), room: try text("room"))
    case 2: return .packet(member, try packet())
    case 3: return .tooOften(member)
    case 4: return .blocked(member)
    case 5: return .unblocked(member)
    case 6: return .left(member, code: try number(0, "code"))
    default: throw .unknownValue(field: "message", value: kind)
    }
  }

  private mutating func packet() throws(ByteError) -> ClientPacket {
    let bytes = try block("packet")
    do throws(WireError) { return try ClientPacket(decoding: bytes) } catch {
      if case .bytes(let error) = error { throw error }
      throw .invalid(field: "packet")
    }
  }
}
