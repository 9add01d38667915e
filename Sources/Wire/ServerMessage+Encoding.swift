internal import Scene

extension ServerMessage {
  /// Returns the bytes to send.
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    encode(into: &bytes)
    return bytes
  }

  /// Appends the bytes to send, at most ``WireLimits/serverMessageBytes``; a list that is too long
  /// for one message is truncated.
  package func encode(into bytes: inout [UInt8]) {
    let limit = bytes.count + WireLimits.serverMessageBytes
    switch self {
    case .welcome(let welcome):
      bytes.beginServer(.welcome)
      bytes.append(WireVersion.current)
      bytes.appendString(welcome.room)
      bytes.append32(welcome.memberID)
      bytes.appendDouble(welcome.serverTime)
      bytes.appendString(welcome.resume)
      bytes.appendString(welcome.key)
      bytes.appendString(welcome.reader)
      bytes.appendString(welcome.pass)
      bytes.append32(welcome.numbering)
    case .elements(let elements):
      bytes.beginServer(.elements)
      bytes.appendList(elements, before: limit) { $0.appendElement($1) }
    case .snapshot(let update):
      bytes.beginServer(.snapshot)
      bytes.appendUpdate(update, before: limit)
    case .delta(let update):
      bytes.beginServer(.delta)
      bytes.appendUpdate(update, before: limit)
    case .batch(let updates):
      bytes.beginServer(.batch)
      bytes.appendBatch(updates, before: limit)
    case .retired(let ids):
      bytes.beginServer(.retired)
      bytes.appendList(ids.prefix(WireLimits.retiredPerMessage), before: limit) {
        $0.appendNumber($1)
      }
    case .camera(let matrix):
      bytes.beginServer(.camera)
      for k in 0..<16 { bytes.appendFloat(matrix[k]) }
    case .framing(let framing):
      bytes.beginServer(.framing)
      bytes.append(framing.pages.rawValue)
      bytes.appendFloat(framing.scale)
      bytes.appendRange(framing.range)
    case .cameras(let cameras):
      let cameras = cameras.prefix(WireLimits.flightCameras)
      bytes.beginServer(.cameras)
      bytes.append(UInt8(cameras.count))
      for camera in cameras {
        bytes.appendDouble(camera.time)
        for k in 0..<16 { bytes.appendFloat(camera.matrix[k]) }
      }
    case .clock(let clientTime, let serverTime):
      bytes.beginServer(.clock)
      bytes.appendDouble(clientTime)
      bytes.appendDouble(serverTime)
    case .error(let code, let notice):
      bytes.beginServer(.error)
      bytes.append16(code)
      bytes.appendNotice(notice)
    case .caption(let caption): bytes.appendCaption(caption)
    case .role, .room, .people, .pointer, .place, .links, .sync, .goodbye, .playback:
      encodeEvent(into: &bytes, before: limit)
    }
  }
}

extension [UInt8] {
  mutating func beginServer(_ type: ServerType) { append(type.rawValue) }

  mutating func appendElement(_ element: WireElement) {
    appendNumber(element.id)
    append(element.kind.rawValue)
    append32(element.index)
    append(element.side.rawValue)
    append(element.stock.rawValue)
    appendFloat(element.width)
    appendFloat(element.height)
    appendFloat(element.cornerRadius)
    appendString(element.imageURL)
    appendString(element.title)
    appendString(element.author)
    append32(element.count)
  }

  /// Appends the head of a frame and returns the position of its count, which is set at the end.
  mutating func appendFrameHead(
    number: UInt32,
    time: Double,
    screen: Screen,
    isSettled: Bool
  ) -> Int {
    append32(number)
    appendDouble(time)
    append(FrameState.byte(screen, isSettled: isSettled))
    append16(0)
    return count - 2
  }

  /// Appends the beginning of an entry, up to its part.
  mutating func appendEntryHead(
    _ id: UInt64,
    part: ElementPart,
    mask: UInt16,
    flags: UInt8,
    _ heads: inout EntryHeads
  ) {
    let (number, code) = heads.next(id, part, EntryHead(mask: mask, flags: flags))
    appendNumber(number)
    if code == .new {
      appendNumber(UInt64(MatrixMask.wire(mask)))
      append(flags)
    }
    if part != .whole { append(part.rawValue) }
  }

  /// Appends the matrix entries in the mask, in the order of the wire.
  mutating func appendMatrix(_ matrix: WireMatrix, mask: UInt16) {
    guard mask != 0 else { return }
    for place in 0..<16 {
      let entry = MatrixMask.entry(at: place)
      if mask &>> UInt16(entry) & 1 != 0 { appendFloat(matrix[entry]) }
    }
  }

  /// Appends frames, each preceded by its length in two bytes, as many as end before a position in
  /// the buffer.
  fileprivate mutating func appendBatch(_ updates: [FrameUpdate], before limit: Int) {
    append(0)
    let head = count - 1
    for update in updates.prefix(WireLimits.batchFrames) {
      let end = count
      append16(0)
      let start = count
      appendUpdate(update, before: start + Int(UInt16.max))
      guard count <= limit else { return removeLast(count - end) }
      set16(UInt16(truncatingIfNeeded: count - start), at: start - 2)
      self[head] &+= 1
    }
  }

  fileprivate mutating func appendUpdate(_ update: FrameUpdate, before limit: Int) {
    _ = appendFrameHead(
      number: update.number,
      time: update.time,
      screen: update.screen,
      isSettled: update.isSettled
    )
    // The head ends with the count, which the list writes itself.
    removeLast(2)
    let entries = update.entries.prefix(2 * WireLimits.placements)
    var heads = EntryHeads()
    appendList(entries, before: limit) { $0.appendEntry($1, &heads) }
  }

  private mutating func appendEntry(_ entry: FrameEntry, _ heads: inout EntryHeads) {
    var flags: UInt8 = 0
    if entry.opacity != nil { flags |= EntryFlags.opacity }
    if entry.shade != nil { flags |= EntryFlags.shade }
    if entry.z != nil { flags |= EntryFlags.z }
    if entry.isHidden { flags |= EntryFlags.hidden }
    if entry.isFull { flags |= EntryFlags.full }
    let sent = DerivedEntries(
      sending: entry.matrixMask,
      of: entry.matrix,
      known: entry.matrixMask
    )
    flags |= sent.flags
    appendEntryHead(entry.id, part: entry.part, mask: sent.mask, flags: flags, &heads)
    appendMatrix(entry.matrix, mask: sent.mask)
    if let opacity = entry.opacity { append16(opacity) }
    if let shade = entry.shade { append16(shade) }
    if let z = entry.z { append16(UInt16(bitPattern: z)) }
  }
}
