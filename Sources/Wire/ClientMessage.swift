public import Geometry
public import Scene

/// The type bytes of the messages from client to server.
enum ClientType: UInt8 {
  case hello = 0x01
  case pointers, wheel, key, viewport, clock, zoom, visibility
  case ready, jump, go, arrange, lay, zoomStep
  case persona, ack, point, raise, wander, handover
  case share, settings, renewLinks, endReading, showOut, grant, record, open, play
  case bring = 0x1f
  case lowerHand
  case fit

  /// Whether the message acts in a role and carries its number.
  var carriesRole: Bool {
    switch self {
    case .pointers, .wheel, .key, .zoom, .jump, .go, .arrange, .lay, .zoomStep, .point: true
    default: false
    }
  }
}

/// A message from a client to the server.
public enum ClientMessage: Equatable, Sendable {
  /// The first message, sent once.
  case hello(Hello)
  /// The pointer samples since the last message; without samples it only requests a driven frame.
  case pointers(Pointers)
  /// A wheel notch or trackpad step, in CSS pixels, at a point of the viewport.
  case wheel(dx: Double, dy: Double, at: Point, ctrl: Bool)
  /// A key that was pressed.
  case key(Key)
  /// The size of the window, and whether the reader prefers reduced motion.
  case viewport(Viewport, reducesMotion: Bool)
  /// Requests the server's time; the answer repeats the client's time.
  case clock(clientTime: Double)
  /// Safari's gesture events: the scale since they began, and the middle of the fingers in the
  /// viewport.
  case zoom(GesturePhase, scale: Double, at: Point)
  /// Whether the page is visible; a visible page requests a snapshot.
  case visibility(isVisible: Bool)
  /// Reports elements whose images are decoded, or failed for good; at most
  /// ``WireLimits/readyElements``.
  case ready([UInt64])
  /// Turns one leaf of the open book to the spread of a page, counted from 0.
  case jump(page: UInt32)
  /// Goes to a book from any state of the stage, and optionally opens it at a page.
  case go(book: String, opens: Bool, page: UInt32?)
  /// Changes the arrangement of the room's library.
  case arrange(Arrangement)
  /// Lays the open book flat or stands it up.
  case lay(LayOrder)
  /// Zooms by a factor about a point of the viewport; nil zooms back to the whole stage.
  case zoomStep(factor: Double?, at: Point)
  /// Changes the sender's name or colour.
  case persona(Persona)
  /// Reports how the frames of the last half second arrived.
  case ack(Ack)
  /// Points at a position of the viewport, in CSS pixels; nil stops pointing.
  case point(at: Point?)
  /// Raises or lowers the hand.
  case raise(Bool)
  /// Reads on alone, or catches up with the others.
  case wander(Bool)
  /// Requests, offers, passes on or takes the book, or answers such a request or offer.
  case handover(Handover)
  /// Shares the room, or requests its links and a new code again.
  case share
  /// Changes the settings of the room.
  case settings(RoomSettings)
  /// Replaces all links; the old ones stop working.
  case renewLinks
  /// Ends the sharing for all other members.
  case endReading
  /// Removes a member.
  case showOut(UInt32)
  /// Changes a member's grant.
  case grant(UInt32, Grant)
  /// Starts or ends a recording of the room.
  case record(Bool)
  /// Plays a recording, by its id.
  case open(recording: String)
  /// Controls the recording that is being played.
  case play(PlaybackOrder)
  /// Makes a book, by its id, the one that everybody reads; nil reads on alone in another.
  case bring(book: String?)
  /// Lowers a member's hand.
  case lowerHand(UInt32)
  /// Changes how the sender's window shows the pages of the flat book that is open.
  case fit(Fit)
}

/// A message with the number of the sender's role when it was sent.
public struct ClientPacket: Equatable, Sendable {
  /// The message.
  public var message: ClientMessage
  /// The number of the last ``RoleEvent``; 0 before the first one, and in messages that carry none.
  public var role: UInt16

