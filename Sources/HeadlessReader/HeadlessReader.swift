internal import Dispatch
internal import Glibc
package import Motion
package import Notices
package import Scene
package import Wire

/// A reader without a browser: joins a room over a real socket, sends gestures and collects frames.
///
/// ```swift
/// let reader = try HeadlessReader(port: 8080, room: "TABLE")
/// reader.press(.enter)
/// let frame = try reader.waitUntilSettled()
/// ```
///
/// Use it on one thread. It reads messages only while it waits for something.
package final class HeadlessReader {
  /// The default timeout of a wait, in seconds.
  package static let patience = 10.0

  /// The window.
  package private(set) var viewport: Viewport
  /// The matrix of the stage's root, from the server.
  package private(set) var camera = WireMatrix.identity
  /// What a tall window shows of the stage; nil before a server has said it.
  package private(set) var framing: FramingEvent?
  /// The number of received messages of any kind.
  package private(set) var messageCount = 0
  /// The reader's secret, as given or as assigned by the server.
  package private(set) var reader: String
  /// The role and the rights of this member.
  package private(set) var role = RoleEvent(number: 0, role: .presenter, rights: [])
  /// The state of the room.
  package var roomState: RoomEvent? { known.state }
  /// The room's links, once they have arrived.
  package var links: LinksEvent? { known.links }
  /// The state of the recording that is being played.
  package var playback: PlaybackEvent? { known.playback }
  /// The people of the room, by number.
  package var people: [UInt32: PersonEvent] { known.people }

  /// What the server has said about the room.
  private struct KnownRoom {
    var state: RoomEvent?
    var people: [UInt32: PersonEvent] = [:]
    var links: LinksEvent?
    var playback: PlaybackEvent?

    mutating func note(_ event: PeopleEvent) {
      if event.isWhole { people = [:] }
      for person in event.people { people[person.id] = person }
      for id in event.gone { people[id] = nil }
    }
  }

  private var known = KnownRoom()
  private let connection: ClientConnection
  private var welcome: Welcome?
  private var received = ReceivedFrames()
  private var clock = ServerClock()
  private var errors: [(code: UInt16, notice: Notice)] = []

  /// Joins a room and waits for its first frame.
  /// - Parameters:
  ///   - host: The server's address.
  ///   - port: Its port.
  ///   - room: The room; empty for a new one.
  ///   - key: A link's secret, a code or the library's key.
  ///   - resume: The token of the member's last connection.
  ///   - reader: The reader's secret; empty for a new reader.
  ///   - persona: The name and the colour.
  ///   - viewport: The window.
  ///   - timeout: The timeout in seconds.
  /// - Throws: ``ReaderError`` if the room was not joined in time.
  package init(
    host: String = "127.0.0.1",
    port: Int,
    room: String = "",
    key: String = "",
    resume: String = "",
    reader: String = "",
    persona: Persona = Persona(),
    viewport: Viewport = Viewport(size: Size(width: 1024, height: 768)),
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) {
    (self.viewport, self.reader) = (viewport, reader)
    connection = ClientConnection(to: ClientConnection.Target(host: host, port: port))
    let hello = Hello(
      room: room,
      key: key,
      resume: resume,
      reader: reader,
      persona: persona,
      viewport: viewport
    )
    send(.hello(hello))
    try wait(for: "the first frame", timeout: timeout) {
      $0.welcome != nil && !$0.frames.isEmpty ? true : nil
    }
  }

  /// The number of received welcomes: more than one if the room continued at another server.
  package private(set) var welcomeCount = 0

  /// The name of the room, even if the server chose it.
  package var room: String { welcome?.room ?? "" }

  /// The member id that the server assigned.
  package var memberID: UInt32 { welcome?.memberID ?? 0 }

  /// The pass for the addresses of images and books; see ``Wire/Welcome/pass``.
  package var pass: String { welcome?.pass ?? "" }

  /// All known elements, by id.
  package var elements: [UInt64: WireElement] { received.elements }

  /// Every frame, oldest first.
  package var frames: [ReceivedFrame] { received.all }

  /// The newest frame.
  package var latest: DecodedFrame? { received.all.last?.frame }

  /// The estimated time of the server's clock, in seconds.
  package var serverNow: Double { Self.now() + clock.offset }

  /// Sends a message with the number of the last role received.
  package func send(_ message: ClientMessage) {
    connection.send(message.encoded(role: role.number))
  }

  /// Sends bytes unchanged, even invalid ones.
  package func send(bytes: [UInt8]) { connection.send(bytes) }

  /// Leaves the room.
  package func close() { connection.close() }

  // CLOCK_MONOTONIC on Linux, the same clock as `receivedAt`.
  static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  // MARK: Waiting

  /// Waits for the next frame that meets a condition.
  /// - Parameters:
  ///   - timeout: The timeout in seconds.
  ///   - isWanted: The condition. Frames before the first match are skipped.
  /// - Returns: The frame.
  /// - Throws: ``ReaderError`` if no such frame arrives in time.
  @discardableResult
  package func waitForFrame(
    timeout: Double = HeadlessReader.patience,
    where isWanted: (ReceivedFrame) -> Bool
  ) throws(ReaderError) -> ReceivedFrame {
    try wait(for: "the frame", timeout: timeout) { reader in
      while let frame = reader.received.next() {
        if isWanted(frame) { return frame }
      }
      return nil
    }
  }

  /// Waits until everything sent has taken effect and the room is at rest.
  ///
  /// Returns when the time of the last frame has come, so that it is shown and nothing moves.
  @discardableResult
  package func waitUntilSettled(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> DecodedFrame {
    let end = Self.now() + timeout
    try exchangeClock(timeout: timeout)
    while true {
      let frame: DecodedFrame = try wait(for: "rest", timeout: end - Self.now()) { reader in
        reader.latest.flatMap { $0.isSettled ? $0 : nil }
      }
      let rest = frame.time - serverNow
      if rest <= 0 { return frame }
      // Reading continues, because another member may catch what is moving.
      try collect(for: min(rest + 1e-3, max(0, end - Self.now())))
      if Self.now() > end { throw .timedOut(waitingFor: "rest", seconds: timeout) }
    }
  }

  /// Requests the server's time and waits for the answer.
  ///
  /// The server answers in order, so all its earlier messages have been read when this method
  /// returns.
  @discardableResult
  package func exchangeClock(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> Double {
    let sent = Self.now()
    send(.clock(clientTime: sent))
    let server: Double = try wait(for: "the server's time", timeout: timeout) { reader in
      reader.clock.answer(to: sent)
    }
    clock.correct(sent: sent, server: server, received: Self.now())
    return server
  }

  /// Waits for the next error message.
  package func waitForError(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> (code: UInt16, notice: Notice) {
    try wait(for: "an error message", timeout: timeout) { reader in
      reader.errors.isEmpty ? nil : reader.errors.removeFirst()
    }
  }

  /// Waits for the server to close the connection.
  /// - Returns: The code and the reason.
  package func waitForClose(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> (code: UInt16, reason: String) {
    do throws(ReaderError) {
      let _: Never = try wait(for: "the close", timeout: timeout) { _ in nil }
    } catch .closed(let code, let reason) {
      return (code, reason)
    }
  }

  /// Reads messages for a number of seconds.
  package func collect(for seconds: Double) throws(ReaderError) {
    let end = Self.now() + seconds
    while true {
      let left = end - Self.now()
      guard left > 0, let event = connection.receive(timeout: left) else { return }
      try handle(event)
    }
  }

  @discardableResult
  private func wait<Value>(
    for what: String,
    timeout: Double,
    _ look: (HeadlessReader) -> Value?
  ) throws(ReaderError) -> Value {
    let end = Self.now() + timeout
    while true {
      if let value = look(self) { return value }
      guard let event = connection.receive(timeout: max(0, end - Self.now())) else {
        throw .timedOut(waitingFor: what, seconds: timeout)
      }
      try handle(event)
    }
  }

  private func handle(_ event: ClientConnection.Event) throws(ReaderError) {
    switch event {
    case .opened: break
    case .failed(let reason): throw .notConnected(reason: reason)
    case .closed(let code, let reason): throw .closed(code: code, reason: reason)
    case .message(let bytes, let receivedAt):
      messageCount += 1
      do throws(WireError) {
        try handle(ServerMessage(decoding: bytes), bytes: bytes, receivedAt: receivedAt)
      } catch { throw .malformed(error) }
    }
  }

  private func handle(
    _ message: ServerMessage,
    bytes: [UInt8],
    receivedAt: Double
  ) throws(WireError) {
    try received.receive(message, bytes: bytes, receivedAt: receivedAt)
    switch message {
    case .welcome(let welcome):
      if let last = self.welcome, last.numbering != welcome.numbering { received.forgetElements() }
      self.welcome = welcome
      welcomeCount += 1
      if !welcome.reader.isEmpty { reader = welcome.reader }
      clock.start(serverTime: welcome.serverTime, receivedAt: receivedAt)
    case .camera(let matrix): camera = matrix
    case .cameras(let cameras): camera = cameras.last?.matrix ?? camera
    case .framing(let event): framing = event
    case .pass(let pass): welcome?.pass = pass
    case .clock(let client, let server): clock.receive(client: client, server: server)
    case .error(let code, let notice): errors.append((code, notice))
    case .role(let event): role = event
    case .room(let event): known.state = event
    case .links(let event): known.links = event
    case .playback(let event): known.playback = event
    case .people(let event): known.note(event)
    case .elements, .retired, .snapshot, .delta, .batch, .caption, .place, .sync, .pointer,
      .goodbye:
      break
    }
  }

  func resized(to viewport: Viewport) { self.viewport = viewport }
}

/// Gestures of a reader, in stage points from the centre of the stage.
extension HeadlessReader {
  /// Half the distance of two fingers at scale 1, in stage points.
  package static let fingerReach = 40.0
  /// The time between two messages of a drag or a pinch, in seconds.
  package static let frameInterval = 1.0 / 60

  /// Converts a stage point to CSS pixels from the upper left corner of the window.
  package func pixels(of point: Point) -> Point {
    Point(
      x: viewport.size.width / 2 + Double(camera[0]) * point.x + Double(camera[12]),
      y: viewport.size.height / 2 + Double(camera[5]) * point.y + Double(camera[13])
    )
  }

  /// Sends one event of one finger.
  /// - Parameters:
  ///   - phase: The phase.
  ///   - point: The position in stage points.
  ///   - id: The number of the finger.
  ///   - target: The server's time of the next vsync, or 0.
  package func finger(_ phase: PointerPhase, at point: Point, id: UInt8 = 0, target: Double = 0) {
    send(.pointers(Pointers(target: target, samples: [sample(phase, at: point, id: id)])))
  }

  /// Returns one finger's sample at a stage point.
  package func sample(_ phase: PointerPhase, at point: Point, id: UInt8 = 0) -> PointerSample {
    let place = pixels(of: point)
    return PointerSample(id: id, phase: phase, x: place.x, y: place.y)
  }

  /// Taps at a point.
  package func tap(at point: Point) {
    finger(.down, at: point)
    finger(.up, at: point)
  }

  /// Drags one finger, with one message per ``frameInterval``.
  /// - Parameters:
  ///   - start: The first position.
  ///   - end: The last position.
  ///   - steps: The number of moves.
  ///   - lifts: Whether the finger is lifted at the end.
  package func drag(from start: Point, to end: Point, steps: Int = 10, lifts: Bool = true) {
    finger(.down, at: start)
    for step in 1...max(1, steps) {
      pause()
      let part = Double(step) / Double(max(1, steps))
      finger(
        .move,
        at: Point(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part),
        target: serverNow + Self.frameInterval
      )
    }
    if lifts { finger(.up, at: end) }
  }

  /// Pinches with two fingers, with one message per ``frameInterval``.
  /// - Parameters:
  ///   - start: The scale at the beginning, relative to twice ``fingerReach``.
  ///   - end: The scale at the end.
  ///   - middle: The centre in stage points.
  ///   - steps: The number of moves.
  ///   - lifts: Whether the fingers are lifted at the end.
  package func pinch(
    from start: Double,
    to end: Double,
    at middle: Point = Point(x: 0, y: 0),
    steps: Int = 10,
    lifts: Bool = true
  ) {
    sendPair(.down, scale: start, at: middle)
    for step in 1...max(1, steps) {
      pause()
      let part = Double(step) / Double(max(1, steps))
      sendPair(.move, scale: start + (end - start) * part, at: middle)
    }
    if lifts { sendPair(.up, scale: end, at: middle) }
  }

  private func sendPair(_ phase: PointerPhase, scale: Double, at middle: Point) {
    let reach = Self.fingerReach * scale
    let samples = [(-reach, 0), (reach, 1)].map { offset, id in
      sample(phase, at: Point(x: middle.x + offset, y: middle.y), id: UInt8(id))
    }
    send(.pointers(Pointers(target: serverNow + Self.frameInterval, samples: samples)))
  }

  /// Presses a key.
  package func press(_ key: Key) { send(.key(key)) }

  /// Turns the wheel, in CSS pixels.
  package func wheel(dx: Double = 0, dy: Double, ctrl: Bool = false) {
    send(.wheel(dx: dx, dy: dy, at: pixels(of: Point(x: 0, y: 0)), ctrl: ctrl))
  }

  /// Sends the message of an animation frame without new input during a gesture.
  package func tick() { send(.pointers(Pointers(target: serverNow + Self.frameInterval))) }

  /// Reports another window size.
  package func resize(to viewport: Viewport) {
    resized(to: viewport)
    send(.viewport(viewport, reducesMotion: false))
  }

  private func pause() { usleep(UInt32(Self.frameInterval * 1e6)) }
}
