internal import Motion
internal import Scene

extension ClientPacket {
  /// Returns the bytes to send.
  ///
  /// Numbers outside their range are sent unchanged; the receiver rejects them.
  package func encoded() -> [UInt8] { message.encoded(role: role) }
}

extension ClientMessage {
  /// Returns the bytes to send, with the number of the sender's role.
  package func encoded(role: UInt16 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    if let type = bytes.first.flatMap({ ClientType(rawValue: $0) }), type.carriesRole {
      bytes.insert(contentsOf: [UInt8(role & 0xff), UInt8(role >> 8)], at: 1)
    }
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .hello(let hello):
      bytes.beginClient(.hello)
      bytes.append(WireVersion.current)
      bytes.appendString(hello.room)
      bytes.appendString(hello.key)
      bytes.appendString(hello.resume)
      bytes.appendString(hello.reader)
      bytes.appendPersona(hello.persona)
      var pending: ClientSettings = hello.reducesMotion ? .reducesMotion : []
      if hello.reportsImages { pending.insert(.reportsImages) }
      if hello.sharesStage { pending.insert(.sharesStage) }
      bytes.appendViewport(hello.viewport, pending)
    case .pointers(let pointers):
      bytes.beginClient(.pointers)
      bytes.appendDouble(pointers.target)
      let count = min(pointers.samples.count, WireLimits.pointerSamples)
      bytes.append(UInt8(count))
      for sample in pointers.samples.prefix(count) {
        bytes.append(sample.id)
        bytes.append(sample.phase.rawValue)
        let age = sample.ageSeconds * 10_000 + 0.5
        bytes.append16(age > 0 ? UInt16(min(age, 65_535)) : 0)
        bytes.appendPoint(Point(x: sample.x, y: sample.y))
      }
    case .wheel(let dx, let dy, let point, let ctrl):
      bytes.beginClient(.wheel)
      bytes.appendFloat(dx)
      bytes.appendFloat(dy)
      bytes.appendPoint(point)
      bytes.append(ctrl ? 1 : 0)
    case .key(let key):
      bytes.beginClient(.key)
      bytes.append(key.rawValue)
    case .viewport(let viewport, let reducesMotion):
      bytes.beginClient(.viewport)
      bytes.appendViewport(viewport, reducesMotion ? .reducesMotion : [])
    case .clock(let clientTime):
      bytes.beginClient(.clock)
      bytes.appendDouble(clientTime)
    case .zoom(let phase, let scale, let point):
      bytes.beginClient(.zoom)
      bytes.append(phase.rawValue)
      bytes.appendFloat(scale)
      bytes.appendPoint(point)
    case .visibility(let isVisible):
      bytes.beginClient(.visibility)
      bytes.append(isVisible ? 1 : 0)
    case .fit(let fit): Self.append(fit, to: &bytes)
    case .ready, .jump, .go, .arrange, .lay, .zoomStep: appendOrder(to: &bytes)
    case .persona, .ack, .point, .raise, .wander, .handover: appendPresence(to: &bytes)
    case .share, .settings, .renewLinks, .endReading, .showOut, .grant, .record, .open, .play,
      .bring, .lowerHand:
      appendAdministration(to: &bytes)
    }
  }
}

extension ClientMessage {
  private static func append(_ fit: Fit, to bytes: inout [UInt8]) {
    bytes.beginClient(.fit)
    bytes.append(fit.span.rawValue)
    for side in [fit.words.left, fit.words.top, fit.words.right, fit.words.bottom] {
      bytes.appendFloat(side)
    }
  }

  private func appendOrder(to bytes: inout [UInt8]) {
    switch self {
    case .ready(let ids):
      bytes.beginClient(.ready)
      let ids = ids.prefix(WireLimits.readyElements)
      bytes.append16(UInt16(ids.count))
      for id in ids { bytes.appendNumber(id) }
    case .jump(let page):
      bytes.beginClient(.jump)
      bytes.append32(page)
    case .go(let book, let opens, let page):
      bytes.beginClient(.go)
      bytes.appendString(book)
      bytes.append(opens ? 1 : 0)
      bytes.append32(page ?? .max)
    case .arrange(let arrangement):
      bytes.beginClient(.arrange)
      bytes.append(arrangement.order.rawValue)
      bytes.appendString(arrangement.filter)
    case .lay(let order):
      bytes.beginClient(.lay)
      bytes.append(order.rawValue)
    case .zoomStep(let factor, let point):
      bytes.beginClient(.zoomStep)
      bytes.appendFloat(factor ?? 0)
      bytes.appendPoint(point)
    default: break
    }
  }
}

