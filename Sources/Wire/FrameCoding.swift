internal import Bytes
internal import Motion
internal import Scene

extension FrameUpdate {
  static let blank = FrameUpdate(
    number: 0,
    time: 0,
    screen: .collections,
    isSettled: false,
    entries: []
  )

  func coded(by c: inout WireCoder, isSnapshot: Bool) throws(WireError) -> FrameUpdate {
    let number = try c.number(number, "frame")
    let time = try c.double(time, "time")
    let state = try c.number(FrameState.byte(screen, isSettled: isSettled), "state")
    let parts = FrameState.parts(of: state)
    try c.check(parts.screen != nil, .bytes(.unknownValue(field: "screen", value: state)))
    return FrameUpdate(
      number: number,
      time: time,
      screen: parts.screen ?? screen,
      isSettled: parts.isSettled,
      entries: try c.entries(entries, isSnapshot: isSnapshot)
    )
  }
}

extension WireCoder {
  /// Codes the entries of a frame.
  fileprivate mutating func entries(
    _ entries: [FrameEntry],
    isSnapshot: Bool
  ) throws(WireError) -> [FrameEntry] {
    // In a delta each shown element can be hidden while as many others appear.
    let limit = 2 * WireLimits.placements
    let blank = FrameEntry(id: 0)
    var heads = EntryHeads()
    return try list(entries, "entries", UInt16.self, limit: limit, bytesEach: 1, blank: blank) {
      c,
      entry throws(WireError) in
      if c.isReader { return try FrameEntry(from: &c, &heads, isSnapshot: isSnapshot) }
      c.bytes.appendEntry(entry, known: entry.matrixMask, &heads)
      return entry
    }
  }

  /// Codes deltas, each of which follows its length.
  mutating func batch(_ updates: [FrameUpdate]) throws(WireError) -> [FrameUpdate] {
    try list(updates, "frames", UInt8.self, bytesEach: 2, blank: .blank) {
      c,
      update throws(WireError) in
      let (start, end) = (c.bytes.count, c.end)
      let length = Int(try c.number(UInt16(0), "byteLength"))
      guard !c.isReader else {
        return try WireCoder.read(try c.slice(length, "frame")) { c throws(WireError) in
          try update.coded(by: &c, isSnapshot: false)
        }
      }
      c.end = start + 2 + Int(UInt16.max)
      defer { c.end = end }
      let sent = try update.coded(by: &c, isSnapshot: false)
      c.bytes.set16(UInt16(truncatingIfNeeded: c.bytes.count - start - 2), at: start)
      return sent
    }
  }

  /// Reads a mask of matrix entries, in the order of the wire.
  fileprivate mutating func mask() throws(WireError) -> UInt16 {
    let start = offset
    guard let mask = UInt16(exactly: try id(0, "mask")) else {
      throw .bytes(.tooLarge(field: "mask", offset: start))
    }
    return MatrixMask.entries(mask)
  }
}

extension FrameEntry {
  fileprivate init(
    from c: inout WireCoder,
    _ heads: inout EntryHeads,
    isSnapshot: Bool
  ) throws(WireError) {
    let offset = c.offset
    guard let start = heads.start(try c.groups(0, "id")) else {
      throw .bytes(.tooLarge(field: "id", offset: offset))
    }
    self.init(id: start.id)
    var new = EntryHead()
    if start.code == .new {
      new.mask = try c.mask()
      new.flags = try c.flags(0, "flags", known: EntryFlags.known)
    }
    let head = heads.head(start.code, new)
    let (mask, flags) = (head.mask, head.flags)
    isFull = flags & EntryFlags.full != 0
    isHidden = flags & EntryFlags.hidden != 0
    guard !isHidden || (flags == EntryFlags.hidden && mask == 0 && !isSnapshot),
      flags & ~EntryFlags.derived == EntryFlags.appearing || !(isFull || isSnapshot)
    else { throw .contradictoryEntry(id: id, mask: mask, flags: flags) }
    if start.hasPart { part = ElementPart(rawValue: try c.number(0, "part")) }
    for place in 0..<16 {
      let entry = MatrixMask.entry(at: place)
      guard mask &>> UInt16(entry) & 1 != 0 else { continue }
      matrix[entry] = try c.float(Float(0), "matrix")
    }
    matrixMask = mask
    DerivedEntries.derive(flags, &matrixMask, in: &matrix)
    if flags & EntryFlags.opacity != 0 { opacity = try c.number(0, "opacity") }
    if flags & EntryFlags.shade != 0 { shade = try c.number(0, "shade") }
    if flags & EntryFlags.z != 0 { z = try c.number(0, "z") }
  }
}

extension [UInt8] {
  /// Appends an entry; the matrix entries that are known are correct, also if they did not change.
  mutating func appendEntry(_ entry: FrameEntry, known: UInt16, _ heads: inout EntryHeads) {
    let sent = DerivedEntries(sending: entry.matrixMask, of: entry.matrix, known: known)
    var flags = sent.flags
    if entry.opacity != nil { flags |= EntryFlags.opacity }
    if entry.shade != nil { flags |= EntryFlags.shade }
    if entry.z != nil { flags |= EntryFlags.z }
    if entry.isHidden { flags |= EntryFlags.hidden }
    if entry.isFull { flags |= EntryFlags.full }
    let head = EntryHead(mask: sent.mask, flags: flags)
    let (number, code) = heads.next(entry.id, entry.part, head)
    appendGroups(number)
    if code == .new {
      appendGroups(UInt64(MatrixMask.wire(sent.mask)))
      append(flags)
    }
    if entry.part != .whole { append(entry.part.rawValue) }
    if sent.mask != 0 {
      for place in 0..<16 {
        let index = MatrixMask.entry(at: place)
        if sent.mask &>> UInt16(index) & 1 != 0 { append32(entry.matrix[index].bitPattern) }
      }
    }
    if let opacity = entry.opacity { append16(opacity) }
    if let shade = entry.shade { append16(shade) }
    if let z = entry.z { append16(UInt16(bitPattern: z)) }
  }
}

/// The flags of an entry.
enum EntryFlags {
  static let opacity: UInt8 = 1
  static let shade: UInt8 = 2
  static let z: UInt8 = 4
  static let hidden: UInt8 = 8
  static let full: UInt8 = 16
  /// Row 3 follows from row 1, as in a turn about the y axis.
  static let turn: UInt8 = 32
  /// Column 4 follows from column 3, by the perspective.
  static let perspective: UInt8 = 64
  /// The flags of ``DerivedEntries``.
  static let derived = turn | perspective
  static let known: UInt8 = 127
  /// The flags of an element that appears.
  static let appearing = full | opacity | shade | z
}

/// The byte of a frame that holds its screen and whether it is at rest.
enum FrameState {
  private static let settled: UInt8 = 1

  static func byte(_ screen: Screen, isSettled: Bool) -> UInt8 {
    screen.rawValue &<< 1 | (isSettled ? settled : 0)
  }

  /// Returns the screen, which may be unknown, and whether the frame is at rest.
  static func parts(of byte: UInt8) -> (screen: Screen?, isSettled: Bool) {
    (Screen(rawValue: byte &>> 1), byte & settled != 0)
  }
}
