internal import Fabric
internal import Foundation
internal import Library
internal import Recording
internal import Rooms
internal import Scene
internal import Staging
internal import Telemetry
internal import WebServer

/// The rooms of a process, and the work that they want done beside messages: recordings, places,
/// arranged libraries.
///
/// It knows no sockets: it hears ``GatewayMessage`` values and says ``HostMessages``. Lives on one
/// thread, which `thread` hands work to.
final class RoomHost {
  /// What a host works with.
  struct Resources {
    let library: BookLibrary
    let recordings: Recordings
    let recorders: RoomRecorders
    let environment: RoomEnvironment
    let metrics: ServiceMetrics
    let log: Log
  }

  private let thread: HostThread
  private let recordings: Recordings
  private let recorders: RoomRecorders
  private let places: PlaceKeeper
  private let records: RoomKeeper
  private let metrics: ServiceMetrics
  private let audit: Audit
  private var rooms: RoomRegistry
  private var effects = Effects()
  private var spareList: [Effects.Effect] = []
  /// Rooms for which a recording is being read.
  private var loading: Set<String> = []
  private let loader = WorkerPool(width: 1)
  private let arranger = Arranger()
  private let releaser = LibraryReleaser()
  private let numbers: ElementNumbers

  /// Opens the rooms of a library, which is shown with its numbers.
  init(
    _ resources: Resources,
    shown: ShownLibrary,
    numbers: ElementNumbers,
    thread: HostThread
  ) {
    self.thread = thread
    self.numbers = numbers
    recordings = resources.recordings
    recorders = resources.recorders
    metrics = resources.metrics
    audit = Audit(log: resources.log)
    places = PlaceKeeper(library: resources.library, log: resources.log)
    records = RoomKeeper(library: resources.library, log: resources.log)
    rooms = RoomRegistry(
      library: shown,
      environment: resources.environment,
      notes: recorders.recordsAll,
      readers: places.load(),
      records: records.load()
    )
  }

  /// When ``wake(now:)`` has something to do, in seconds; nil at rest.
  var wakeTime: Double? { rooms.wakeTime }
  /// How many rooms have somebody in them.
  var roomCount: Int { rooms.roomCount }
  /// How many members there are.
  var memberCount: Int { rooms.memberCount }

  // MARK: Messages

  /// Hears gateways.
  func receive(_ messages: [GatewayMessage], now: Double) {
    for message in messages {
      rooms.receive(message, now: now, into: &effects)
      carryOut()
    }
  }

  /// Answers a question of HTTP.
  func answer(_ question: HostQuestion) -> Bool { rooms.answer(question) }

  /// Hands out what gateways have to hear, in order; `messages` is empty before.
  func takeMessages(into messages: inout HostMessages) { swap(&messages, &effects.messages) }

  /// Continues what goes on by itself.
  func wake(now: Double) {
    rooms.wake(now: now, into: &effects)
    carryOut()
  }

  /// Tells all members that the server goes.
  func sayGoodbye() {
    rooms.sayGoodbye(into: &effects)
    carryOut()
  }

  /// Waits until all that was to be kept is kept.
  func finish() {
    recorders.finish(at: WebServer.now())
    places.finish()
    records.finish()
  }

  // MARK: Events

  /// The library has changed.
  func libraryChanged(_ update: LibraryUpdate) {
    rooms.replace(update, now: WebServer.now(), into: &effects)
    carryOut()
  }

  /// The recording of a room has ended by itself, for a reason.
  func recordingEnded(room: String, reason: String) {
    rooms.endRecording(room, reason: reason, now: WebServer.now(), into: &effects)
    carryOut()
  }

  /// Brings the measurements of the rooms up to date.
  func measure() { metrics.rooms.note(rooms.figures) }

  // MARK: Effects

  private func carryOut() {
    guard !effects.list.isEmpty else { return }
    // Taken out before any of it is done: what is done may want more.
    var list: [Effects.Effect] = []
    swap(&list, &spareList)
    swap(&list, &effects.list)
    var released: [ShownLibrary] = []
    defer {
      list.removeAll(keepingCapacity: true)
      swap(&list, &spareList)
      // Now that the list holds them no more.
      releaser.release(&released)
    }
    for effect in list {
      switch effect {
      case .audit(let act, let room, let member, let address):
        audit.note(act, room: room, by: member, from: address)
      case .keepPlace(let place, let reader): places.keep(place, of: reader)
      case .keepReader(let reader, let room): places.keep(reader, room: room)
      case .bookOpened(let book, _): places.noteReading(book)
      case .keepRoom(let record): records.keep(record)
      case .forgetRoom(let name): records.forget(name)
      case .arrange(let request, let stream): arrange(request, for: stream)
      case .release(let library): released.append(library)
      case .noteComeback: metrics.messages.resumed.add()
      case .beginRecording(let room, let title, let book, let library, let time):
        let facts = LogHeader.RoomFacts(
          title: title,
          book: book,
          recorded: Date().timeIntervalSince1970
        )
        recorders.begin(room: room, facts: facts, library: library, at: time)
      case .endRecording(let room, let time): recorders.end(room: room, at: time)
      case .loadRecording(let id, let room, let member): load(id, room: room, for: member)
      case .noteAck(let lateness, let syncError, let roundTrip):
        metrics.messages.noteAck(lateness: lateness, syncError: syncError, roundTrip: roundTrip)
      case .noteOpening, .noteLibrary, .noteInput, .noteFrame: recorders.write(effect)
      }
    }
  }

  private func arrange(_ request: ArrangementRequest, for stream: StreamID) {
    arranger.arrange(request, for: stream) { [thread] stream, request, library in
      thread.perform { host in
        host.rooms.take(
          library,
          for: request,
          stream: stream,
          now: WebServer.now(),
          into: &host.effects
        )
        host.carryOut()
      }
    }
  }

  // MARK: Recordings

  /// How many rooms may wait for a recording to be read.
  private static let loadingMax = 8

  /// Reads a recording, away from this thread, and plays it; one at a time, because a long one
  /// takes seconds and hundreds of megabytes.
  private func load(_ id: String, room: String, for member: MemberID) {
    guard loading.count < Self.loadingMax, loading.insert(room).inserted else {
      let words = "A recording is being opened already. Wait a moment."
      return rooms.tell(member, words, into: &effects)
    }
    loader.run { [recordings, numbers, thread] in
      do throws(RecordingFault) {
        let playback = Playback(try recordings.load(id), numbers: numbers, at: 0)
        thread.perform { $0.play(playback, in: room, for: member) }
      } catch {
        let words = "\(error)"
        thread.perform { $0.notLoaded(in: room, for: member, words) }
      }
    }
  }

  private func notLoaded(in room: String, for member: MemberID, _ words: String) {
    loading.remove(room)
    rooms.tell(member, words, into: &effects)
    carryOut()
  }

  private func play(_ playback: Playback, in room: String, for member: MemberID) {
    loading.remove(room)
    rooms.play(playback, in: room, for: member, now: WebServer.now(), into: &effects)
    carryOut()
  }
}
