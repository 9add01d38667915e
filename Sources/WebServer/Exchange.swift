internal import CLibwebsockets

/// A request and its answer, from its head to the last byte.
///
/// A connection has at most one at a time: while one is under way nothing more is read, except
/// the body. libwebsockets would take the next request into the place of this one.
final class Exchange {
  enum Phase {
    /// The application is being asked.
    case asked
    /// The wanted body comes in.
    case receiving
    /// The application's answer is to come.
    case waiting
    /// The answer goes out.
    case sending
    /// The answer is out, and what the client is still sending is read and forgotten: closed
    /// earlier, the kernel would say so to the client before it has read the answer.
    case lingering
  }

  let id: RequestID
  let socket: OpaquePointer
  var phase = Phase.asked
  var isHead = false
  /// The `If-None-Match` field.
  var knownTags: String?
  /// Whether the client takes gzip.
  var acceptsGzip = false
  /// The answer, when it was given while the application was asked.
  var response: HTTPResponse?
  var transfer: Transfer?
  /// Whether libwebsockets still reads a body.
  var awaitsBody = false
  /// The bytes read and forgotten while lingering.
  var forgotten = 0
  /// Whether the connection ends with this answer.
  var isLast = false
  /// When reading the body was stopped, in seconds of the server's clock.
  var pausedAt: Double?
  var isPaused: Bool { pausedAt != nil }
  /// Until when the body has to be whole, apart from the time it rests.
  var bodyDeadline = 0.0
  /// Whether the answer has to be out by a time.
  var isTimed = false
  /// Who it is counted against, and as what: see ``HTTPRequest/peer``.
  var peer = ""
  var isCounted = false
  var isCountedWaiting = false
  var isCountedLong = false
  var watched: SocketWatch.Purpose?

  init(id: RequestID, socket: OpaquePointer) {
    self.id = id
    self.socket = socket
  }

  /// Whether the application may still answer.
  var isOpen: Bool {
    switch phase {
    case .asked: response == nil
    case .receiving, .waiting: true
    case .sending, .lingering: false
    }
  }
}

/// The exchanges under way, found by name or by socket in constant time.
struct ExchangeTable {
  private struct Slot {
    var generation: UInt32 = 0
    var exchange: Exchange?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// All that are under way.
  var all: [Exchange] { slots.compactMap(\.exchange) }

  /// How many wait for the application.
  var waitingCount = 0

  /// The exchange with a name, unless it has ended.
  subscript(_ id: RequestID) -> Exchange? {
    guard slots.indices.contains(Int(id.slot)) else { return nil }
    let slot = slots[Int(id.slot)]
    return slot.generation == id.generation ? slot.exchange : nil
  }

  /// The exchange under way on a socket; libwebsockets keeps its slot, plus one, beside the socket.
  subscript(_ socket: OpaquePointer) -> Exchange? {
    let number = UInt(bitPattern: lws_get_opaque_user_data(socket))
    return number == 0 ? nil : slots[Int(number - 1)].exchange
  }

  mutating func begin(_ socket: OpaquePointer) -> Exchange {
    let number: UInt32
    if let reused = free.popLast() {
      number = reused
    } else {
      number = UInt32(slots.count)
      slots.append(Slot())
    }
    let id = RequestID(slot: number, generation: slots[Int(number)].generation)
    let exchange = Exchange(id: id, socket: socket)
    slots[Int(number)].exchange = exchange
    lws_set_opaque_user_data(socket, UnsafeMutableRawPointer(bitPattern: UInt(number) + 1))
    return exchange
  }

  mutating func end(_ exchange: Exchange) {
    let number = Int(exchange.id.slot)
    guard slots[number].exchange === exchange else { return }
    slots[number].exchange = nil
    // A name kept by mistake must not find who comes next into the slot.
    slots[number].generation &+= 1
    free.append(exchange.id.slot)
    lws_set_opaque_user_data(exchange.socket, nil)
  }
}
