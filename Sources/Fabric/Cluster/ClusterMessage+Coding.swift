package import Bytes

extension ClusterMessage {
  /// The version of the messages between nodes, their first byte.
  package static let version: UInt8 = 2

  private enum Kind: UInt8 {
    case toHost = 1
    case fromHost, notOwner, owned, heartbeat, clockRequest, clock, questions, answers, storeChanged
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
    case .questions(let questions, let id):
      begin(.questions)
      writer.number(id)
      writer.number(UInt32(clamping: questions.count))
      for question in questions { writer.question(question) }
    case .answers(let answers, let id):
      begin(.answers)
      writer.number(id)
      writer.number(UInt32(clamping: answers.count))
      for answer in answers { writer.flag(answer) }
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
    case .questions:
      let id = try reader.number(UInt64(0), "id")
      var questions: [HostQuestion] = []
      for _ in 0..<(try reader.count("questions")) { questions.append(try reader.question()) }
      self = .questions(questions, id: id)
    case .answers:
      let id = try reader.number(UInt64(0), "id")
      var answers: [Bool] = []
      for _ in 0..<(try reader.count("answers")) { answers.append(try reader.flag("answer")) }
      self = .answers(answers, id: id)
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

  mutating func question(_ question: HostQuestion) {
    switch question {
    case .isPass(let pass):
      byte(1)
      text(pass)
    case .opensBook(let book, let pass):
      byte(2)
      text(book)
      text(pass)
    case .opensCollection(let collection, let pass):
      byte(3)
      text(collection)
      text(pass)
    case .shows(let page, let book):
      byte(4)
      number(UInt32(clamping: page))
      text(book)
    }
  }
}

extension ClusterReader {
  mutating func room() throws(ByteError) -> (room: String, epoch: UInt64) {
    (try text("room"), try number(0, "epoch"))
  }

  mutating func question() throws(ByteError) -> HostQuestion {
    let kind = try byte("question")
    switch kind {
    case 1: return .isPass(try text("pass"))
    case 2: return .opensBook(try text("book"), pass: try text("pass"))
    case 3: return .opensCollection(try text("collection"), pass: try text("pass"))
    case 4:
      let page = try number(UInt32(0), "page")
      return .shows(page: Int(page), book: try text("book"))
    default: throw .unknownValue(field: "question", value: kind)
    }
  }
}
