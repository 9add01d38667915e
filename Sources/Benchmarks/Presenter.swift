internal import Fabric
internal import Gateway
internal import Motion
internal import Rooms
internal import Scene
internal import Wire

/// A presenter that opens books and turns their pages, with the rooms and the gateway that answer
/// it.
final class Presenter {
  /// The bytes of each frame that was received.
  private(set) var sizes: [Int] = []
  /// The number of elements that moved in each frame.
  private(set) var faces: [Int] = []
  /// The duration of handling each message that was sent, in nanoseconds.
  private(set) var costs: [Double] = []

  /// The time that the rooms and the gateway have used, in seconds.
  private(set) var spent = 0.0

  private static let reader = "the-secret-of-the-reader"

  private var rooms: RoomRegistry
  private var gateway = Gateway()
  private let clients = CollectingClients()
  private let client = ClientID(1)
  private var turn: Turn
  private var inbox: [GatewayMessage] = []
  private var decoder = FrameDecoder()
  private var now = 100.0
  private var tracker: LibraryTracker
  /// Libraries that the server frees on another thread.
  private var released: [ShownLibrary] = []

  /// Joins a room of a library whose first book was left at a spread.
  init(_ catalogue: Catalogue, leftAt spread: Int = 0) {
    let library = ShownLibrary(catalogue)
    tracker = LibraryTracker(library)
    turn = Turn(
      environment: Environment(
        freshName: { "R" },
        secret: { "secret" },
        code: { "ABCDEF" },
        digest: { Array($0.utf8) },
        unixOffset: 0
      )
    )
    rooms = RoomRegistry(
      library: library,
      directory: RoomDirectory(
        readers: [
          ReaderRecord(
            id: ReaderID(digest: Array(Self.reader.utf8)),
            room: "R",
            bookmarks: [Bookmark(book: "0/0", spread: spread)]
          )
        ],
        unixOffset: 0
      )
    )
    gateway.opened(client, as: MemberID(1), from: "", now: now)
    let window = Viewport(size: Size(width: 1024, height: 768))
    send(.hello(Hello(reader: Self.reader, viewport: window)))
  }

  /// Moves from the list of collections to the first shelf.
  func enterShelf() {
    send(.key(.enter))
    rest()
  }

  /// Opens the book in the middle of the shelf and waits until it is open.
  func openBook() {
    send(.key(.enter))
    rest()
  }

  /// Closes the open book and waits until it is back on its shelf.
  func closeBook() {
    send(.key(.escape))
    rest()
  }

  /// Replaces the library; its differences are found on another thread.
  func replace(_ catalogue: Catalogue) {
    guard let update = tracker.update(to: catalogue) else { return }
    timed {
      rooms.replace(update, in: &turn[at: now])
      exchange()
    }
    rest()
  }

  /// Discards all measurements.
  func forget() {
    (sizes, faces, costs, spent) = ([], [], [], 0)
    released = []
  }

  /// Drags one leaf across the window and waits until it has landed.
  func flip() {
    touch(.down, x: 980)
    for step in 0..<120 { touch(.move, x: 970 - 8 * Double(step)) }
    touch(.up, x: 10)
    rest()
  }

  private func touch(_ phase: PointerPhase, x: Double) {
    let sample = PointerSample(id: 0, phase: phase, x: x, y: 400)
    send(.pointers(Pointers(target: now + 1.0 / 60, samples: [sample])))
  }

  private func send(_ message: ClientMessage) {
    let bytes = message.encoded()
    clients.removeAll()
    let seconds = timed {
      bytes.withUnsafeBytes { gateway.received($0, from: client, now: now, clients: clients) }
      exchange()
    }
    costs.append(seconds * 1e9)
    for message in clients.messages { receive(message) }
    now += 1.0 / 60
  }

  /// Adds the time that work takes to ``spent``.
  /// - Returns: That time, in seconds.
  @discardableResult
  private func timed(_ work: () -> Void) -> Double {
    let seconds = secondsEach(turns: 1) { _ in work() }
    spent += seconds
    return seconds
  }

  /// Passes messages between the gateway and the rooms until there are none left.
  private func exchange() {
    repeat {
      gateway.drainMessages(into: &inbox)
      for message in inbox { rooms.receive(message, in: &turn[at: now]) }
      gateway.deliver(turn.effects.messages, now: now, clients: clients)
      for case .release(let library) in turn.effects.list { released.append(library) }
      turn.effects.removeAll()
    } while gateway.hasMessages
  }

  private func receive(_ bytes: [UInt8]) {
    guard let message = try? ServerMessage(decoding: bytes) else { return }
    try? decoder.apply(message)
    guard case .delta(let update) = message else { return }
    sizes.append(bytes.count)
    faces.append(update.entries.filter { $0.matrixMask != 0 }.count)
  }

  /// Wakes the rooms until nothing moves.
  private func rest() {
    while let wake = rooms.wakeTime {
      now = wake
      timed {
        rooms.wake(in: &turn[at: now])
        exchange()
      }
    }
    now += 1
  }
}

/// Clients that accept every message and keep it until it is removed.
private final class CollectingClients: Clients {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// The messages, in order.
  var messages: [[UInt8]] {
    zip([0] + ends, ends).map { Array(bytes[$0..<$1]) }
  }

  func send(_ message: UnsafeRawBufferPointer, to client: ClientID) -> Bool {
    bytes.append(contentsOf: message)
    ends.append(bytes.count)
    return true
  }

  func close(_ client: ClientID, code: UInt16, reason: String) {}

  func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
