package import Motion
package import Scene

/// A message from a client to the server.
package enum ClientMessage: Equatable, Sendable {
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
package struct ClientPacket: Equatable, Sendable {
  /// The message.
  package var message: ClientMessage
  /// The number of the last ``RoleEvent``; 0 before the first one, and in messages that carry none.
  package var role: UInt16

  /// Creates a packet.
  package init(_ message: ClientMessage, role: UInt16 = 0) {
    self.message = message
    self.role = role
  }
}

/// How frames arrived at a page, and how well it kept time, since the last ack.
package struct Ack: Equatable, Sendable {
  /// The number of the last frame applied.
  package var frame: UInt32
  /// How long after its time the latest driven frame arrived, in seconds; negative if before.
  package var lateness: Double
  /// The time between the frame that was shown and the frame that was due, 95th percentile, in
  /// seconds.
  package var syncError: Double
  /// The shortest recent round trip, in seconds.
  package var roundTrip: Double

  /// Creates an ack.
  package init(frame: UInt32, lateness: Double, syncError: Double, roundTrip: Double) {
    self.frame = frame
    self.lateness = lateness
    self.syncError = syncError
    self.roundTrip = roundTrip
  }
}

/// The first message of a client.
package struct Hello: Equatable, Sendable {
  /// The room to join; empty for a new one, or for the room of a code.
  package var room: String
  /// A link's secret, a room's six-letter code, or the library's key; empty for none.
  package var key: String
  /// The token of the last welcome, to rejoin as the same member; empty for none.
  package var resume: String
  /// The secret that identifies the reader; empty for a new reader.
  package var reader: String
  /// The name and the colour that the others see.
  package var persona: Persona
  /// The window's size and pixel ratio.
  package var viewport: Viewport
  /// Whether the reader prefers reduced motion.
  package var reducesMotion: Bool
  /// Whether the page reports decoded images, so that a leaf may wait for them.
  package var reportsImages: Bool
  /// Whether the page joins another window of its reader instead of having a stage of its own.
  package var sharesStage: Bool

  /// Creates a hello.
  package init(
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
  package static func isRoomName(_ name: String) -> Bool {
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
package struct Pointers: Equatable, Sendable {
  /// The server's time at the sender's next vsync, in seconds; 0 while it is unknown.
  package var target: Double
  /// The samples; at most ``WireLimits/pointerSamples``.
  package var samples: Few<PointerSample>

  /// Creates a message with samples.
  package init(target: Double, samples: [PointerSample] = []) {
    self.target = target
    self.samples = Few(samples)
  }
}

/// The state of one pointer at a time.
package struct PointerSample: Equatable, Sendable {
  /// The number that distinguishes fingers while they are down.
  package var id: UInt8
  /// The phase, such as down or move.
  package var phase: PointerPhase
  /// The age of the sample when it was sent, in seconds, with a resolution of 0.1 ms.
  package var ageSeconds: Double
  /// The distance from the viewport's left edge, in CSS pixels.
  package var x: Double
  /// The distance from the viewport's upper edge, in CSS pixels.
  package var y: Double

  /// Creates a sample.
  package init(id: UInt8, phase: PointerPhase, ageSeconds: Double = 0, x: Double, y: Double) {
    self.id = id
    self.phase = phase
    self.ageSeconds = ageSeconds
    self.x = x
    self.y = y
  }
}
