internal import Fabric
internal import Scene
internal import Wire

/// A member of this process's gateways as the thread of its room knows it: enough to introduce it
/// to another owner of the room.
struct Guest {
  let room: String
  /// The peer's address, in digits.
  let peer: String
  /// The hello with which the member would join now.
  private var hello: Hello
  /// Whether the page is hidden.
  private var isHidden = false
  /// When the member is introduced again, in seconds; infinite if the present owner has welcomed
  /// it.
  private(set) var deadline = Double.infinity
  /// How long the owner has to welcome the member, in seconds.
  private var patience = Self.patienceMin

  /// The limits of ``patience``, which doubles with each introduction: one that was lost while
  /// connections to NATS changed is soon repeated, and an owner that is late is not flooded.
  private static let patienceMin = 0.3
  private static let patienceMax = 2.4
  /// How long a guest waits before it is introduced to an owner that did not know it, in seconds.
  private static let rejectionSeconds = 0.1

  init(room: String, peer: String, hello: Hello) {
    (self.room, self.peer, self.hello) = (room, peer, hello)
  }

  /// Notes what a message of the member changes about its hello.
  mutating func note(_ message: ClientMessage) {
    switch message {
    case .viewport(let viewport, let reducesMotion):
      (hello.viewport, hello.reducesMotion) = (viewport, reducesMotion)
    case .persona(let persona): hello.persona = persona
    case .visibility(let isVisible): isHidden = !isVisible
    default: break
    }
  }

  /// Notes that the member is introduced to the owner.
  mutating func noteIntroduction(at now: Double) {
    deadline = now + patience
    patience = min(2 * patience, Self.patienceMax)
  }

  /// Notes that the owner does not know the member.
  mutating func noteRejection(at now: Double) { deadline = now + Self.rejectionSeconds }

  /// Notes that the owner has welcomed the member.
  mutating func noteWelcome(_ rejoin: Rejoin) {
    (deadline, patience) = (.infinity, Self.patienceMin)
    (hello.room, hello.resume) = (rejoin.room, rejoin.resume)
    if !rejoin.key.isEmpty { hello.key = rejoin.key }
    if !rejoin.reader.isEmpty { hello.reader = rejoin.reader }
  }

  /// The code of a connection that was lost without a close frame.
  private static let lostCode: UInt16 = 1006

  /// The messages that introduce the member to an owner, which may know it already.
  ///
  /// An owner ignores a hello of a member that it knows, so the member's old connection ends first;
  /// it ignores the end of a connection that it does not know.
  func introduction(as member: MemberID) -> [GatewayMessage] {
    // Without a resume token the member cannot come back, and must not remain as an absent one.
    let code = hello.resume.isEmpty ? CloseCode.normal.rawValue : Self.lostCode
    var messages: [GatewayMessage] = [
      .left(member, code: code), .hello(member, hello, peer: peer, room: room),
    ]
    if isHidden { messages.append(.packet(member, ClientPacket(.visibility(isVisible: false)))) }
    return messages
  }
}
