internal import CLibwebsockets

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

  /// The responses that can continue.
  var downloads = DownloadQueue()
  /// The files of responses that are open.
  let openFiles: OpenFiles

  init(openFiles: OpenFiles) { self.openFiles = openFiles }

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

  /// Begins an exchange of a client with a host.
  mutating func begin(_ socket: OpaquePointer, of client: String, host: String) -> Exchange {
    let number: UInt32
    if let reused = free.popLast() {
      number = reused
    } else {
      number = UInt32(slots.count)
      slots.append(Slot())
    }
    let id = RequestID(slot: number, generation: slots[Int(number)].generation)
    let exchange = Exchange(id: id, socket: socket, client: client, host: host)
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
