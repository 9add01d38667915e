internal import Motion
internal import Scene

extension ClientPacket {
  /// Decodes a message from a client.
  ///
  /// - Parameter bytes: The whole message, which may be any bytes.
  /// - Throws: The first error in it.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    guard bytes.count <= WireLimits.clientMessageBytes else {
      throw .tooLong(bytes: bytes.count, limit: WireLimits.clientMessageBytes)
    }
    var reader = ByteReader(bytes)
    guard reader.available > 0 else { throw .empty }
    let byte = try reader.uint8("type")
    guard let type = ClientType(rawValue: byte) else { throw .unknownType(byte) }
    role = type.carriesRole ? try reader.uint16("role") : 0
    message = try ClientMessage(type, from: &reader)
    try reader.finish()
  }

  /// Decodes a message from the bytes of a client.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try bytes.withUnsafeBytes { pointer in
      Result { () throws(WireError) in try ClientPacket(decoding: pointer) }
    }.get()
  }
}

extension ClientMessage {
  fileprivate init(_ type: ClientType, from reader: inout ByteReader) throws(WireError) {
    switch type {
    case .hello: self = .hello(try Hello(from: &reader))
    case .pointers: self = .pointers(try Pointers(from: &reader))
    case .wheel:
      let dx = try reader.coordinate("dx")
      let dy = try reader.coordinate("dy")
      let point = try reader.point()
      self = .wheel(dx: dx, dy: dy, at: point, ctrl: try reader.flags("ctrl", known: 1) == 1)
    case .key: self = .key(try reader.choice(Key.self, "key"))
    case .viewport:
      let viewport = try reader.viewport()
      let pending = try reader.set("settings", known: ClientSettings.known)
      self = .viewport(viewport, reducesMotion: pending.contains(.reducesMotion))
    case .clock: self = .clock(clientTime: try reader.double("clientTime"))
    case .zoom:
      let phase = try reader.choice(GesturePhase.self, "phase")
      let scale = try reader.float(
        "scale",
        Double(Float.leastNormalMagnitude),
        WireLimits.zoomScale
      )
      self = .zoom(phase, scale: scale, at: try reader.point())
    case .visibility: self = .visibility(isVisible: try reader.flags("visible", known: 1) == 1)
    case .fit: self = .fit(try reader.fit())
    case .ready, .jump, .go, .arrange, .lay, .zoomStep: self = try Self.order(type, from: &reader)
    case .persona, .ack, .point, .raise, .wander, .handover:
      self = try Self.presence(type, from: &reader)
    case .share, .settings, .renewLinks, .endReading, .showOut, .grant, .record, .open, .play,
      .bring, .lowerHand:
      self = try Self.administration(type, from: &reader)
    }
  }

  private static func order(
    _ type: ClientType,
    from reader: inout ByteReader
  ) throws(WireError) -> ClientMessage {
    switch type {
    case .ready:
      let limit = WireLimits.readyElements
      let count = try reader.count16("elements", limit: limit, bytesEach: 1)
      var ids: [UInt64] = []
      for _ in 0..<count { ids.append(try reader.number("id")) }
      return .ready(ids)
    case .jump: return .jump(page: try reader.uint32("page"))
    case .go:
      let book = try reader.string("book", limit: WireLimits.bookIDBytes)
      let opens = try reader.flags("opens", known: 1) == 1
      let page = try reader.uint32("page")
      return .go(book: book, opens: opens, page: page == .max ? nil : page)
    case .arrange:
      let order = try reader.choice(Arrangement.Order.self, "order")
      let filter = try reader.string("filter", limit: WireLimits.filterBytes)
      return .arrange(Arrangement(order: order, filter: filter))
    case .zoomStep:
      let factor = try reader.float("factor", 0, WireLimits.zoomStep)
      guard factor == 0 || factor >= 1 / WireLimits.zoomStep else {
        let least = 1 / WireLimits.zoomStep
        throw .outOfRange(
          field: "factor",
          value: factor,
          lowest: least,
          highest: WireLimits.zoomStep
        )
      }
      return .zoomStep(factor: factor == 0 ? nil : factor, at: try reader.point())
    default: return .lay(try reader.choice(LayOrder.self, "pose"))
    }
  }

  private static func presence(
    _ type: ClientType,
    from reader: inout ByteReader
  ) throws(WireError) -> ClientMessage {
    switch type {
    case .persona: return .persona(try reader.persona())
    case .ack:
      let frame = try reader.uint32("frame")
      let lateness = try reader.float("lateness", -WireLimits.seconds, WireLimits.seconds)
      let error = try reader.float("syncError", 0, WireLimits.seconds)
      let roundTrip = try reader.float("roundTrip", 0, WireLimits.seconds)
      return .ack(
        Ack(frame: frame, lateness: lateness, syncError: error, roundTrip: roundTrip)
      )
    case .point:
      let points = try reader.flags("points", known: 1) == 1
      return .point(at: points ? try reader.point() : nil)
    case .raise: return .raise(try reader.flags("raised", known: 1) == 1)
    case .wander: return .wander(try reader.flags("wanders", known: 1) == 1)
    default: return .handover(try reader.handover())
    }
  }

