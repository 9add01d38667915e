internal import Glibc
internal import PressProtocol

/// A connection to a browser engine by the Chrome DevTools Protocol, over two pipes.
///
/// Each message is a JSON text that ends with a byte of zero.
final class DevTools {
  /// An event, and what belongs to it.
  struct Event {
    let method: String
    let values: JSONValue
  }

  /// The maximum size of a message of the engine, in bytes.
  private static let messageBytesMax = 512 << 20

  private let input, output: Int32
  private var received: [UInt8] = []
  /// The number of bytes at the start of ``received`` that are known to contain no zero.
  private var searched = 0
  private var chunk = [UInt8](repeating: 0, count: 1 << 18)
  private var lastID = 0.0
  /// The session of a page, to which messages are addressed.
  var session: String?
  /// The time by which the engine must have answered, of the monotonic clock in seconds.
  var deadline = Double.infinity
  /// Receives events while a call waits for its result.
  var receive: (Event) throws(PressFault) -> Void = { _ in }

  /// - Parameters:
  ///   - input: The descriptor to which messages are written.
  ///   - output: The descriptor from which the engine's messages are read.
  init(to input: Int32, from output: Int32) { (self.input, self.output) = (input, output) }

  deinit {
    close(input)
    close(output)
  }

  /// The time of the monotonic clock in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The events that arrived during the last call.
  private var past: [Event] = []

  /// Calls a method and waits for its result, which is nil if the engine reports an error.
  @discardableResult
  func call(_ method: String, _ values: JSONValue = [:]) throws(PressFault) -> JSONValue? {
    let id = try send(method, values)
    past.removeAll()
    while true {
      let message = try next()
      if message["id"]?.number == id { return message["result"] }
      try dispatch(message)
      if let name = message["method"]?.text, past.count < 1000 {
        past.append(Event(method: name, values: message["params"] ?? .null))
      }
    }
  }

  /// Calls a method without waiting for its result.
  @discardableResult
  func send(_ method: String, _ values: JSONValue = [:]) throws(PressFault) -> Double {
    lastID += 1
    var fields: [String: JSONValue] = [
      "id": .number(lastID), "method": .text(method), "params": values,
    ]
    if let session { fields["sessionId"] = .text(session) }
    guard let text = JSONValue.fields(fields).encoded else { throw .engineFailed("json") }
    try write(text + [0])
    return lastID
  }

  /// Waits for an event whose values meet a condition, also one that has arrived during a call.
  func wait(for method: String, where isIt: (JSONValue) -> Bool) throws(PressFault) {
    if past.contains(where: { $0.method == method && isIt($0.values) }) { return }
    while true {
      let message = try next()
      try dispatch(message)
      let values = message["params"] ?? .null
      if message["method"]?.text == method, isIt(values) { return }
    }
  }

  private func dispatch(_ message: JSONValue) throws(PressFault) {
    guard let method = message["method"]?.text else { return }
    if method == "Inspector.targetCrashed" || method == "Target.targetCrashed" {
      throw .neededTooMuchMemory(page: nil)
    }
    try receive(Event(method: method, values: message["params"] ?? .null))
  }

  /// Waits for the next message.
  private func next() throws(PressFault) -> JSONValue {
    while true {
      if let end = received[searched...].firstIndex(of: 0) {
        guard let message = JSONValue(received[..<end]) else { throw .engineFailed("json") }
        received.removeSubrange(...end)
        searched = 0
        return message
      }
      searched = received.count
      try wait(output, POLLIN)
      let count = read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .engineFailed("ended") }
      received += chunk[..<count]
      guard received.count <= Self.messageBytesMax else { throw .engineFailed("message") }
    }
  }

  private func write(_ bytes: [UInt8]) throws(PressFault) {
    var done = 0
    while done < bytes.count {
      try wait(input, POLLOUT)
      // A pipe that is ready accepts this much without blocking.
      let count = bytes.withUnsafeBytes {
        Glibc.write(input, $0.baseAddress.map { $0 + done }, min(4096, bytes.count - done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .engineFailed("ended") }
      done += count
    }
  }

  /// Waits until a descriptor is ready.
  private func wait(_ descriptor: Int32, _ events: Int32) throws(PressFault) {
    while true {
      let left = deadline - Self.now
      guard left > 0 else { throw .tookTooLong(page: nil) }
      var end = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = poll(&end, 1, Int32(min(left, 3600) * 1000) + 1)
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .engineFailed("poll") }
    }
  }
}
