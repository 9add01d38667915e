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
  /// When the member was last introduced to the owner, in seconds.
  var introducedAt = -Double.infinity

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

  /// Notes what the welcome of an owner changes about the hello.
  mutating func note(_ welcome: Welcome) {
    isWelcome = true
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
