internal import Bytes
internal import Motion
internal import Notices
internal import Scene

/// A coder of the messages between clients and server.
typealias WireCoder = ByteCoder<WireError>

extension WireCoder {
  /// Codes the number of an element, of at most 52 bits.
  mutating func id(_ id: UInt64, _ field: String = "id") throws(WireError) -> UInt64 {
    try groups(id, field, limit: ElementNumbers.max)
  }

  /// Codes the numbers of elements.
  mutating func ids<Count: FixedWidthInteger & BitwiseCopyable>(
    _ ids: [UInt64],
    _ field: String,
    _ type: Count.Type,
    limit: Int = .max
  ) throws(WireError) -> [UInt64] {
    try list(ids, field, type, limit: limit, bytesEach: 1, blank: 0) {
      c,
      id throws(WireError) in try c.id(id)
    }
  }

  /// Codes a text, which follows its length.
  ///
  /// A writer truncates a text that is too long for any field between two characters; a reader
  /// rejects a text that is too long for this field.
  mutating func string(
    _ text: String,
    _ field: String,
    limit: Int = WireLimits.textBytes
  ) throws(WireError) -> String {
    let isLong = text.utf8.count > WireLimits.textBytes
    let text = isLong ? String(text.prefix(bytes: WireLimits.textBytes)) : text
    let count = Int(try number(UInt16(truncatingIfNeeded: text.utf8.count), field))
    try check(
      count <= limit,
      .bytes(.tooMany(field: "bytes of \(field)", count: count, limit: limit))
    )
    return try utf8(text, field, count: count)
  }

  /// Codes a set, in which the number of each item is that of its bit; a reader ignores unknown
  /// items.
  mutating func set<Items: OptionSet>(
    _ items: Items,
    _ field: String,
    known: Items
  ) throws(WireError) -> Items where Items.RawValue: FixedWidthInteger {
    var rest = items.rawValue
    var bits: Items.RawValue = 0
    for _ in 0..<(try number(UInt8(truncatingIfNeeded: rest.nonzeroBitCount), field)) {
      let item = try number(UInt8(truncatingIfNeeded: rest.trailingZeroBitCount), field)
      if item < Items.RawValue.bitWidth { bits |= 1 &<< Items.RawValue(item) }
      rest &= rest &- 1
    }
    return Items(rawValue: bits & known.rawValue)
  }

  mutating func coordinate(_ value: Double, _ field: String) throws(WireError) -> Double {
    try float(value, field, -WireLimits.coordinate, WireLimits.coordinate)
  }

  mutating func point(_ point: Point) throws(WireError) -> Point {
    try Point(x: coordinate(point.x, "x"), y: coordinate(point.y, "y"))
  }

  mutating func viewport(_ viewport: Viewport) throws(WireError) -> Viewport {
    let width = try float(viewport.size.width, "width", 1, WireLimits.viewportSide)
    let height = try float(viewport.size.height, "height", 1, WireLimits.viewportSide)
    let most = WireLimits.pixelRatio
    let pixelRatio = try float(viewport.pixelRatio, "pixelRatio", 1 / most, most)
    return Viewport(size: Size(width: width, height: height), pixelRatio: pixelRatio)
  }

  /// Codes a message to a person; a reader makes one with an unknown code say that code.
  mutating func notice(_ notice: Notice) throws(WireError) -> Notice {
    let name = try string(notice.code.name, "code")
    let values = try list(
      notice.values.sorted { $0.key < $1.key },
      "values",
      UInt8.self,
      bytesEach: 4,
      blank: (key: "", value: "")
    ) { c, value throws(WireError) in
      (key: try c.string(value.key, "name"), value: try c.string(value.value, "value"))
    }
    guard let code = Notice.Code(name: name) else { return Notice(other: name) }
    return Notice(code, Dictionary(values.map { ($0.key, $0.value) }) { $1 })
  }

  mutating func range(_ range: PageRange) throws(WireError) -> PageRange {
    let labels = try list(
      range.labels,
      "labels",
      UInt8.self,
      limit: WireLimits.spreadPages,
      bytesEach: 2,
      blank: ""
    ) { c, label throws(WireError) in try c.string(label, "label") }
    return PageRange(labels: labels, total: try string(range.total, "total"))
  }

  mutating func matrix(_ matrix: WireMatrix) throws(WireError) -> WireMatrix {
    var matrix = matrix
    for k in 0..<16 { matrix[k] = try float(matrix[k], "matrix") }
    return matrix
  }

  mutating func persona(_ persona: Persona) throws(WireError) -> Persona {
    let name = try string(persona.name, "name", limit: WireLimits.nameBytes)
    let colour = try number(persona.colour ?? 255, "colour")
    try check(
      colour < Persona.colourCount || colour == 255,
      .bytes(.unknownValue(field: "colour", value: colour))
    )
    return Persona(name: name, colour: colour == 255 ? nil : colour)
  }

  mutating func settings(_ settings: RoomSettings) throws(WireError) -> RoomSettings {
    let policy = try choice(settings.policy, "policy")
    var choices: RoomChoices = settings.isLocked ? .isLocked : []
    if settings.mayWander { choices.insert(.mayWander) }
    if settings.sharesShelf { choices.insert(.sharesShelf) }
    choices = try set(choices, "settings", known: .known)
    return RoomSettings(
      policy: policy,
      isLocked: choices.contains(.isLocked),
      mayWander: choices.contains(.mayWander),
      sharesShelf: choices.contains(.sharesShelf)
    )
  }
}

/// The settings of a room besides its policy; an item's number on the wire is that of its bit.
private struct RoomChoices: OptionSet {
  let rawValue: UInt8

  static let isLocked = RoomChoices(rawValue: 1)
  static let mayWander = RoomChoices(rawValue: 2)
  static let sharesShelf = RoomChoices(rawValue: 4)
  static let known: RoomChoices = [.isLocked, .mayWander, .sharesShelf]
}

extension String {
  /// Returns the longest prefix within a number of bytes of UTF-8 that ends between two characters.
  ///
  /// If the first character alone is longer, it is cut between its scalars.
  func prefix(bytes limit: Int) -> Substring {
    let prefix = self.prefix(indices: indices, bytes: limit) { self[$0].utf8.count }
    guard prefix.isEmpty else { return prefix }
    return self.prefix(indices: unicodeScalars.indices, bytes: limit) {
      unicodeScalars[$0].utf8.count
    }
  }

  private func prefix(
    indices: some Sequence<Index>,
    bytes limit: Int,
    _ count: (Index) -> Int
  ) -> Substring {
    var bytes = 0
    for index in indices {
      bytes += count(index)
      if bytes > limit { return self[..<index] }
    }
    return self[...]
  }
}
