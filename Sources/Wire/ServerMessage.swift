public import Geometry
public import Scene

/// A matrix as it is on the wire: its sixteen entries, row by row, as Float32.
public typealias WireMatrix = SIMD16<Float>

extension WireMatrix {
  /// The matrix that moves nothing.
  public static let identity = WireMatrix(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

  /// Rounds a matrix to wire precision.
  public init(_ m: Transform3D) {
    // swift-format-ignore
    self.init(
      Float(m.m11), Float(m.m12), Float(m.m13), Float(m.m14),
      Float(m.m21), Float(m.m22), Float(m.m23), Float(m.m24),
      Float(m.m31), Float(m.m32), Float(m.m33), Float(m.m34),
      Float(m.m41), Float(m.m42), Float(m.m43), Float(m.m44))
    // A sine of -0 is no change worth four bytes.
    self += WireMatrix(repeating: 0)
  }
}

/// The type bytes of the messages from server to client.
enum ServerType: UInt8 {
  case welcome = 0x81
  case elements, snapshot, delta, batch, camera, clock, error, caption, cameras
  case role, room, people, pointer, place, links, sync, goodbye, playback, retired
}

/// What the server says to a client.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to hello.
  case welcome(Welcome)
  /// Introduces elements or replaces them.
  case elements([WireElement])
  /// Elements that are introduced again before a frame shows them, by their numbers.
  case retired([UInt64])
  /// A whole frame; it discards every queued one.
  case snapshot(FrameUpdate)
  /// What differs from the frame before.
  case delta(FrameUpdate)
  /// Deltas ahead of their time.
  case batch([FrameUpdate])
  /// The matrix of the stage's root for this member alone.
  case camera(WireMatrix)
  /// A flight of this member's camera, ahead of its time; a camera message recalls it.
  case cameras([TimedCamera])
  /// The answer to a clock message.
  case clock(clientTime: Double, serverTime: Double)
  /// What was wrong with a message and what to do; the code is a ``CloseCode``'s.
  case error(code: UInt16, message: String)
  /// The words above the stage.
  case caption(Caption)
  /// What this member is now and may do.
  case role(RoleEvent)
  /// How the room stands.
  case room(RoomEvent)
  /// Who is in the room.
  case people(PeopleEvent)
  /// Where somebody points.
  case pointer(PointerEvent)
  /// Where the others read, to one who wanders.
  case place(PlaceEvent)
  /// The room's links, to a host.
  case links(LinksEvent)
  /// How well the members keep time, to who leads.
  case sync([SyncEvent])
  /// The server is about to go; come back after so many seconds.
  case goodbye(comeBackAfter: Double)
  /// How the recording stands that is played; nil when it was put away.
  case playback(PlaybackEvent?)
}

/// The answer to hello.
public struct Welcome: Equatable, Sendable {
  /// The room, also when the server chose it.
  public var room: String
  /// This member's number, unique in the room.
  public var memberID: UInt32
  /// The server's clock, in seconds.
  public var serverTime: Double
  /// What hello takes, for a minute after the connection was lost, to be the same member again.
  public var resume: String
  /// What opens the room later, if the member came by a code; else empty.
  public var key: String
  /// The reader's new secret, if hello carried none that is good; else empty.
  public var reader: String
  /// What the addresses of pictures and books carry in their query, as `pass=`.
  ///
  /// It is the same for a reader whenever it comes. In a library with a key it opens the books that
  /// the member sees, for as long as it is one.
  public var pass: String

  /// Creates a welcome.
  public init(
    room: String,
    memberID: UInt32,
    serverTime: Double,
    resume: String = "",
    key: String = "",
    reader: String = "",
    pass: String = ""
  ) {
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
public struct WireElement: Equatable, Sendable {
  /// Its number, see ``ElementKey/number``.
  public var id: UInt64
  /// The kind of thing.
  public var kind: ElementKind
  /// The index within the kind.
  public var index: UInt32
  /// Where it is fastened.
  public var side: ElementSide
  /// Across, in stage points.
  public var width: Float
  /// Down, in stage points.
  public var height: Float
  /// The radius of the outer corners in stage points.
  public var cornerRadius: Float
  /// The image's address, site-absolute; empty for blank paper.
  public var imageURL: String
  /// The title, plain text.
  public var title: String
  /// The second line, plain text.
  public var subtitle: String

  /// Rounds an element to wire precision.
  public init(_ element: Element) {
    id = element.key.number
    kind = element.key.kind
    index = UInt32(clamping: element.index)
    side = element.side
    width = Float(element.size.width)
    height = Float(element.size.height)
    cornerRadius = Float(element.cornerRadius)
    imageURL = element.imageURL
    title = element.title
    subtitle = element.subtitle
  }
}

/// A camera and when it shall look.
public struct TimedCamera: Equatable, Sendable {
  /// Seconds of the server's clock.
  public var time: Double
  /// The matrix of the stage's root.
  public var matrix: WireMatrix

  /// Creates a timed camera.
  public init(time: Double, matrix: WireMatrix) {
    self.time = time
    self.matrix = matrix
  }
}

/// The words above the stage.
public struct Caption: Equatable, Sendable {
  /// The screen it belongs to.
  public var screen: Screen
  /// Where the reader is, from 0: the collection, the book, the page.
  public var index: UInt32
  /// How many there are.
  public var count: UInt32
  /// The collection's title.
  public var heading: String
  /// The book's title.
  public var title: String
  /// What more there is to say, such as "Pages 4-5 of 32".
  public var detail: String
  /// The id of the book that is open or in the middle of the shelf; empty if there is none.
  public var book: String
  /// What is the case.
  public var flags: CaptionFlags
  /// The first page of the open spread, from 0; 0 if no book is open.
  public var page: UInt32
  /// How the room's library is laid out.
  public var arrangement: Arrangement
  /// The index of the first element of the open spread; 0 if no book is open.
  public var face: UInt32
  /// What the first page of the open spread is called: "4", "xii"; empty if no book is open.
  public var label: String

  /// Creates a caption.
  public init(
    screen: Screen,
    index: UInt32,
    count: UInt32,
    heading: String,
    title: String,
    detail: String,
    book: String = "",
    flags: CaptionFlags = [],
    page: UInt32 = 0,
    arrangement: Arrangement = Arrangement(),
    face: UInt32 = 0,
    label: String = ""
  ) {
    self.face = face
    self.label = label
    self.book = book
    self.flags = flags
    self.page = page
    self.arrangement = arrangement
    self.screen = screen
    self.index = index
    self.count = count
    self.heading = heading
    self.title = title
    self.detail = detail
  }
}

/// What a caption says beside its words.
public struct CaptionFlags: OptionSet, Equatable, Sendable {
  /// The bits of the wire.
  public let rawValue: UInt16

  /// The open book lies flat, or is on its way there.
  public static let isFlat = CaptionFlags(rawValue: 1)
  /// A leaf waits at the gutter for images.
  public static let waitsForImages = CaptionFlags(rawValue: 2)
  /// The filter of the arrangement finds no book.
  public static let findsNothing = CaptionFlags(rawValue: 8)

  /// The book in the middle of the shelf was left open: opening it goes on there.
  public static let isBegun = CaptionFlags(rawValue: 16)

  /// All that have a meaning.
  static let known: CaptionFlags = [.isFlat, .waitsForImages, .findsNothing, .isBegun]

  /// Takes the bits of the wire.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}
