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
  private(set) var hello: Hello
  /// Whether the page is hidden.
  private(set) var isHidden = false
  /// Whether the present owner has welcomed the member.
  var isWelcome = false
  /// When the member is introduced again unless it is welcomed before, in seconds.
  private(set) var welcomeDeadline = -Double.infinity
  /// How long the owner has to welcome the member, in seconds.
  private var patience = Self.patienceMin

  /// The limits of ``patience``, which doubles with each introduction: one that was lost while
  /// connections to NATS changed is soon repeated, and an owner that is late is not flooded.
  private static let patienceMin = 0.3
  private static let patienceMax = 2.4

  init(room: String, peer: String, hello: Hello) {
    (self.room, self.peer, self.hello) = (room, peer, hello)
    self.hello.room = hello.room
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
  /// - Returns: When it is introduced again unless it is welcomed before.
  mutating func noteIntroduction(at now: Double) -> Double {
    welcomeDeadline = now + patience
    patience = min(2 * patience, Self.patienceMax)
    return welcomeDeadline
  }

  /// Notes that the owner does not know the member, which is then introduced at once.
  mutating func noteRejection() {
    isWelcome = false
    welcomeDeadline = -.infinity
  }

  /// Notes what the welcome of an owner changes about the hello.
  mutating func note(_ welcome: Welcome) {
    isWelcome = true
    patience = Self.patienceMin
    hello.room = welcome.room
    hello.resume = welcome.resume
    if !welcome.key.isEmpty { hello.key = welcome.key }
    if !welcome.reader.isEmpty { hello.reader = welcome.reader }
  }

  /// The code of a connection that was lost without a close frame.
  private static let lostCode: UInt16 = 1006

  /// The messages that introduce the member again to an owner that may know it.
  ///
  /// The owner ignores a hello of a member that it knows, so the member's old connection ends
  /// first.
  func reintroduction(as member: MemberID) -> [GatewayMessage] {
    // Without a resume token the member cannot come back, and must not remain as an absent one.
    let code = hello.resume.isEmpty ? CloseCode.normal.rawValue : Self.lostCode
    return [.left(member, code: code)] + introduction(as: member)
  }

  /// The messages that introduce the member to an owner.
  func introduction(as member: MemberID) -> [GatewayMessage] {
    var messages = [GatewayMessage.hello(member, hello, peer: peer, room: room)]
    if isHidden {
      messages.append(.packet(member, ClientPacket(.visibility(isVisible: false))))
    }
    return messages
  }
}
