package import Bytes

/// A message between two nodes of a cluster.
///
/// Times are seconds of the clock of the node that owns the room, also those within bytes.
package enum ClusterMessage: Equatable, Sendable {
  /// Messages of members of a room, to its owner.
  case toHost([GatewayMessage], room: String, epoch: UInt64)
  /// Messages of the host of a room, from its owner in an epoch, with the time at which it sent
  /// them.
  case fromHost(HostMessages, room: String, epoch: UInt64, sent: Double)
  /// The sender does not own a room in the epoch that the receiver has named, but in another one,
  /// or not at all (0). A sender that has just given the room up leaves it to the receiver.
  case notOwner(room: String, epoch: UInt64)
  /// The sender owns a room from now on, in an epoch. A node that owns the room in a lesser epoch
  /// gives it up.
  case owned(room: String, epoch: UInt64)
  /// The sender is there, or is about to end.
  case heartbeat(isEnding: Bool)
  /// Asks for the receiver's clock; the answer repeats the sender's time.
  case clockRequest(sent: Double)
  /// The answer to a request for the clock.
  case clock(sent: Double, time: Double)
  /// The passes of members that were issued before a time, in Unix seconds, open nothing any more.
  case endPasses([MemberID], before: Double)
  /// The library has changed in the shared store, under these keys.
  case storeChanged([String])
}

extension ClusterMessage {
  /// The version of the messages between nodes, their first byte.
  package static let version: UInt8 = 2

  private enum Kind: UInt8 {
    case toHost = 1
    case fromHost, notOwner, owned, heartbeat, clockRequest, clock, endPasses, storeChanged
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
    case .owned(let room, let epoch):
      begin(.owned)
      writer.room(room, epoch)
    case .heartbeat(let isEnding):
      begin(.heartbeat)
      writer.flag(isEnding)
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
  package init(_ bytes: [UInt8]) throws(ByteError) {
    self = try ClusterReader.read(bytes) { reader throws(ByteError) in
      try ClusterMessage(from: &reader)
    }
  }

  private init(from reader: inout ClusterReader) throws(ByteError) {
    let version = try reader.byte("version")
    guard version == Self.version else { throw .unknownValue(field: "version", value: version) }
    switch try reader.kind(Kind.self) {
    case .toHost:
      let (room, epoch) = try reader.room()
      var messages: [GatewayMessage] = []
      for _ in 0..<(try reader.count("messages")) { messages.append(try reader.gatewayMessage()) }
      self = .toHost(messages, room: room, epoch: epoch)
    case .fromHost:
      let (room, epoch) = try reader.room()
      let sent = try reader.double("sent")
      let block = try reader.block("bytes")
      var messages = HostMessages(reserving: 0)
      messages.bytes = Array(block)
      for _ in 0..<(try reader.count("messages")) {
        messages.append(try reader.hostMessage(within: block.count))
      }
      self = .fromHost(messages, room: room, epoch: epoch, sent: sent)
    case .notOwner:
      let (room, epoch) = try reader.room()
      self = .notOwner(room: room, epoch: epoch)
    case .owned:
      let (room, epoch) = try reader.room()
      self = .owned(room: room, epoch: epoch)
    case .heartbeat: self = .heartbeat(isEnding: try reader.flag("ending"))
    case .clockRequest: self = .clockRequest(sent: try reader.double("sent"))
    case .clock: self = .clock(sent: try reader.double("sent"), time: try reader.double("time"))
    case .endPasses:
      let date = try reader.double("date")
      var members: [MemberID] = []
      for _ in 0..<(try reader.count("members")) {
        members.append(MemberID(try reader.number(UInt32(0), "member")))
      }
      self = .endPasses(members, before: date)
    case .storeChanged:
      var keys: [String] = []
      for _ in 0..<(try reader.count("keys")) { keys.append(try reader.text("key")) }
      self = .storeChanged(keys)
    }
  }
}

extension ClusterWriter {
  mutating func room(_ room: String, _ epoch: UInt64) {
    text(room)
    number(epoch)
  }
}

extension ClusterReader {
  mutating func room() throws(ByteError) -> (room: String, epoch: UInt64) {
    (try text("room"), try number(0, "epoch"))
  }
}
