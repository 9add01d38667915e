package import Fabric
package import Scene
internal import Staging
internal import Wire

/// The work that rooms request: messages for a gateway, and tasks for the process that owns the
/// rooms.
///
/// One value is reused and keeps its capacity, so that the path of a frame allocates nothing.
package struct Effects: Sendable {
  /// One task for the process that owns the rooms.
  package enum Effect: Equatable, Sendable {
    /// Store where a reader left a book.
    case keepBookmark(Bookmark, of: ReaderID)
    /// Store that a reader is in its own room.
    case keepReader(ReaderID, room: String)
    /// Record that a room was created, with where its books were left. `library` is set
    /// if the library is no longer the first one, or if the room shows only a part of it.
    case noteOpening(bookmarks: [Bookmark], library: LibraryOutline?, room: String, time: Double)
    /// Arrange a library, away from the thread that sends frames, and pass it to
    /// ``RoomRegistry/take(_:for:stream:in:)``.
    case arrange(ArrangementRequest, for: StreamID)
    /// Free a library that is no longer shown, away from the thread that sends frames: this takes
    /// time that grows with the library.
    case release(ShownLibrary)
    /// Record that a room's library was exchanged.
    case noteLibrary(LibraryOutline, room: String, time: Double)
    /// A book was opened in a room.
    case bookOpened(book: String, room: String)
    /// Record an input that the stage accepted.
    case noteInput(Input, room: String, time: Double)
    /// Record a frame that was sent.
    case noteFrame(room: String, time: Double)
    /// Store the record of a shared room.
    case keepRoom(RoomRecord)
    /// Delete the stored record of a room.
    case forgetRoom(String)
    /// Store the state with which another process would continue a room.
    case keepState(RoomState)
    /// Begin a recording of a room. Records that bring a new stage to the state of the room's stage
    /// follow; they are dated earlier.
    case beginRecording(
      room: String,
      title: String,
      book: String,
      library: LibraryOutline,
      time: Double
    )
    /// End the recording of a room.
    case endRecording(room: String, time: Double)
    /// Load a recording by its id, and pass it to ``RoomRegistry/play(_:in:for:in:)``.
    case loadRecording(String, room: String, MemberID)
    /// Write to the audit log what a host did, and from which address.
    case audit(HostAct, room: String, by: MemberID, from: String)
    /// End the passes of members that were issued before a time, in Unix seconds.
    case endPasses([MemberID], before: Double)
    /// A member rejoined over a new connection.
    case noteComeback
    /// Add a member's frame timing to the metrics, in seconds.
    case noteAck(lateness: Double, syncError: Double, roundTrip: Double)
  }

  /// The messages for the gateway.
  package var messages = HostMessages()
  /// The other tasks, in order.
  package var list: [Effect] = []

  /// Creates an empty list.
  package init() { list.reserveCapacity(64) }

  /// Removes everything and keeps the capacity.
  package mutating func removeAll() {
    messages.removeAll()
    list.removeAll(keepingCapacity: true)
  }

  /// Records what brings a new stage to the state of another one; it is dated earlier.
  mutating func noteOpening(of stage: Stage, room: String, at now: Double) {
    let before = now - Stage.standingSeconds
    let (bookmarks, outline) = (stage.bookmarks, stage.outline)
    list.append(.noteOpening(bookmarks: bookmarks, library: outline, room: room, time: before))
    list += stage.way(at: now).map { .noteInput($0, room: room, time: before) }
  }

  /// Sends some members a message, which is encoded once.
  mutating func send(_ message: ServerMessage, to members: some Sequence<MemberID>) {
    let start = messages.bytes.count
    message.encode(into: &messages.bytes)
    let range = start..<messages.bytes.count
    for member in members { messages.append(.send(range, to: member)) }
  }

  mutating func send(to member: MemberID, _ write: (inout [UInt8]) -> Void) {
    messages.send(to: member, write)
  }
}
