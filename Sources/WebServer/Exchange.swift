internal import CLibwebsockets

/// A request and its response, from the head to the last byte.
///
/// A connection has at most one exchange at a time. While it is in progress, the server reads
/// nothing except its body, because libwebsockets would replace the request with the next one.
final class Exchange {
  enum Phase {
    /// The application is handling the request.
    case asked
    /// The server receives the requested body.
    case receiving
    /// The server waits for the application's response.
    case waiting
    /// The server sends the response.
    case sending
    /// The response is sent, and the rest of the request is read and discarded. If the server
    /// closed the connection earlier, the kernel could reset it before the client has read the
    /// response.
    case lingering
  }

  let id: RequestID
  let socket: OpaquePointer
  var phase = Phase.asked
  var isHead = false
  /// The `If-None-Match` field.
  var knownTags: String?
  /// Whether the client accepts gzip.
  var acceptsGzip = false
  /// The response, if the application gave it while handling the request.
  var response: HTTPResponse?
  var transfer: Transfer?
  /// Whether libwebsockets still reads a body.
  var awaitsBody = false
  /// The number of bytes discarded while lingering.
  var forgotten = 0
  /// Whether the connection ends with this response.
  var isLast = false
  /// When reading the body was paused, in seconds of the server's clock.
  var pausedAt: Double?
  var isPaused: Bool { pausedAt != nil }
  /// The deadline of the body, not counting pauses.
  var bodyDeadline = 0.0
  /// Whether the response has a deadline.
  var isTimed = false
  /// The client for limits; see ``HTTPRequest/peer``.
  var peer = ""
  var isCounted = false
  var isCountedWaiting = false
  var isCountedLong = false
  var watched: SocketWatch.Purpose?

  init(id: RequestID, socket: OpaquePointer) {
    self.id = id
    self.socket = socket
  }

  /// Whether the application can still respond.
  var isOpen: Bool {
    switch phase {
    case .asked: response == nil
    case .receiving, .waiting: true
    case .sending, .lingering: false
    }
  }
}

/// The exchanges in progress, found by id or by socket in constant time.
struct ExchangeTable {
  private struct Slot {
    var generation: UInt32 = 0
    var exchange: Exchange?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// All exchanges in progress.
  var all: [Exchange] { slots.compactMap(\.exchange) }

  /// The number of exchanges that wait for the application.
  var waitingCount = 0

  /// The exchange with an id, unless it has ended.
  subscript(_ id: RequestID) -> Exchange? {
    guard slots.indices.contains(Int(id.slot)) else { return nil }
    let slot = slots[Int(id.slot)]
    return slot.generation == id.generation ? slot.exchange : nil
  }

  /// The exchange of a socket; libwebsockets stores its slot number plus one with the socket.
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
    // An outdated id must not find the next exchange in the slot.
    slots[number].generation &+= 1
    free.append(exchange.id.slot)
    lws_set_opaque_user_data(exchange.socket, nil)
  }
}
