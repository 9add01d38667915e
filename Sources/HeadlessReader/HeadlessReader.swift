internal import Dispatch
public import Geometry
public import Scene
public import Wire

/// A reader without a browser: joins a room over a real socket, sends gestures, collects frames.
///
/// ```swift
/// let reader = try HeadlessReader(port: 8080, room: "TABLE")
/// reader.press(.enter)
/// let frame = try reader.waitUntilSettled()
/// ```
///
/// One thread uses it. Messages are read while it waits for something and at no other time.
public final class HeadlessReader {
  /// A frame as it came.
  public struct ReceivedFrame: Equatable, Sendable {
    /// What it shows.
    public let frame: DecodedFrame
    /// The whole message that brought it, a batch's other frames included.
    public let bytes: [UInt8]
    /// When it came, in seconds of CLOCK_MONOTONIC.
    public let receivedAt: Double
    /// It came as a snapshot and recalled what was sent before.
    public let isSnapshot: Bool
  }

  /// How long each wait lasts unless told, in seconds.
  public static let patience = 10.0

  /// The room, also when the server chose it.
  public private(set) var room = ""
  /// The number the server gave to this member.
  public private(set) var memberID: UInt32 = 0
  /// The window.
  public private(set) var viewport: Viewport
  /// The matrix of the stage's root, from the server.
  public private(set) var camera = WireMatrix.identity
  /// Where the stage is, in data and texts.
  public private(set) var caption: Caption?
  /// Every frame, oldest first.
  public private(set) var frames: [ReceivedFrame] = []
  /// The errors that the server sent: code and text.
  public private(set) var errors: [(code: UInt16, message: String)] = []
  /// How many messages came, of any kind.
  public private(set) var messageCount = 0
  /// The server's clock less this machine's, from the quickest exchange so far, in seconds.
  public private(set) var clockOffset = 0.0

  /// The token with which hello rejoins as the same member.
  public private(set) var resume = ""
  /// The reader's secret, as it was sent or received.
  public private(set) var reader = ""
  /// The secret that opens the room again, if it was entered by a code.
  public private(set) var key = ""
  /// What this member is and may do.
  public private(set) var role = RoleEvent(number: 0, role: .presenter, rights: [])
  /// The state of the room.
  public private(set) var roomNews: RoomEvent?
  /// The members of the room, by number.
  public private(set) var people: [UInt32: PersonEvent] = [:]
  /// The room's links, once they have arrived.
  public private(set) var links: LinksEvent?
  /// Where the others read, while this member wanders.
  public private(set) var place: PlaceEvent?
  /// The state of the recording that is played.
  public private(set) var playback: PlaybackEvent?
  /// How well members keep time, by member.
  public private(set) var sync: [UInt32: SyncEvent] = [:]
  /// Where others pointed, oldest first.
  public private(set) var pointers: [PointerEvent] = []
  /// The delay that goodbye named, in seconds; nil before a goodbye.
  public private(set) var comeBackAfter: Double?

  /// Added to the addresses of pictures and books, see ``Wire/Welcome/pass``.
  public private(set) var pass = ""

  private let connection: Connection
  private var decoder = FrameDecoder()
  private var cursor = 0
  private var isWelcome = false
  private var lastClock: (client: Double, server: Double)?
  private var bestRoundTrip = Double.infinity

  /// Joins a room and waits for its first frame.
  /// - Parameters:
  ///   - host: The server's address.
  ///   - port: Its port.
  ///   - room: The room; empty asks for a new one.
  ///   - key: A link's secret, a code or the library's key.
  ///   - resume: The token of the member's last connection.
  ///   - reader: The reader's secret; empty for a new reader.
  ///   - persona: The name and the colour.
  ///   - viewport: The window to claim.
  ///   - timeout: How long to wait, in seconds.
  /// - Throws: ``ReaderError`` when the room was not entered in time.
  public init(
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
    self.viewport = viewport
    self.reader = reader
    connection = Connection(to: Connection.Target(host: host, port: port))
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
      $0.isWelcome && !$0.frames.isEmpty ? true : nil
    }
    cursor = 0
  }

  /// What an id stands for.
  public func element(_ id: UInt64) -> WireElement? { decoder.elements[id] }

  /// All elements known, by id.
  public var elements: [UInt64: WireElement] { decoder.elements }

  /// The newest frame.
  public var latest: DecodedFrame? { frames.last?.frame }

  /// The server's clock now, in seconds, as far as it is known.
  public var serverNow: Double { Self.now() + clockOffset }

  /// Sends a message, with the number of the role as it was heard last.
  public func send(_ message: ClientMessage) {
    connection.send(message.encoded(role: role.number))
  }

  /// Sends bytes as they are, also such as no client should send.
  public func send(bytes: [UInt8]) { connection.send(bytes) }

  /// Leaves.
  public func close() { connection.close() }

  // CLOCK_MONOTONIC on Linux, as in `receivedAt`.
  static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

// MARK: - Waiting

