internal import Clustering
internal import Fabric
internal import Foundation
internal import Library
internal import Notices
internal import Recording
internal import Rooms
internal import Scene
internal import Staging
internal import Telemetry
internal import WebServer

/// The rooms of a service thread, and the work that they need done besides messages: recordings,
/// bookmarks, arranged libraries.
///
/// The host knows no sockets: it receives ``GatewayMessage`` values and sends ``HostMessages``. It
/// lives on one thread, to which `thread` brings work from other threads.
final class RoomHost {
  /// The resources of a host.
  struct Resources {
    let recordings: Recordings
    let recorders: RoomRecorders
    let metrics: ServiceMetrics
    let log: Log
    let bookmarks: BookmarkStore
    let records: RecordWriter
  }

  private let threads: ServiceThreads
  private let cluster: ClusterNode?
  private let thread: HostThread
  private let resources: Resources
  private let audit: Audit
  private var rooms: RoomRegistry
  /// When the passes of members are renewed, in seconds.
  private var passTime = 0.0
  private var turn: Turn
  private var spareList: [Effects.Effect] = []
  /// The rooms for which a recording is being read.
  private var loading: Set<String> = []
  private let loader = WorkerPool(width: 1)
  private let arranger = Arranger()
  private let releaser = LibraryReleaser()
  private let numbers: ElementNumbers

  /// Creates the rooms of one of several threads; `numbers` numbers the elements of `shown`.
  init(
    _ resources: Resources,
    shown: ShownLibrary,
    numbers: ElementNumbers,
    threads: ServiceThreads,
    cluster: ClusterNode?,
    index: Int
  ) {
    (self.threads, self.cluster) = (threads, cluster)
    thread = threads.threads[index]
    self.numbers = numbers
    self.resources = resources
    audit = Audit(log: resources.log)
    turn = Turn(environment: threads.environment)
    rooms = RoomRegistry(
      library: shown,
      notes: resources.recorders.recordsAll,
      directory: threads.directory
    )
  }

  /// The time at which ``wake(now:)`` next has work to do, in seconds; nil at rest.
  var wakeTime: Double? {
    guard turn.environment.keys.library != nil, rooms.memberCount > 0 else { return rooms.wakeTime }
    return min(passTime, rooms.wakeTime ?? .infinity)
  }
  /// The state of the rooms, in numbers.
  var figures: HostFigures { rooms.figures }

  /// Replaces the keys that open the library.
  func replaceKeys(_ keys: LibraryKeys) { turn.environment.keys = keys }

  // MARK: Messages

  /// Handles the messages of gateways.
  func receive(_ messages: [GatewayMessage], now: Double) {
    if !messages.isEmpty { followClock(now: now) }
    for message in messages {
      rooms.receive(message, in: &turn[at: now])
      carryOut()
    }
  }

  /// Follows the clock of the system, which may be set, and goes on while the machine is suspended.
  private func followClock(now: Double) {
    let offset = Environment.unixOffset(at: now)
    if abs(offset - turn.environment.unixOffset) > 1 { turn.environment.unixOffset = offset }
  }

  /// Moves the pending messages for gateways, in order, into `messages`, which must be empty.
  func drainMessages(into messages: inout HostMessages) { swap(&messages, &turn.effects.messages) }

  /// Continues everything that depends on time, such as motion and timeouts.
  func wake(now: Double) {
    followClock(now: now)
    rooms.wake(in: &turn[at: now])
    if passTime <= now {
      passTime = now + Pass.renewalSeconds
      rooms.renewPasses(in: &turn)
    }
    carryOut()
  }

  /// Stores where all books are open, because the server is stopping.
  func storeBookmarks() {
    rooms.keepBookmarks(in: &turn)
    carryOut()
  }

  /// Waits until all recordings, bookmarks and rooms are stored.
  func finish() {
    resources.recorders.finish(at: WebServer.now())
    resources.bookmarks.finish()
    resources.records.finish()
  }

  // MARK: Other nodes

  /// Opens a room with the state of its previous owner, unless it is open already.
  func restore(_ state: RoomState, now: Double) { rooms.restore(state, in: &turn[at: now]) }

  /// Whether a room is kept here, be it empty.
  func isOpen(_ room: String) -> Bool { rooms.isOpen(room) }

  /// Closes a room that continues at another node, and returns its state.
  func handOver(_ room: String, isLost: Bool, now: Double) -> RoomState? {
    defer { carryOut() }
    return rooms.handOver(room, isLost: isLost, in: &turn[at: now])
  }

  /// The number of members that are connected to a room.
  func memberCount(inRoom room: String) -> Int { rooms.room(named: room)?.memberCount ?? 0 }