extension ClientMessage {
  private func appendPresence(to bytes: inout [UInt8]) {
    switch self {
    case .persona(let persona):
      bytes.beginClient(.persona)
      bytes.appendPersona(persona)
    case .ack(let ack):
      bytes.beginClient(.ack)
      bytes.append32(ack.frame)
      bytes.appendFloat(ack.lateness)
      bytes.appendFloat(ack.syncError)
      bytes.appendFloat(ack.roundTrip)
    case .point(let place):
      bytes.beginClient(.point)
      bytes.append(place == nil ? 0 : 1)
      if let place { bytes.appendPoint(place) }
    case .raise(let isRaised):
      bytes.beginClient(.raise)
      bytes.append(isRaised ? 1 : 0)
    case .wander(let wanders):
      bytes.beginClient(.wander)
      bytes.append(wanders ? 1 : 0)
    case .handover(let handover):
      bytes.beginClient(.handover)
      bytes.append(handover.type)
      if case .offer(let member) = handover { bytes.append32(member) }
      if case .refuse(let member) = handover { bytes.append32(member) }
    default: break
    }
  }

  private func appendAdministration(to bytes: inout [UInt8]) {
    switch self {
    case .share: bytes.beginClient(.share)
    case .settings(let settings):
      bytes.beginClient(.settings)
      bytes.appendSettings(settings)
    case .renewLinks: bytes.beginClient(.renewLinks)
    case .endReading: bytes.beginClient(.endReading)
    case .showOut(let member):
      bytes.beginClient(.showOut)
      bytes.append32(member)
    case .grant(let member, let grant):
      bytes.beginClient(.grant)
      bytes.append32(member)
      bytes.append(grant.rawValue)
    case .record(let isOn):
      bytes.beginClient(.record)
      bytes.append(isOn ? 1 : 0)
    case .open(let recording):
      bytes.beginClient(.open)
      bytes.appendString(recording)
    case .play(let order):
      bytes.beginClient(.play)
      bytes.append(order.type)
      if case .seek(let seconds) = order { bytes.appendDouble(seconds) }
    case .bring(let book):
      bytes.beginClient(.bring)
      bytes.appendString(book ?? "")
    case .lowerHand(let member):
      bytes.beginClient(.lowerHand)
      bytes.append32(member)
    default: break
    }
  }
}

extension Handover {
  /// The byte of the action on the wire.
  fileprivate var type: UInt8 {
    switch self {
    case .ask: 0
    case .withdraw: 1
    case .offer: 2
    case .accept: 3
    case .decline: 4
    case .refuse: 5
    case .take: 6
    case .layDown: 7
    }
  }
}

extension PlaybackOrder {
  /// The byte of the order on the wire.
  fileprivate var type: UInt8 {
    switch self {
    case .pause: 0
    case .play: 1
    case .seek: 2
    case .close: 3
    }
  }
}

extension [UInt8] {
  mutating func appendPersona(_ persona: Persona) {
    appendString(persona.name)
    append(persona.colour ?? 255)
  }

  mutating func appendSettings(_ settings: RoomSettings) {
    append(settings.policy.rawValue)
    var choices: RoomChoices = settings.isLocked ? .isLocked : []
    if settings.mayWander { choices.insert(.mayWander) }
    if settings.sharesShelf { choices.insert(.sharesShelf) }
    appendSet(choices)
  }
}

extension [UInt8] {
  fileprivate mutating func beginClient(_ type: ClientType) { append(type.rawValue) }

  fileprivate mutating func appendPoint(_ point: Point) {
    appendFloat(point.x)
    appendFloat(point.y)
  }

  fileprivate mutating func appendViewport(_ viewport: Viewport, _ settings: ClientSettings) {
    appendFloat(viewport.size.width)
    appendFloat(viewport.size.height)
    appendFloat(viewport.pixelRatio)
    appendSet(settings)
  }
}
