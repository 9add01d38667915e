import Fabric
import Gateway
import Motion
import Scene
import TestVectors
import Wire

@testable import Rooms

/// One message on its way to one or more members, decoded once.
final class CrowdParcel {
  let bytes: [UInt8]
  let message: ServerMessage
  /// The sessions that its frames may come from: two if its recipient moves between them.
  var truths: [CrowdTruth] = [] {
    didSet { lasts = truths.map(\.last) }
  }
  /// The last frames of these sessions when the message was sent.
  private var lasts: [UInt32] = []

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    message = try ServerMessage(decoding: bytes)
  }

  /// Returns whether each session had this frame when the message was sent, and has a record of it.
  func knows(_ number: UInt32) -> Bool {
    !truths.isEmpty && zip(truths, lasts).allSatisfy { $0.knows(number) && number <= $1 }
  }
}

/// A page and its reader: the messages that it received, and its view of the room.
final class CrowdMember {
  let place: Int
  let address: String
  var random: SplitMix64
  /// The fingers and the book, without knowledge of rooms.
  var hand: SimulatedClient
  var drag: CrowdDrag?

  /// The connection; nil while there is none.
  var connection: CrowdConnection?
  /// The room, the key that opens it, and the token that resumes the member.
  var room: String
  var key = ""
  var resume = ""
  let reader: String
  /// Whether the member has left and does not return.
  var isGone = false

  var decoder = FrameDecoder()
  var me: MemberID?
  var role: RoleEvent?
  var news: RoomEvent?
  var people: [UInt32: PersonEvent] = [:]
  var caption: Caption?
  var camera = WireMatrix.identity
  var framing: FramingEvent?
  var spot: PlaceEvent?
  var links: LinksEvent?
  var playback: PlaybackEvent?
  /// The maximum lateness of the last frames, in seconds.
  var lateness = -1.0
  var hasNewFrames = false
  /// The number of rejected actions.
  var denials = 0

  init(place: Int, room: String, seed: UInt64) {
    self.place = place
    self.room = room
    reader = ReaderID.secret(of: place < 2 ? room : "own-\(place)")
    address = "10.0.\(place / 250).\(place % 250)"
    random = SplitMix64(seed: seed)
    hand = SimulatedClient(id: MemberID(0), room: room, reportsImages: random.happens(0.3))
  }

  /// Returns the first message of the page over a new connection.
  func hello() -> ClientMessage {
    decoder = FrameDecoder()
    (role, news, me, playback, spot) = (nil, nil, nil, nil, nil)
    people = [:]
    hand.fingers = [:]
    hand.isZooming = false
    hand.isVisible = true
    if hand.undecoded != nil { hand.undecoded = [] }
    drag = nil
    return .hello(
      Hello(
        // The first member of a room is its owner, which connects without the room's name.
        room: place < 2 && key.isEmpty ? "" : room,
        key: key,
        resume: resume,
        reader: reader,
        persona: Persona(name: place.isMultiple(of: 3) ? "" : "Reader \(place)"),
        viewport: .plain,
        reportsImages: hand.undecoded != nil
      )
    )
  }

