public import Scene

/// One connection in a room.
public struct MemberID: Hashable, Sendable {
  /// The number, unique as long as the process lives.
  public let rawValue: UInt32

  /// Creates an identity.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// Something only a host may do.
public enum HostAct: Equatable, Sendable {
  /// Share the room, or have its links told again.
  case share
  /// Decide how it is read.
  case settings
  /// Give new links in the place of those before.
  case renewLinks
  /// End the reading for all others.
  case end
  /// Show a member out.
  case showOut(MemberID)
  /// Let a member do what a grant allows.
  case grant(MemberID, Grant)
  /// Begin or end a recording.
  case record(Bool)
  /// Play a recording.
  case play(String)
}

/// What a room wants done: written into by the room, carried out by whoever holds the sockets.
///
/// One value is used again and again; its bytes keep their capacity, so that the path of a frame
/// allocates nothing.
public struct Effects: Sendable {
  /// One thing to do; ranges are places in ``bytes``.
  public enum Effect: Equatable, Sendable {
    /// Send a message to each member in ``recipients`` of the range; who refuses it is told to
    /// ``RoomRegistry/refused(_:introduction:now:)``. An introduction names elements by ids.
    case broadcast(message: Range<Int>, recipients: Range<Int>, introduction: Bool)
    /// Send a message to one member; if it refuses, later, but before all that follows.
    case send(message: Range<Int>, to: MemberID)
    /// Close a connection with a code of the wire's table.
    case close(MemberID, code: UInt16, reason: String)
    /// Keep where a reader left a book.
    case keepPlace(BookPlace, of: ReaderID)
    /// Keep that a reader is here, in a room of its own.
    case keepReader(ReaderID, room: String)
    /// Note that a room was made, with its books where they were left before, and of another
    /// library than the first, if it has changed.
    case noteOpening(
      places: [BookPlace],
      library: LibraryOutline?,
      room: String,
      time: Double
    )
    /// Arrange a library, away from the thread that sends frames, and give it to
    /// ``RoomRegistry/take(_:for:room:reader:now:into:)``; the reader is the member that reads on a
    /// stage of its own, nil for the room's.
    case arrange(ArrangementRequest, room: String, reader: MemberID?)
    /// Note that a room's library was exchanged.
    case noteLibrary(LibraryOutline, room: String, time: Double)
    /// A book was opened in a room.
    case bookOpened(book: String, room: String)
    /// Note an input that the stage took.
    case noteInput(Input, room: String, time: Double)
    /// Note a frame that was sent.
    case noteFrame(room: String, time: Double)
    /// A member came back over a new connection: that one, known as the first until now, speaks for
    /// the second from here on, and another one that did is closed.
    case adopt(MemberID, as: MemberID)
    /// Keep what is to be kept of a shared room.
    case keepRoom(RoomRecord)
    /// Forget what was kept of a room.
    case forgetRoom(String)
    /// Begin a recording of a room; notes of what brings a stage to where it stands follow, dated
    /// before.
    case beginRecording(room: String, title: String, book: String, time: Double)
    /// End it.
    case endRecording(room: String, time: Double)
    /// Fetch a recording, by its id, and give it to ``RoomRegistry/play(_:in:for:now:into:)``.
    case loadRecording(String, room: String, MemberID)
    /// Note what a host did, for whoever has to know it later.
    case audit(HostAct, room: String, by: MemberID)
    /// How frames came to a member, in seconds, for the figures.
    case noteAck(lateness: Double, syncError: Double, roundTrip: Double)
  }

  /// The messages, one after another.
  public var bytes: [UInt8] = []
  /// The recipients of broadcasts, one after another.
  public var recipients: [MemberID] = []
  /// What to do, in order.
  public var list: [Effect] = []

  /// Creates an empty list.
  public init() {
    bytes.reserveCapacity(1 << 16)
    list.reserveCapacity(64)
  }

  /// Forgets everything, keeping the room it took.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    recipients.removeAll(keepingCapacity: true)
    list.removeAll(keepingCapacity: true)
  }

  mutating func send(to member: MemberID, _ write: (inout [UInt8]) -> Void) {
    let start = bytes.count
    write(&bytes)
    if bytes.count > start { list.append(.send(message: start..<bytes.count, to: member)) }
  }
}
