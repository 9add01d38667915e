internal import Notices
internal import Scene

extension ServerMessage {
  /// Decodes a message from a server.
  ///
  /// - Parameter bytes: The whole message, which may be any bytes.
  /// - Throws: The first error in it.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    guard reader.available > 0 else { throw .empty }
    let byte = try reader.uint8("type")
    guard let type = ServerType(rawValue: byte) else { throw .unknownType(byte) }
    switch type {
    case .welcome: self = .welcome(try Welcome(from: &reader))
    case .elements:
      let count = try reader.count16("elements", limit: Int(UInt16.max), bytesEach: 26)
      var elements: [WireElement] = []
      elements.reserveCapacity(count)
      for _ in 0..<count { elements.append(try WireElement(from: &reader)) }
      self = .elements(elements)
    case .retired:
      let limit = WireLimits.retiredPerMessage
      let count = try reader.count16("retired", limit: limit, bytesEach: 1)
      var ids: [UInt64] = []
      ids.reserveCapacity(count)
      for _ in 0..<count { ids.append(try reader.number("id")) }
      self = .retired(ids)
    case .snapshot: self = .snapshot(try FrameUpdate(from: &reader, isSnapshot: true))
    case .delta: self = .delta(try FrameUpdate(from: &reader, isSnapshot: false))
    case .batch:
      let count = Int(try reader.uint8("frames"))
      var updates: [FrameUpdate] = []
      for _ in 0..<count {
        let length = Int(try reader.uint16("byteLength"))
        var part = try reader.part(length, "frame")
        updates.append(try FrameUpdate(from: &part, isSnapshot: false))
        try part.finish()
      }
      self = .batch(updates)
    case .camera: self = .camera(try reader.matrix())
    case .framing: self = .framing(try FramingEvent(from: &reader))
    case .cameras:
      let count = Int(try reader.uint8("cameras"))
      try reader.require(count * 72, "cameras")
      var cameras: [TimedCamera] = []
      for _ in 0..<count {
        let time = try reader.double("time")
        cameras.append(TimedCamera(time: time, matrix: try reader.matrix()))
      }
      self = .cameras(cameras)
    case .clock:
      let clientTime = try reader.double("clientTime")
      self = .clock(clientTime: clientTime, serverTime: try reader.double("serverTime"))
    case .error:
      let code = try reader.uint16("code")
      self = .error(code: code, try reader.notice())
    case .caption: self = .caption(try Caption(from: &reader))
    case .role, .room, .people, .pointer, .place, .links, .sync, .goodbye, .playback:
      self = try Self.event(type, from: &reader)
    }
    try reader.finish()
  }

  /// Decodes a message from the bytes of a server.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBytes { pointer in
      Result { () throws(WireError) in try ServerMessage(decoding: pointer) }
    }.get()
  }
}

extension ByteReader {
  /// Reads a mask of matrix entries, in the order of the wire.
  fileprivate mutating func mask() throws(WireError) -> UInt16 {
    let start = offset
    let value = try number("mask")
    guard let mask = UInt16(exactly: value) else { throw .tooLarge(field: "mask", offset: start) }
    return MatrixMask.entries(mask)
  }

  fileprivate mutating func matrix() throws(WireError) -> WireMatrix {
    var matrix = WireMatrix.identity
    for k in 0..<16 { matrix[k] = try float("matrix") }
    return matrix
  }
}

extension Welcome {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    let version = try reader.uint8("version")
    guard version == WireVersion.current else { throw .wrongVersion(version) }
    room = try reader.string("room")
    guard Hello.isRoomName(room) else {
      throw .badRoomName(String(room.prefix(WireLimits.roomNameBytes)))
    }
    memberID = try reader.uint32("memberId")
    serverTime = try reader.double("serverTime")
    resume = try reader.string("resume")
    key = try reader.string("key")
    self.reader = try reader.string("reader")
    pass = try reader.string("pass")
    numbering = try reader.uint32("numbering")
  }
}

extension WireElement {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    id = try reader.number("id")
    kind = try reader.choice(ElementKind.self, "kind")
    index = try reader.uint32("index")
    side = try reader.choice(ElementSide.self, "side")
    stock = try reader.choice(PaperStock.self, "stock")
    width = try reader.float("width")
    height = try reader.float("height")
    cornerRadius = try reader.float("cornerRadius")
    imageURL = try reader.string("imageURL")
    title = try reader.string("title")
    author = try reader.string("author")
    count = try reader.uint32("count")
  }
}

extension FrameUpdate {
  fileprivate init(from reader: inout ByteReader, isSnapshot: Bool) throws(WireError) {
    number = try reader.uint32("frame")
    time = try reader.double("time")
    let state = try reader.uint8("state")
    let parts = FrameState.parts(of: state)
    guard let screen = parts.screen else { throw .unknownValue(field: "screen", value: state) }
    (self.screen, isSettled) = (screen, parts.isSettled)
    // In a delta each shown element can be hidden while as many others appear.
    let count = try reader.count16("entries", limit: 2 * WireLimits.placements, bytesEach: 1)
    entries = []
    entries.reserveCapacity(count)
    var heads = EntryHeads()
    for _ in 0..<count {
      entries.append(try FrameEntry(from: &reader, &heads, isSnapshot: isSnapshot))
    }
  }
}

extension FrameEntry {
  fileprivate init(
    from reader: inout ByteReader,
    _ heads: inout EntryHeads,
    isSnapshot: Bool
  ) throws(WireError) {
    let offset = reader.offset
    guard let start = heads.start(try reader.groups("id")) else {
      throw .tooLarge(field: "id", offset: offset)
    }
    self.init(id: start.id)
    var new = EntryHead()
    if start.code == .new {
      new.mask = try reader.mask()
      new.flags = try reader.flags("flags", known: EntryFlags.known)
    }
    let head = heads.head(start.code, new)
    let (mask, flags) = (head.mask, head.flags)
    isFull = flags & EntryFlags.full != 0
    isHidden = flags & EntryFlags.hidden != 0
    guard !isHidden || (flags == EntryFlags.hidden && mask == 0 && !isSnapshot),
      flags & ~EntryFlags.derived == EntryFlags.appearing || !(isFull || isSnapshot)
    else { throw .contradictoryEntry(id: id, mask: mask, flags: flags) }
    if start.hasPart { part = ElementPart(rawValue: try reader.uint8("part")) }
    for place in 0..<16 {
      let entry = MatrixMask.entry(at: place)
      guard mask &>> UInt16(entry) & 1 != 0 else { continue }
      matrix[entry] = try reader.float("matrix")
    }
    matrixMask = mask
    DerivedEntries.derive(flags, &matrixMask, in: &matrix)
    if flags & EntryFlags.opacity != 0 { opacity = try reader.uint16("opacity") }
    if flags & EntryFlags.shade != 0 { shade = try reader.uint16("shade") }
    if flags & EntryFlags.z != 0 { z = Int16(bitPattern: try reader.uint16("z")) }
  }
}

extension FramingEvent {
  init(from reader: inout ByteReader) throws(WireError) {
    let value = try reader.uint8("pages")
    guard let pages = Pages(rawValue: value) else {
      throw .unknownValue(field: "pages", value: value)
    }
    self.pages = pages
    scale = try reader.float("scale")
    range = try reader.range()
  }
}
