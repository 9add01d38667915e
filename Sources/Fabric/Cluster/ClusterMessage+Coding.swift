extension ClusterMessage {
  /// The version of the messages between nodes, their first byte.
  package static let version: UInt8 = 2

  private enum Kind: UInt8 {
    case toHost = 1
    case fromHost, notOwner, handOff, clockRequest, clock, endPasses, storeChanged
    case denied, owned
  }

  /// The message as bytes.
  package var bytes: [UInt8] {
    var writer = ClusterWriter()
    writer.byte(Self.version)
    func begin(_ kind: Kind) { writer.byte(kind.rawValue) }
    switch self {
    case .toHost(let messages, let room, let epoch):
      begin(.toHost)
      writer.room(room, epoch)
      writer.number(UInt32(clamping: messages.count))
      for message in messages { writer.message(message) }
    case .fromHost(let messages, let room, let epoch, let sent):
      begin(.fromHost)
      writer.bytes.reserveCapacity(messages.bytes.count + 32 * messages.list.count + 64)
      writer.room(room, epoch)
      writer.double(sent)
      writer.block(messages.bytes)
      writer.number(UInt32(clamping: messages.list.count))
      for message in messages.list { writer.message(message) }
    case .notOwner(let room, let epoch):
      begin(.notOwner)
      writer.room(room, epoch)
    case .denied(let room):
      begin(.denied)
      writer.text(room)
    case .owned(let room, let epoch):
      begin(.owned)
      writer.room(room, epoch)
    case .handOff(let room):
      begin(.handOff)
      writer.text(room)
    case .clockRequest(let sent):
      begin(.clockRequest)
      writer.double(sent)
    case .clock(let sent, let time):
      begin(.clock)
      writer.double(sent)
      writer.double(time)
    case .endPasses(let members, let date):
      begin(.endPasses)
      writer.double(date)
      writer.number(UInt32(clamping: members.count))
      for member in members { writer.number(member.rawValue) }
    case .storeChanged(let keys):
      begin(.storeChanged)
      writer.number(UInt32(clamping: keys.count))
      for key in keys { writer.text(key) }
    }
    return writer.bytes
  }

  /// Reads a message of another node.
  package init(_ bytes: [UInt8]) throws(ClusterFault) {
    var reader = ClusterReader(bytes)
    guard try reader.byte() == Self.version, let kind = Kind(rawValue: try reader.byte()) else {
      throw .unknown
    }
    switch kind {
    case .toHost: self = try Self.toHost(from: &reader)
    case .fromHost: self = try Self.fromHost(from: &reader)
    case .notOwner:
      self = .notOwner(room: try reader.text(), epoch: try reader.number(UInt64.self))
    case .denied: self = .denied(room: try reader.text())
    case .owned:
      self = .owned(room: try reader.text(), epoch: try reader.number(UInt64.self))
    case .handOff: self = .handOff(room: try reader.text())
    case .clockRequest: self = .clockRequest(sent: try reader.double())
    case .clock: self = .clock(sent: try reader.double(), time: try reader.double())
    case .endPasses:
      let date = try reader.double()
      var members: [MemberID] = []
      for _ in 0..<(try reader.count()) {
        members.append(MemberID(try reader.number(UInt32.self)))
      }
      self = .endPasses(members, before: date)
    case .storeChanged:
      var keys: [String] = []
      for _ in 0..<(try reader.count()) { keys.append(try reader.text()) }
      self = .storeChanged(keys)
    }
    guard reader.isAtEnd else { throw .unknown }
  }

  private static func toHost(from reader: inout ClusterReader) throws(ClusterFault) -> Self {
    let (room, epoch) = (try reader.text(), try reader.number(UInt64.self))
    var messages: [GatewayMessage] = []
    for _ in 0..<(try reader.count()) { messages.append(try reader.gatewayMessage()) }
    return .toHost(messages, room: room, epoch: epoch)
  }

  private static func fromHost(from reader: inout ClusterReader) throws(ClusterFault) -> Self {
    let (room, epoch) = (try reader.text(), try reader.number(UInt64.self))
    let sent = try reader.double()
    let block = try reader.block()
    var messages = HostMessages(reserving: 0)
    messages.bytes = Array(reader.bytes[block])
    for _ in 0..<(try reader.count()) {
      messages.append(try reader.hostMessage(within: block.count))
    }
    return .fromHost(messages, room: room, epoch: epoch, sent: sent)
  }
}

extension ClusterWriter {
  mutating func room(_ room: String, _ epoch: UInt64) {
    text(room)
    number(epoch)
  }
}
