package import Motion
package import Notices
package import Scene

/// A matrix on the wire: its sixteen entries, row by row, as Float32.
package typealias WireMatrix = SIMD16<Float>

extension WireMatrix {
  /// The identity matrix.
  package static let identity = WireMatrix(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

  /// Rounds a matrix to wire precision.
  ///
  /// Where column 4 is the perspective of column 3, it also is that of the rounded column 3, so
  /// that a message can omit it. This changes an entry by its last bit at most.
  package init(_ m: Transform3D) {
    // swift-format-ignore
    self.init(
      Float(m.m11), Float(m.m12), Float(m.m13), Float(m.m14),
      Float(m.m21), Float(m.m22), Float(m.m23), Float(m.m24),
      Float(m.m31), Float(m.m32), Float(m.m33), Float(m.m34),
      Float(m.m41), Float(m.m42), Float(m.m43), Float(m.m44))
    // A sine of -0 is not a change worth four bytes.
    self += WireMatrix(repeating: 0)
    self[3] = Self.perspective(m.m14, of: m.m13, self[3], of: self[2])
    self[7] = Self.perspective(m.m24, of: m.m23, self[7], of: self[6])
    self[11] = Self.perspective(m.m34, of: m.m33, self[11], of: self[10])
    self[15] = Self.perspective(m.m44, of: m.m43, self[15], of: self[14], plus: 1)
  }

  /// Returns the rounded entry of column 4: the perspective of the rounded depth if the entry is
  /// that of the depth.
  private static func perspective(
    _ entry: Double,
    of depth: Double,
    _ rounded: Float,
    of roundedDepth: Float,
    plus unit: Double = 0
  ) -> Float {
    let exact = unit + depth * Perspective.m34
    // Sums and products in another order differ in the last bits.
    guard abs(entry - exact) <= abs(exact) * 0x1p-40 else { return rounded }
    return perspective(of: roundedDepth, plus: unit)
  }
}

/// A message from the server to a client.
package enum ServerMessage: Equatable, Sendable {
  /// The answer to hello.
  case welcome(Welcome)
  /// Introduces elements or replaces them.
  case elements([WireElement])
  /// Retires elements by number; they are introduced again before a frame shows them.
  case retired([UInt64])
  /// A whole frame, which discards every queued one.
  case snapshot(FrameUpdate)
  /// The differences from the previous frame.
  case delta(FrameUpdate)
  /// Deltas that are sent ahead of their time.
  case batch([FrameUpdate])
  /// The matrix of the stage's root for this member alone.
  case camera(WireMatrix)
  /// A flight of this member's camera, sent ahead of its time; a camera message cancels it.
  case cameras([TimedCamera])
  /// What this member's window shows of the stage without its zoom.
  case framing(FramingEvent)
  /// Another pass, which replaces that of ``Welcome/pass``.
  case pass(String)
  /// The answer to a clock message.
  case clock(clientTime: Double, serverTime: Double)
  /// What is wrong and what to do; the code is a ``CloseCode``, or 0 if the message was correct, or
  /// 1 for what others have done.
  case error(code: UInt16, Notice)
  /// The state of the stage.
  case caption(Caption)
  /// The role and rights of this member.
  case role(RoleEvent)
  /// The state of the room.
  case room(RoomEvent)
  /// The members of the room.
  case people(PeopleEvent)
  /// The pointer of a member.
  case pointer(PointerEvent)
  /// Where the other members read, for a member that wanders.
  case place(PlaceEvent)
  /// The links of the room, for a host.
  case links(LinksEvent)
  /// How well the members keep time, for the presenter and for hosts.
  case sync([SyncEvent])
  /// The server is about to shut down; reconnect after this many seconds.
  case goodbye(comeBackAfter: Double)
  /// The state of the recording that is being played; nil when it was closed.
  case playback(PlaybackEvent?)
}

/// The answer to hello.
package struct Welcome: Equatable, Sendable {
  /// The room, even if the server chose it.
  package var room: String
  /// This member's id, unique in the room.
  package var memberID: UInt32
  /// The server's clock, in seconds.
  package var serverTime: Double
  /// The token with which a later hello rejoins as the same member, for a minute after the
  /// connection was lost.
  package var resume: String
  /// The secret that opens the room later, if the member joined with a code; otherwise empty.
  package var key: String
  /// The reader's new secret, if hello carried no valid one; otherwise empty.
  package var reader: String
  /// The pass, which requests for images and books show until another one comes.
  ///
  /// If the library has a key, the pass opens the books that the member is shown for a short time.
  package var pass: String
  /// The numbering of elements: while it is the same, an id refers to the same element in this
  /// room, even after the connection was lost.
  package var numbering: UInt32

  /// Creates a welcome.
  package init(
    room: String,
    memberID: UInt32,
    serverTime: Double,
    resume: String = "",
    key: String = "",
    reader: String = "",
    pass: String = "",
    numbering: UInt32 = 0
  ) {
    self.numbering = numbering
    self.resume = resume
    self.key = key
    self.reader = reader
    self.pass = pass
    self.room = room
    self.memberID = memberID
    self.serverTime = serverTime
  }
}

/// An element as a client knows it.
package struct WireElement: Equatable, Sendable {
  /// The number; see ``ElementKey/number``.
  package var id: UInt64
  /// The kind, such as a cover or a page.
  package var kind: ElementKind
  /// The index within the kind.
  package var index: UInt32
  /// The side at which it is attached.
  package var side: ElementSide
  /// The paper stock.
  package var stock: PaperStock
  /// The width in stage points.
  package var width: Float
  /// The height in stage points.
  package var height: Float
  /// The radius of the outer corners in stage points.
  package var cornerRadius: Float
  /// The image's address, site-absolute; empty for blank paper.
  package var imageURL: String
  /// The title, plain text; for a page, its label.
  package var title: String
  /// The author of a book, plain text.
  package var author: String
  /// See ``Element/count``.
  package var count: UInt32
}

extension WireElement {
  /// Rounds an element to wire precision.
  package init(_ element: Element) {
    self.init(
      id: element.key.number,
      kind: element.key.kind,
      index: UInt32(clamping: element.index),
      side: element.side,
      stock: element.stock,
      width: Float(element.size.width),
      height: Float(element.size.height),
      cornerRadius: Float(element.cornerRadius),
      imageURL: element.imageURL,
      title: element.title,
      author: element.author,
      count: UInt32(clamping: element.count)
    )
  }
}

/// What a member's window shows of the stage without its zoom.
package struct FramingEvent: Equatable, Sendable {
  /// The pages of the open book that the window shows.
  package enum Pages: UInt8, Sendable {
    /// The whole spread, or no book is open.
    case all
    /// The page to the left of the spine, and the one to its right.
    case left, right
  }

  /// The pages of the open book that the window shows.
  package var pages: Pages
  /// The number of CSS pixels per stage point at rest.
  package var scale: Float
  /// The shown page; without labels if ``pages`` is `all`, too.
  package var range: PageRange

  /// Creates a framing.
  package init(pages: Pages, scale: Float, range: PageRange = PageRange()) {
    self.pages = pages
    self.scale = scale
    self.range = range
  }
}

/// A camera and the time at which it applies.
package struct TimedCamera: Equatable, Sendable {
  /// The time, in seconds of the server's clock.
  package var time: Double
  /// The matrix of the stage's root.
  package var matrix: WireMatrix

  /// Creates a timed camera.
  package init(time: Double, matrix: WireMatrix) {
    self.time = time
    self.matrix = matrix
  }
}
