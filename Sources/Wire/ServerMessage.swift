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
  case elements, snapshot, delta, batch, camera, clock, error, caption
}

/// What the server says to a client.
public enum ServerMessage: Equatable, Sendable {
  /// The answer to hello.
  case welcome(Welcome)
  /// Introduces elements or replaces them.
  case elements([WireElement])
  /// A whole frame; it discards every queued one.
  case snapshot(FrameUpdate)
  /// What differs from the frame before.
  case delta(FrameUpdate)
  /// Deltas ahead of their time.
  case batch([FrameUpdate])
  /// The matrix of the stage's root for this member alone.
  case camera(WireMatrix)
  /// The answer to a clock message.
  case clock(clientTime: Double, serverTime: Double)
  /// What was wrong with a message and what to do; the code is a ``CloseCode``'s.
  case error(code: UInt16, message: String)
  /// The words above the stage.
  case caption(Caption)
}

/// The answer to hello.
public struct Welcome: Equatable, Sendable {
  /// The room, also when the server chose it.
  public var room: String
  /// This member's number, unique in the room.
  public var memberID: UInt32
  /// The server's clock, in seconds.
  public var serverTime: Double

  /// Creates a welcome.
  public init(room: String, memberID: UInt32, serverTime: Double) {
    self.room = room
    self.memberID = memberID
    self.serverTime = serverTime
  }
}

/// An element as a client knows it.
public struct WireElement: Equatable, Sendable {
  /// The number that frames use for it.
  public var id: UInt16
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

  /// Rounds an element to wire precision and gives it its number.
  public init(_ element: Element, id: UInt16) {
    self.id = id
    kind = element.key.kind
    index = UInt32(clamping: element.key.index)
    side = element.side
    width = Float(element.size.width)
    height = Float(element.size.height)
    cornerRadius = Float(element.cornerRadius)
    imageURL = element.imageURL
    title = element.title
    subtitle = element.subtitle
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

  /// Creates a caption.
  public init(
    screen: Screen,
    index: UInt32,
    count: UInt32,
    heading: String,
    title: String,
    detail: String
  ) {
    self.screen = screen
    self.index = index
    self.count = count
    self.heading = heading
    self.title = title
    self.detail = detail
  }
}