extension HeadlessReader {
  /// Waits for a frame that was not waited for before.
  /// - Parameters:
  ///   - timeout: How long, in seconds.
  ///   - isWanted: Tells which frame; the first of them is given, and those before it are passed.
  /// - Returns: The frame.
  /// - Throws: ``ReaderError`` when none came in time.
  @discardableResult
  public func waitForFrame(
    timeout: Double = HeadlessReader.patience,
    where isWanted: (ReceivedFrame) -> Bool
  ) throws(ReaderError) -> ReceivedFrame {
    try wait(for: "the frame", timeout: timeout) { reader in
      while reader.cursor < reader.frames.count {
        defer { reader.cursor += 1 }
        if isWanted(reader.frames[reader.cursor]) { return reader.frames[reader.cursor] }
      }
      return nil
    }
  }

  /// Waits until all that was sent has had its effect and the room rests.
  ///
  /// Returns when the last frame's time has come, so that it is seen and nobody presents any more.
  @discardableResult
  public func waitUntilSettled(
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
      // Read on meanwhile: somebody may catch what flies.
      try collect(for: min(rest + 1e-3, max(0, end - Self.now())))
      if Self.now() > end { throw .timedOut(waitingFor: "rest", seconds: timeout) }
    }
  }

  /// Asks for the server's time and waits for the answer.
  ///
  /// The server answers in order, so all that it said before has been heard then.
  @discardableResult
  public func exchangeClock(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> Double {
    let sent = Self.now()
    send(.clock(clientTime: sent))
    let server: Double = try wait(for: "the server's time", timeout: timeout) { reader in
      reader.lastClock.flatMap { $0.client == sent ? $0.server : nil }
    }
    let roundTrip = Self.now() - sent
    if roundTrip < bestRoundTrip {
      bestRoundTrip = roundTrip
      clockOffset = server - (sent + roundTrip / 2)
    }
    return server
  }

  /// Waits for an error message that was not waited for before.
  public func waitForError(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> (code: UInt16, message: String) {
    try wait(for: "an error message", timeout: timeout) { reader in
      reader.errors.isEmpty ? nil : reader.errors.removeFirst()
    }
  }

  /// Waits for the server to close.
  /// - Returns: The code and the reason.
  public func waitForClose(
    timeout: Double = HeadlessReader.patience
  ) throws(ReaderError) -> (code: UInt16, reason: String) {
    do throws(ReaderError) {
      let _: Never = try wait(for: "the close", timeout: timeout) { _ in nil }
    } catch .closed(let code, let reason) {
      return (code, reason)
    }
  }

  /// Reads what comes for a while.
  public func collect(for seconds: Double) throws(ReaderError) {
    let end = Self.now() + seconds
    while true {
      let left = end - Self.now()
      guard left > 0, let event = connection.receive(timeout: left) else { return }
      try hear(event)
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
      try hear(event)
    }
  }

  private func hear(_ event: Connection.Event) throws(ReaderError) {
    switch event {
    case .opened: break
    case .failed(let reason): throw .notConnected(reason: reason)
    case .closed(let code, let reason): throw .closed(code: code, reason: reason)
    case .message(let bytes, let receivedAt):
      messageCount += 1
      do throws(WireError) {
        try hear(ServerMessage(decoding: bytes), bytes: bytes, receivedAt: receivedAt)
      } catch { throw .malformed(error) }
    }
  }

  private func hear(
    _ message: ServerMessage,
    bytes: [UInt8],
    receivedAt: Double
  ) throws(WireError) {
    switch message {
    case .welcome(let welcome):
      (room, memberID, isWelcome) = (welcome.room, welcome.memberID, true)
      (resume, key) = (welcome.resume, welcome.key)
      pass = welcome.pass
      if !welcome.reader.isEmpty { reader = welcome.reader }
      clockOffset = welcome.serverTime - receivedAt
    case .camera(let matrix): camera = matrix
    case .cameras(let cameras): camera = cameras.last?.matrix ?? camera
    case .caption(let caption): self.caption = caption
    case .clock(let client, let server): lastClock = (client, server)
    case .error(let code, let message): errors.append((code, message))
    case .elements, .retired: try decoder.apply(message)
    case .snapshot, .delta:
      try decoder.apply(message)
      note(bytes, receivedAt: receivedAt, isSnapshot: bytes.first == 0x83)
    case .batch(let updates):
      for update in updates {
        try decoder.apply(.delta(update))
        note(bytes, receivedAt: receivedAt, isSnapshot: false)
      }
    case .role(let news): role = news
    case .room(let news): roomNews = news
    case .people(let news): hear(news)
    case .links(let news): links = news
    case .place(let news): place = news
    case .playback(let news): playback = news
    case .sync(let members):
      for member in members { sync[member.member] = member }
    case .pointer(let news): pointers.append(news)
    case .goodbye(let seconds): comeBackAfter = seconds
    }
  }

  private func note(_ bytes: [UInt8], receivedAt: Double, isSnapshot: Bool) {
    guard let frame = decoder.latest else { return }
    frames.append(
      ReceivedFrame(frame: frame, bytes: bytes, receivedAt: receivedAt, isSnapshot: isSnapshot)
    )
  }

  private func hear(_ news: PeopleEvent) {
    if news.isWhole { people = [:] }
    for person in news.people { people[person.id] = person }
    for id in news.gone { people[id] = nil }
  }

  func resized(to viewport: Viewport) { self.viewport = viewport }
}
