internal import Fabric
internal import Gateway
internal import Geometry
internal import Rooms
internal import Scene
internal import Wire

/// Measures the size of the messages that a presenter's finger causes.
enum FrameBytes {
  static func report() {
    let presenter = Presenter()
    presenter.openBook()
    for _ in 0..<8 { presenter.flip() }
    let (sizes, faces, costs) = (presenter.sizes, presenter.faces, presenter.costs)
    guard !sizes.isEmpty else { return Table.row("bytes per driven frame", "none was sent") }
    Table.row(
      "bytes per driven frame in mid-flip, \(faces.median) faces moving",
      asked: "<= 400",
      "\(sizes.median) (least \(sizes.min() ?? 0), most \(sizes.max() ?? 0), of \(sizes.count))"
    )
    Table.row(
      "a pointer message, the whole way from gateway to gateway",
      asked: "<= 3000 ns",
      "\(Table.number(costs.median, 0)) ns"
    )
  }
}

/// A presenter who turns pages with a finger, and the rooms and the gateway that answer.
private final class Presenter {
  /// The bytes of each frame that was received.
  private(set) var sizes: [Int] = []
  /// The number of elements that moved in each frame.
  private(set) var faces: [Int] = []
  /// The duration of handling each message that was sent, in nanoseconds.
  private(set) var costs: [Double] = []

  private static let reader = "the-secret-of-the-reader"

  private var rooms: RoomRegistry
  private var gateway = Gateway()
  private let lines = KeptLines()
  private let line = LineID(1)
  private var effects = Effects()
  private var inbox: [GatewayMessage] = []
  private var decoder = FrameDecoder()
  private var now = 100.0

  init() {
    rooms = RoomRegistry(
      library: ShownLibrary(Books.catalogue(pages: 100)),
      environment: RoomEnvironment(
        freshName: { "R" },
        secret: { "secret" },
        code: { "ABCDEF" },
        digest: { Array($0.utf8) },
        unixOffset: 0
      ),
      readers: [
        ReaderRecord(
          id: ReaderID(digest: Array(Self.reader.utf8)),
          room: "R",
          places: [BookPlace(book: "0/0", spread: 24)]
        )
      ]
    )
  }

  /// Joins and opens the book, of which nothing is measured.
  func openBook() {
    gateway.opened(line, as: MemberID(1), from: "", now: now)
    let window = Viewport(size: Size(width: 1024, height: 768))
    send(.hello(Hello(reader: Self.reader, viewport: window)))
    for _ in 0..<2 {
      send(.key(.enter))
      rest()
    }
    (sizes, faces, costs) = ([], [], [])
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
    lines.removeAll()
    costs.append(
      secondsEach(turns: 1) { _ in
        bytes.withUnsafeBytes { gateway.received($0, over: line, now: now, lines: lines) }
        exchange()
      } * 1e9
    )
    for message in lines.messages { receive(message) }
    now += 1.0 / 60
  }

  /// Passes messages between the gateway and the rooms until there are none left.
  private func exchange() {
    repeat {
      gateway.takeMessages(into: &inbox)
      for message in inbox { rooms.receive(message, now: now, into: &effects) }
      gateway.deliver(effects.messages, now: now, lines: lines)
      effects.removeAll()
    } while gateway.hasMessages
  }

  private func receive(_ bytes: [UInt8]) {
    guard let message = try? ServerMessage(decoding: bytes) else { return }
    try? decoder.apply(message)
    guard case .delta(let update) = message else { return }
    sizes.append(bytes.count)
    faces.append(update.entries.filter { $0.matrixMask != 0 }.count)
  }

  /// Lets the rooms wake until nothing moves.
  private func rest() {
    while let wake = rooms.wakeTime {
      now = wake
      rooms.wake(now: now, into: &effects)
      exchange()
    }
    now += 1
  }
}

/// Lines that take everything, and keep it until it is removed.
private final class KeptLines: Lines {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// The messages, in order.
  var messages: [[UInt8]] {
    zip([0] + ends, ends).map { Array(bytes[$0..<$1]) }
  }

  func send(_ message: UnsafeRawBufferPointer, over line: LineID) -> Bool {
    bytes.append(contentsOf: message)
    ends.append(bytes.count)
    return true
  }

  func close(_ line: LineID, code: UInt16, reason: String) {}

  func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}