  /// Sets whether the motion of a room waits because another node may own the room.
  func setPaused(_ isPaused: Bool, room: String) {
    rooms.setPaused(isPaused, room: room)
  }

  // MARK: Events

  /// Shows a change of the library in the rooms.
  func libraryChanged(_ update: LibraryUpdate) {
    rooms.replace(update, in: &turn[at: WebServer.now()])
    carryOut()
  }

  /// Reports in a room that its recording has ended without a request, and why.
  func recordingEnded(room: String, reason: Notice) {
    rooms.endRecording(room, reason: reason, in: &turn[at: WebServer.now()])
    carryOut()
  }

  // MARK: Effects

  private func carryOut() {
    guard !turn.effects.list.isEmpty else { return }
    // The list is moved out first, because carrying out an effect may add others.
    var list: [Effects.Effect] = []
    swap(&list, &spareList)
    swap(&list, &turn.effects.list)
    var released: [ShownLibrary] = []
    defer {
      list.removeAll(keepingCapacity: true)
      swap(&list, &spareList)
      // The list no longer holds these libraries.
      releaser.release(&released)
    }
    for effect in list {
      switch effect {
      case .audit(let act, let room, let member, let address):
        audit.note(act, room: room, by: member, from: address)
      case .keepBookmark(let bookmark, let reader):
        resources.bookmarks.store(bookmark, of: reader)
        cluster?.records.write(reader)
      case .keepReader(let reader, let room):
        resources.bookmarks.store(reader, room: room)
        cluster?.records.write(reader)
      case .keepState(let state):
        cluster?.records.write(state, then: storedState(of: state.name))
      case .bookOpened(let book, _): resources.bookmarks.noteReading(book)
      case .keepRoom(let record): resources.records.store(record)
      case .forgetRoom(let name): resources.records.forget(name)
      case .arrange(let request, let stream): arrange(request, for: stream)
      case .release(let library): released.append(library)
      case .endPasses(let members, let date):
        threads.passes.end(of: members, before: date)
        cluster?.broadcast(.endPasses(members, before: date))
      case .noteComeback: resources.metrics.messages.resumed.add()
      case .beginRecording(let room, let title, let book, let library, let time):
        let facts = LogHeader.Facts(
          title: title,
          book: book,
          recorded: Date().timeIntervalSince1970
        )
        resources.recorders.begin(room: room, facts: facts, library: library, at: time)
      case .endRecording(let room, let time): resources.recorders.end(room: room, at: time)
      case .loadRecording(let id, let room, let member): load(id, room: room, for: member)
      case .noteAck(let lateness, let syncError, let roundTrip):
        resources.metrics.messages.noteAck(
          lateness: lateness,
          syncError: syncError,
          roundTrip: roundTrip
        )
      case .noteOpening, .noteLibrary, .noteInput, .noteFrame: resources.recorders.write(effect)
      }
    }
  }

  /// Lets the registry store a state again if it could not be stored; any thread may call it.
  private func storedState(of room: String) -> @Sendable (Bool) -> Void {
    { [thread] isStored in
      guard !isStored else { return }
      thread.perform { $0.rooms.stateNotStored(of: room, now: WebServer.now()) }
    }
  }

  private func arrange(_ request: ArrangementRequest, for stream: StreamID) {
    arranger.arrange(request, for: stream) { [thread] stream, request, library in
      thread.perform { host in
        host.rooms.take(library, for: request, stream: stream, in: &host.turn[at: WebServer.now()])
        host.carryOut()
      }
    }
  }

  // MARK: Recordings

  /// The maximum number of rooms that wait for a recording to be read.
  private static let loadingMax = 8

  /// Reads a recording on another thread and plays it.
  ///
  /// One recording is read at a time, because a long one takes seconds and hundreds of megabytes.
  private func load(_ id: String, room: String, for member: MemberID) {
    guard loading.count < Self.loadingMax, loading.insert(room).inserted else {
      return rooms.tell(member, Notice(.recordingOpens), in: &turn)
    }
    loader.run { [recordings = resources.recordings, numbers, thread] in
      do throws(RecordingFault) {
        let playback = Playback(try recordings.load(id), numbers: numbers, at: 0)
        thread.perform { $0.play(playback, in: room, for: member) }
      } catch {
        thread.perform { $0.notLoaded(in: room, for: member, error.notice) }
      }
    }
  }

  private func notLoaded(in room: String, for member: MemberID, _ notice: Notice) {
    loading.remove(room)
    rooms.tell(member, notice, in: &turn)
    carryOut()
  }

  private func play(_ playback: Playback, in room: String, for member: MemberID) {
    loading.remove(room)
    rooms.play(playback, in: room, for: member, in: &turn[at: WebServer.now()])
    carryOut()
  }
}