  /// Creates a packet.
  public init(_ message: ClientMessage, role: UInt16 = 0) {
    self.message = message
    self.role = role
  }
}

/// How frames arrived at a page, and how well it kept time, since the last ack.
public struct Ack: Equatable, Sendable {
  /// The number of the last frame applied.
  public var frame: UInt32
  /// How long after its time the latest driven frame arrived, in seconds; negative if before.
  public var lateness: Double
  /// The time between the frame that was shown and the frame that was due, 95th percentile, in
  /// seconds.
  public var syncError: Double
  /// The shortest recent round trip, in seconds.
  public var roundTrip: Double

  /// Creates an ack.
  public init(frame: UInt32, lateness: Double, syncError: Double, roundTrip: Double) {
    self.frame = frame
    self.lateness = lateness
    self.syncError = syncError
    self.roundTrip = roundTrip
  }
}

/// The first message of a client.
public struct Hello: Equatable, Sendable {
  /// The room to join; empty for a new one, or for the room of a code.
  public var room: String
  /// A link's secret, a room's six-letter code, or the library's key; empty for none.
  public var key: String
  /// The token of the last welcome, to rejoin as the same member; empty for none.
  public var resume: String
  /// The secret that identifies the reader; empty for a new reader.
  public var reader: String
  /// The name and the colour that the others see.
  public var persona: Persona
  /// The window's size and pixel ratio.
  public var viewport: Viewport
  /// Whether the reader prefers reduced motion.
  public var reducesMotion: Bool
  /// Whether the page reports decoded images, so that a leaf may wait for them.
  public var reportsImages: Bool
  /// Whether the page joins another window of its reader instead of having a stage of its own.
  public var sharesStage: Bool

  /// Creates a hello.
  public init(
    room: String = "",
    key: String = "",
    resume: String = "",
    reader: String = "",
    persona: Persona = Persona(),
    viewport: Viewport,
    reducesMotion: Bool = false,
    reportsImages: Bool = false,
    sharesStage: Bool = false
  ) {
    self.key = key
    self.resume = resume
    self.reader = reader
    self.persona = persona
    self.reportsImages = reportsImages
    self.sharesStage = sharesStage
    self.room = room
    self.viewport = viewport
    self.reducesMotion = reducesMotion
  }

  /// Returns whether a name can be that of a room: 1 to 32 ASCII letters, digits and hyphens.
  public static func isRoomName(_ name: String) -> Bool {
    let bytes = name.utf8
    return !bytes.isEmpty && bytes.count <= WireLimits.roomNameBytes
      && bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
        default: false
        }
      }
  }
}

/// The pointer samples of one member, oldest first.
public struct Pointers: Equatable, Sendable {
  /// The server's time at the sender's next vsync, in seconds; 0 while it is unknown.
  public var target: Double
  /// The samples; at most ``WireLimits/pointerSamples``.
  public var samples: Few<PointerSample>

  /// Creates a message with samples.
  public init(target: Double, samples: [PointerSample] = []) {
    self.target = target
    self.samples = Few(samples)
  }
}

/// The state of one pointer at a time.
public struct PointerSample: Equatable, Sendable {
  /// The number that distinguishes fingers while they are down.
  public var id: UInt8
  /// The phase, such as down or move.
  public var phase: PointerPhase
  /// The age of the sample when it was sent, in seconds, with a resolution of 0.1 ms.
  public var ageSeconds: Double
  /// The distance from the viewport's left edge, in CSS pixels.
  public var x: Double
  /// The distance from the viewport's upper edge, in CSS pixels.
  public var y: Double

  /// Creates a sample.
  public init(id: UInt8, phase: PointerPhase, ageSeconds: Double = 0, x: Double, y: Double) {
    self.id = id
    self.phase = phase
    self.ageSeconds = ageSeconds
    self.x = x
    self.y = y
  }
}
