public import Fabric
public import Scene

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

/// What rooms want done: messages for a gateway, and work for the process that holds the rooms.
///
/// One value is used again and again; it keeps its capacity, so that the path of a frame allocates
/// nothing.
public struct Effects: Sendable {
  /// One thing to do for the process that holds the rooms.
  public enum Effect: Equatable, Sendable {
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
    /// ``RoomRegistry/take(_:for:stream:now:into:)``.
    case arrange(ArrangementRequest, for: StreamID)
    /// Free a library that is shown no more, away from the thread that sends frames: this takes
    /// time that grows with the library.
    case release(ShownLibrary)
    /// Note that a room's library was exchanged.
    case noteLibrary(LibraryOutline, room: String, time: Double)
    /// A book was opened in a room.
    case bookOpened(book: String, room: String)
    /// Note an input that the stage took.
    case noteInput(Input, room: String, time: Double)
    /// Note a frame that was sent.
    case noteFrame(room: String, time: Double)
    /// Keep what is to be kept of a shared room.
    case keepRoom(RoomRecord)
    /// Forget what was kept of a room.
    case forgetRoom(String)
    /// Begin a recording of a room; notes of what brings a stage to where it stands follow, dated
    /// before.
    case beginRecording(
      room: String,
      title: String,
      book: String,
      library: LibraryOutline,
      time: Double
    )
    /// End it.
    case endRecording(room: String, time: Double)
    /// Fetch a recording, by its id, and give it to ``RoomRegistry/play(_:in:for:now:into:)``.
    case loadRecording(String, room: String, MemberID)
    /// Note what a host did, and the address that it did it from, for whoever has to know it later.
    case audit(HostAct, room: String, by: MemberID, from: String)
    /// A member came back over a new connection.
    case noteComeback
    /// How frames came to a member, in seconds, for the figures.
    case noteAck(lateness: Double, syncError: Double, roundTrip: Double)
  }

  /// Messages for the gateway.
  public var messages = HostMessages()
  /// What else to do, in order.
  public var list: [Effect] = []

  /// Creates an empty list.
  public init() { list.reserveCapacity(64) }

  /// Removes everything and keeps the capacity.
  public mutating func removeAll() {
    messages.removeAll()
    list.removeAll(keepingCapacity: true)
  }

  mutating func send(to member: MemberID, _ write: (inout [UInt8]) -> Void) {
    messages.send(to: member, write)
  }
}