  private static func administration(
    _ type: ClientType,
    from reader: inout ByteReader
  ) throws(WireError) -> ClientMessage {
    switch type {
    case .share: return .share
    case .settings: return .settings(try reader.settings())
    case .renewLinks: return .renewLinks
    case .endReading: return .endReading
    case .showOut: return .showOut(try reader.uint32("member"))
    case .grant:
      let member = try reader.uint32("member")
      return .grant(member, try reader.choice(Grant.self, "grant"))
    case .record: return .record(try reader.flags("on", known: 1) == 1)
    case .open:
      return .open(recording: try reader.string("recording", limit: WireLimits.recordingIDBytes))
    case .bring:
      let book = try reader.string("book", limit: WireLimits.bookIDBytes)
      return .bring(book: book.isEmpty ? nil : book)
    case .lowerHand: return .lowerHand(try reader.uint32("member"))
    default: return .play(try reader.playbackOrder())
    }
  }
}

extension ByteReader {
  fileprivate mutating func fit() throws(WireError) -> Fit {
    let span = try choice(Fit.Span.self, "span")
    let left = try float("left", 0, 1)
    let top = try float("top", 0, 1)
    let right = try float("right", 0, 1)
    let bottom = try float("bottom", 0, 1)
    return Fit(span, words: Fit.Words(left: left, top: top, right: right, bottom: bottom))
  }
}

extension Hello {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    let version = try reader.uint8("version")
    // The version is checked first, because the rest of another version may differ.
    guard version == WireVersion.current else { throw .wrongVersion(version) }
    let room = try reader.string("room")
    guard room.isEmpty || Hello.isRoomName(room) else {
      throw .badRoomName(String(room.prefix(WireLimits.roomNameBytes)))
    }
    let key = try reader.string("key", limit: WireLimits.keyBytes)
    let resume = try reader.string("resume", limit: WireLimits.keyBytes)
    let secret = try reader.string("reader", limit: WireLimits.keyBytes)
    let persona = try reader.persona()
    let viewport = try reader.viewport()
    let pending = try reader.set("settings", known: ClientSettings.known)
    self.init(
      room: room,
      key: key,
      resume: resume,
      reader: secret,
      persona: persona,
      viewport: viewport,
      reducesMotion: pending.contains(.reducesMotion),
      reportsImages: pending.contains(.reportsImages),
      sharesStage: pending.contains(.sharesStage)
    )
  }
}

extension Pointers {
  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    let target = try reader.double("target")
    let count = Int(try reader.uint8("count"))
    guard count <= WireLimits.pointerSamples else {
      throw .tooMany(field: "samples", count: count, limit: WireLimits.pointerSamples)
    }
    try reader.require(count * 12, "samples")
    self.init(target: target)
    for _ in 0..<count {
      let id = try reader.uint8("pointerId")
      let phase = try reader.choice(PointerPhase.self, "phase")
      let age = Double(try reader.uint16("age")) / 10_000
      let point = try reader.point()
      samples.append(
        PointerSample(id: id, phase: phase, ageSeconds: age, x: point.x, y: point.y)
      )
    }
  }
}

extension ByteReader {
  fileprivate mutating func coordinate(_ field: String) throws(WireError) -> Double {
    try float(field, -WireLimits.coordinate, WireLimits.coordinate)
  }

  fileprivate mutating func point() throws(WireError) -> Point {
    let x = try coordinate("x")
    return Point(x: x, y: try coordinate("y"))
  }

  fileprivate mutating func viewport() throws(WireError) -> Viewport {
    let width = try float("width", 1, WireLimits.viewportSide)
    let height = try float("height", 1, WireLimits.viewportSide)
    let pixelRatio = try float("pixelRatio", 1 / WireLimits.pixelRatio, WireLimits.pixelRatio)
    return Viewport(size: Size(width: width, height: height), pixelRatio: pixelRatio)
  }
  fileprivate mutating func handover() throws(WireError) -> Handover {
    let type = try uint8("handover")
    switch type {
    case 0: return .ask
    case 1: return .withdraw
    case 2: return .offer(try uint32("member"))
    case 3: return .accept
    case 4: return .decline
    case 5: return .refuse(try uint32("member"))
    case 6: return .take
    case 7: return .layDown
    default: throw .unknownValue(field: "handover", value: type)
    }
  }

  fileprivate mutating func playbackOrder() throws(WireError) -> PlaybackOrder {
    let type = try uint8("order")
    switch type {
    case 0: return .pause
    case 1: return .play
    case 2: return .seek(try double("seconds"))
    case 3: return .close
    default: throw .unknownValue(field: "order", value: type)
    }
  }
}

extension ByteReader {
  mutating func persona() throws(WireError) -> Persona {
    let name = try string("name", limit: WireLimits.nameBytes)
    let colour = try uint8("colour")
    guard colour < Persona.colourCount || colour == 255 else {
      throw .unknownValue(field: "colour", value: colour)
    }
    return Persona(name: name, colour: colour == 255 ? nil : colour)
  }

  mutating func settings() throws(WireError) -> RoomSettings {
    let policy = try choice(Policy.self, "policy")
    let choices = try set("settings", known: RoomChoices.known)
    return RoomSettings(
      policy: policy,
      isLocked: choices.contains(.isLocked),
      mayWander: choices.contains(.mayWander),
      sharesShelf: choices.contains(.sharesShelf)
    )
  }
}
