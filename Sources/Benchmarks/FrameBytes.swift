internal import Fabric
internal import Gateway
internal import Geometry
internal import Rooms
internal import Scene
internal import Wire

/// Measures the size of the messages that a presenter's finger causes.
enum FrameBytes {
  static func report() {
    let reader = "the-secret-of-the-reader"
    var rooms = RoomRegistry(
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
          id: ReaderID(digest: Array(reader.utf8)),
          room: "R",
          places: [BookPlace(book: "0/0", spread: 24)]
        )
      ]
    )
    var gateway = Gateway()
    let lines = KeptLines()
    let line = LineID(1)
    var (effects, inbox) = (Effects(), [GatewayMessage]())
    var decoder = FrameDecoder()
    var now = 100.0
    var sizes: [Int] = []
    var faces: [Int] = []
    var costs: [Double] = []

    func exchange() {
      repeat {
        gateway.takeMessages(into: &inbox)
        for message in inbox { rooms.receive(message, now: now, into: &effects) }
        gateway.deliver(effects.messages, now: now, lines: lines)
        effects.removeAll()
      } while gateway.hasMessages
    }
    func say(_ message: ClientMessage) {
      let bytes = message.encoded()
      lines.removeAll()
      costs.append(
        secondsEach(turns: 1) { _ in
          bytes.withUnsafeBytes { gateway.received($0, over: line, now: now, lines: lines) }
          exchange()
        } * 1e9
      )
      for message in lines.messages { hear(message) }
      now += 1.0 / 60
    }
    func hear(_ bytes: [UInt8]) {
      guard let message = try? ServerMessage(decoding: bytes) else { return }
      try? decoder.apply(message)
      guard case .delta(let update) = message else { return }
      sizes.append(bytes.count)
      faces.append(update.entries.filter { $0.matrixMask != 0 }.count)
    }
    func touch(_ phase: PointerPhase, x: Double) {
      let sample = PointerSample(id: 0, phase: phase, x: x, y: 400)
      say(.pointers(Pointers(target: now + 1.0 / 60, samples: [sample])))
    }
    func rest() {
      while let wake = rooms.wakeTime {
        now = wake
        rooms.wake(now: now, into: &effects)
        exchange()
      }
      now += 1
    }

    let window = Viewport(size: Size(width: 1024, height: 768))
    gateway.opened(line, as: MemberID(1), from: "", now: now)
    say(.hello(Hello(reader: reader, viewport: window)))
    for _ in 0..<2 {
      say(.key(.enter))
      rest()
    }
    (sizes, faces, costs) = ([], [], [])
    for _ in 0..<8 {
      touch(.down, x: 980)
      for step in 0..<120 { touch(.move, x: 970 - 8 * Double(step)) }
      touch(.up, x: 10)
      rest()
    }
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
