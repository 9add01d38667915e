import Fabric
import Motion
import Scene
import TestVectors
import Wire

@testable import Rooms

/// The actions of the members.
extension CrowdMember {
  /// Returns a random action of this member.
  /// - Returns: The messages, and the pause before the next action of a sequence; nil for a random
  ///   pause.
  func action(now: Double) -> (messages: [ClientMessage], soon: Double?) {
    guard let role else { return ([], nil) }
    if drag != nil { return ([dragOn(now: now)], .random(in: 0.012...0.035, using: &random)) }
    if !hand.isVisible {
      guard random.happens(0.4) else { return ([], nil) }
      hand.isVisible = true
      return ([.visibility(isVisible: true)], nil)
    }
    if let me, people[me.rawValue]?.state.contains(.isChoosing) == true, random.happens(0.2) {
      // A host that has left the shared book opens another one, and is asked whether to bring all
      // along.
      guard caption?.screen == .book else {
        return ([.go(book: random.happens(0.7) ? "2/1" : "0/0", opens: true, page: 4)], nil)
      }
      return ([.bring(book: random.happens(0.7) ? caption?.book : nil)], nil)
    }
    let mayTurn = role.rights.contains(.mayTurn) || role.role == .wanderer
    switch Double.random(in: 0..<1, using: &random) {
    case ..<0.5:
      // A follower seldom touches the book.
      guard mayTurn || random.happens(0.12) else { return ([], nil) }
      guard random.happens(0.6) else { return ([bookDeed(now: now)], nil) }
      return ([takeHold()], 0.016)
    case ..<0.56:
      let place = Point(
        x: .random(in: 0...1024, using: &random),
        y: .random(in: 0...768, using: &random)
      )
      return ([.point(at: random.happens(0.8) ? place : nil)], random.happens(0.5) ? 0.03 : nil)
    case ..<0.60: return ([.raise(random.happens(0.5))], nil)
    case ..<0.62: return ([.persona(persona())], nil)
    case ..<0.74: return ([.handover(handover())], nil)
    case ..<0.79: return ([.wander(role.role == .wanderer ? false : random.happens(0.5))], nil)
    case ..<0.83:
      hand.isVisible = false
      hand.fingers = [:]
      hand.isZooming = false
      return ([.visibility(isVisible: false)], nil)
    case ..<0.85: return ([.clock(clientTime: now)], nil)
    case ..<0.95:
      // A member that is not a host also tries, but seldom.
      guard role.rights.contains(.isHost) || random.happens(0.05) else { return ([], nil) }
      return ([administration()], nil)
    default: return ([], nil)
    }
  }

  private func bookDeed(now: Double) -> ClientMessage {
    while true {
      let before = hand
      let message = hand.act(now: now, using: &random)
      guard case .visibility = message else { return message }
      // The message is not sent, so the fingers stay where the server knows them.
      hand = before
    }
  }

  private func takeHold() -> ClientMessage {
    let isLevel = random.happens(0.7)
    let start = Point(
      x: .random(in: 150...900, using: &random),
      y: .random(in: 150...600, using: &random)
    )
    drag = CrowdDrag(
      x: start.x,
      y: start.y,
      dx: .random(in: isLevel ? -30...30 : -4...4, using: &random),
      dy: .random(in: isLevel ? -4...4 : -30...30, using: &random),
      steps: .random(in: 0...25, using: &random)
    )
    return .pointers(Pointers(target: 0, samples: [sample(.down, start.x, start.y)]))
  }

  private func dragOn(now: Double) -> ClientMessage {
    guard var drag else { return .pointers(Pointers(target: 0)) }
    drag.x += drag.dx
    drag.y += drag.dy
    drag.steps -= 1
    let phase: PointerPhase = drag.steps > 0 ? .move : random.happens(0.9) ? .up : .cancel
    self.drag = phase == .move ? drag : nil
    return .pointers(Pointers(target: now + 0.02, samples: [sample(phase, drag.x, drag.y)]))
  }

  /// The finger that drags is none of the hand's own fingers.
  private func sample(_ phase: PointerPhase, _ x: Double, _ y: Double) -> PointerSample {
    PointerSample(id: 7, phase: phase, x: x, y: y)
  }

  /// Lifts all fingers and ends the current action.
  func letGo() -> [ClientMessage] {
    var messages = hand.letGo()
    if let drag {
      messages.append(.pointers(Pointers(target: 0, samples: [sample(.up, drag.x, drag.y)])))
    }
    drag = nil
    if !hand.isVisible { messages.append(.visibility(isVisible: true)) }
    hand.isVisible = true
    return messages + [.point(at: nil)]
  }

  private func persona() -> Persona {
    let names = ["", "Ada", "  Bo\u{202E}b ", "Zoë 🦦", String(repeating: "x", count: 60)]
    let name = names.randomElement(using: &random) ?? ""
    return Persona(
      name: name,
      colour: random.happens(0.5) ? nil : .random(in: 0...5, using: &random)
    )
  }

  /// Returns a random person in the room, as this page knows it.
  private func other() -> UInt32 {
    people.keys.sorted().randomElement(using: &random) ?? 99_999
  }

  private func handover() -> Handover {
    if role?.prompt.kind == .offered, random.happens(0.6) {
      return random.happens(0.8) ? .accept : .decline
    }
    if [.take, .takeBack].contains(role?.bookAct), random.happens(0.4) { return .take }
    if role?.role == .presenter, random.happens(0.7) {
      let asking = people.values.filter { $0.state.contains(.asks) }.map(\.id).sorted()
      if let one = asking.randomElement(using: &random), random.happens(0.8) {
        return random.happens(0.8) ? .offer(one) : .refuse(one)
      }
      return random.happens(0.7) ? .offer(other()) : .layDown
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return .ask
    case 5: return .withdraw
    case 6: return .take
    case 7: return .offer(other())
    case 8: return .refuse(other())
    default: return .layDown
    }
  }

  /// Returns a random decision of a host.
  private func administration() -> ClientMessage {
    let first = playback != nil && random.happens(0.5) ? 25 : 0
    switch Int.random(in: first..<33, using: &random) {
    case 0..<12:
      let policies: [Policy] = [.anyoneTurns, .hostLeads, .passTheBook, .passTheBook]
      return .settings(
        RoomSettings(
          policy: policies.randomElement(using: &random) ?? .hostLeads,
          isLocked: random.happens(0.1),
          mayWander: random.happens(0.75),
          sharesShelf: random.happens(0.3)
        )
      )
    case 12..<15: return .share
    case 15: return .renewLinks
    case 16: return random.happens(0.2) ? .endReading : .share
    case 17: return .showOut(other())
    case 18..<21:
      return .grant(other(), Grant.allCases.randomElement(using: &random) ?? .follow)
    case 21..<24: return .record(random.happens(0.6))
    case 24: return .open(recording: "any")
    case 25: return .play(.pause)
    case 26: return .play(.play)
    case 27: return .play(.seek(.random(in: -1...20, using: &random)))
    case 28, 29: return .play(.close)
    case 30: return .lowerHand(other())
    case 31: return .bring(book: nil)
    default:
      let books = ["0/4", "2/1", "0/0", "9/9"]
      // Usually the book that this page has open.
      let own = caption?.screen == .book ? caption?.book : nil
      return .bring(book: random.happens(0.7) ? own : books.randomElement(using: &random))
    }
  }
}