  /// Handles a message.
  /// - Returns: The frames in the message.
  func receive(_ parcel: CrowdParcel, now: Double) throws -> [DecodedFrame] {
    let message = parcel.message
    switch message {
    case .welcome(let welcome):
      me = MemberID(welcome.memberID)
      room = welcome.room
      resume = welcome.resume
      if !welcome.key.isEmpty { key = welcome.key }
    case .elements(let elements):
      try decoder.apply(message)
      hand.undecoded?.append(contentsOf: elements.filter { $0.kind == .page }.map(\.id))
    case .retired: try decoder.apply(message)
    case .snapshot, .delta, .batch: return try frames(of: message, now: now)
    case .camera(let matrix): camera = matrix
    case .pass: break
    case .framing(let framing): self.framing = framing
    case .cameras(let cameras): camera = cameras.last?.matrix ?? camera
    case .caption(let caption): self.caption = caption
    case .role(let role):
      if let last = self.role, role.number < last.number {
        throw Violation("role number \(role.number) after \(last.number)")
      }
      self.role = role
      if role.role != .wanderer { spot = nil }
    case .room(let news): self.news = news
    case .people(let news):
      if news.isWhole { people = [:] }
      for person in news.people { people[person.id] = person }
      for id in news.gone { people[id] = nil }
    case .place(let place): spot = place
    case .links(let news):
      if news.host.isEmpty, let links {
        let old = (links.follow, links.present, links.host)
        self.links = LinksEvent(
          follow: old.0,
          present: old.1,
          host: old.2,
          code: news.code,
          codeSeconds: news.codeSeconds
        )
      } else {
        links = news
      }
    case .playback(let playback): self.playback = playback
    case .error(let code, let words):
      let expected: [CloseCode] = [.keyNeeded, .elsewhere]
      guard code <= 1 || expected.contains(where: { $0.rawValue == code }) else {
        throw Violation("told off with \(code): \(words)")
      }
      denials += 1
    case .clock, .pointer, .sync, .goodbye: break
    }
    return []
  }

  private func frames(of message: ServerMessage, now: Double) throws -> [DecodedFrame] {
    let before = decoder.latest
    var frames: [DecodedFrame] = []
    if case .batch(let updates) = message {
      for update in updates {
        try decoder.apply(.delta(update))
        if let frame = decoder.latest { frames.append(frame) }
      }
    } else {
      try decoder.apply(message)
      if let frame = decoder.latest { frames.append(frame) }
      if case .snapshot = message { return note(frames, now: now) }
    }
    guard let first = frames.first, let before else { return note(frames, now: now) }
    guard first.time >= before.time else {
      throw Violation("frame \(first.number) goes back in time and recalls nothing")
    }
    return note(frames, now: now)
  }

  private func note(_ frames: [DecodedFrame], now: Double) -> [DecodedFrame] {
    // The display is not under test, so no frame has to wait.
    if decoder.queue.count > 200 { _ = decoder.dequeue(at: .infinity) }
    hasNewFrames = true
    for frame in frames.prefix(1) { lateness = max(lateness, now - frame.time) }
    return frames
  }

  /// Returns an ack for the frames since the previous call; nil without new frames.
  func ack() -> ClientMessage? {
    guard hasNewFrames, let latest = decoder.latest, let link = connection?.link else { return nil }
    defer { (hasNewFrames, lateness) = (false, -1) }
    return .ack(
      Ack(
        frame: latest.number,
        lateness: min(lateness, 100),
        syncError: .random(in: 0...0.02, using: &random),
        roundTrip: 2 * link.delay
      )
    )
  }
}

/// A finger that drags, and the number of its remaining moves.
struct CrowdDrag {
  var x, y, dx, dy: Double
  var steps: Int
}

/// A connection as the server knows it.
final class CrowdConnection {
  let person: CrowdMember
  let id: ClientID
  var link: CrowdLink
  /// The member that the connection speaks for; it changes when the connection is adopted.
  var member: MemberID
  /// Whether the server ignores its messages, because it closes the connection.
  var isClosing = false
  /// Whether the server knows that the connection is gone.
  var isOver = false
  /// Whether the page has lost the connection.
  var isTorn = false
  var awaitsWritable = false
  /// The sessions whose frames may wait for the connection: what was queued for the page before the
  /// member moved to another session is sent first.
  private(set) var waitingTruths: [CrowdTruth] = []

  init(_ person: CrowdMember, member: MemberID, seed: UInt64) {
    self.person = person
    self.member = member
    id = ClientID(UInt64(member.rawValue))
    link = CrowdLink(seed: seed)
  }

  /// Records that frames of some sessions may be queued for the page.
  func noteWaiting(_ truths: [CrowdTruth]) {
    for truth in truths where !waitingTruths.contains(where: { $0 === truth }) {
      waitingTruths.append(truth)
    }
  }

  /// Records that nothing waits for the connection any more.
  func noteDrained() { waitingTruths = [] }
}
