internal import Bytes

extension ClusterWriter {
  mutating func message(_ message: HostMessage) {
    switch message {
    case .publish(let range, let publication, let stream):
      byte(1)
      self.range(range)
      self.publication(publication)
      self.stream(stream)
    case .attach(let member, let stream):
      begin(2, member)
      self.stream(stream)
    case .detach(let member): begin(3, member)
    case .fork(let new, let old, let member):
      begin(4, member)
      stream(new)
      stream(old)
    case .end(let stream):
      byte(5)
      self.stream(stream)
    case .setDelay(let seconds, let stream):
      byte(6)
      double(seconds)
      self.stream(stream)
    case .setInterval(let seconds, let member):
      begin(7, member)
      double(seconds)
    case .setReducesMotion(let reduces, let member):
      begin(8, member)
      flag(reduces)
    case .send(let range, let member):
      begin(9, member)
      self.range(range)
    case .close(let member, let code, let reason):
      begin(10, member)
      number(code)
      text(reason)
    case .adopt(let newer, let member):
      begin(11, newer)
      number(member.rawValue)
    case .welcomed(let member, let rejoin):
      begin(12, member)
      for text in [rejoin.room, rejoin.resume, rejoin.key, rejoin.reader] { self.text(text) }
    }
  }

  private mutating func range(_ range: Range<Int>) {
    number(UInt32(clamping: range.lowerBound))
    number(UInt32(clamping: range.upperBound))
  }

  private mutating func publication(_ publication: Publication) {
    switch publication {
    case .snapshot: byte(1)
    case .frames: byte(2)
    case .keyframe: byte(3)
    case .still: byte(4)
    case .elements: byte(5)
    case .caption: byte(6)
    case .pointer(let member): begin(7, member)
    }
  }
}

extension ClusterReader {
  /// Reads a message whose ranges lie within a number of bytes.
  mutating func hostMessage(within count: Int) throws(ByteError) -> HostMessage {
    let kind = try byte("message")
    switch kind {
    case 1:
      let range = try range(within: count)
      return .publish(range, try publication(), on: try stream())
    case 2: return .attach(try member(), to: try stream())
    case 3: return .detach(try member())
    case 4:
      let (member, new, old) = (try member(), try stream(), try stream())
      return .fork(new, from: old, for: member)
    case 5: return .end(try stream())
    case 6: return .setDelay(try double("delay"), of: try stream())
    case 7:
      let member = try member()
      return .setInterval(try double("interval"), of: member)
    case 8:
      let member = try member()
      return .setReducesMotion(try flag("motion"), of: member)
    case 9:
      let member = try member()
      return .send(try range(within: count), to: member)
    case 10:
      return .close(try member(), code: try number(0, "code"), reason: try text("reason"))
    case 11: return .adopt(try member(), as: try member())
    case 12:
      let member = try member()
      let (room, resume) = (try text("room"), try text("resume"))
      let (key, reader) = (try text("key"), try text("reader"))
      return .welcomed(member, Rejoin(room: room, resume: resume, key: key, reader: reader))
    default: throw .unknownValue(field: "message", value: kind)
    }
  }

  private mutating func range(within count: Int) throws(ByteError) -> Range<Int> {
    let (start, end) = (try number(UInt32(0), "start"), try number(UInt32(0), "end"))
    guard start <= end, end <= count else { throw .invalid(field: "range") }
    return Int(start)..<Int(end)
  }

  private mutating func publication() throws(ByteError) -> Publication {
    let kind = try byte("publication")
    switch kind {
    case 1: return .snapshot
    case 2: return .frames
    case 3: return .keyframe
    case 4: return .still
    case 5: return .elements
    case 6: return .caption
    case 7: return .pointer(of: try member())
    default: throw .unknownValue(field: "publication", value: kind)
    }
  }
}
