internal import Fabric
internal import Rooms
internal import Scene
internal import WebServer

// Changes of the owners of rooms.
extension RoomRelays {
  /// This process owns a room from now on.
  func owned(_ room: String) {
    let now = WebServer.now()
    if relays[room] == nil { relays[room] = Relay() }
    // A room that nobody else has owned meanwhile is still open, in a new epoch.
    if relays[room]?.standing == .here || relays[room]?.standing == .frozen {
      return resume(room, now: now)
    }
    let seen = gateway?.lastPlace(inRoom: room)
    if case .elsewhere = relays[room]?.standing { gateway?.endStreams(of: room, now: now) }
    relays[room]?.standing = .opening
    states.read(room, of: cluster) { [cluster] state in
      cluster.threads.threads[cluster.threads.index(ofRoom: room)].performOnGateway { gateway in
        gateway.withRelays { $0.open(room, state, seen: seen) }
      }
    }
  }

  /// Opens a room whose state was read; nil if nothing is stored.
  private func open(_ room: String, _ state: RoomState?, seen: BookPlace?) {
    guard relays[room]?.standing == .opening else { return }
    let now = WebServer.now()
    relays[room]?.standing = .here
    if var state {
      if let seen, state.openBook == seen.book { state.move(to: seen) }
      host.restore(state, now: now)
    }
    introduceAll(of: room, now: now)
    let held = relays[room]?.held ?? []
    relays[room]?.held = []
    for work in held { work() }
  }

  /// Another node owns a room from now on.
  func owner(_ owner: RoomOwner, of room: String) {
    guard let relay = relays[room] else { return cluster.forget(room) }
    guard relay.standing != .elsewhere(owner) else { return }
    let now = WebServer.now()
    if relay.standing != .unknown { gateway?.endStreams(of: room, now: now) }
    relays[room]?.standing = .elsewhere(owner)
    relays[room]?.edges = []
    introduceAll(of: room, now: now)
    forgetIfEmpty(room)
  }

  /// Nothing may be computed in a room until it is thawed.
  func frozen(_ room: String) {
    guard relays[room]?.standing == .here else { return }
    relays[room]?.standing = .frozen
    host.setPaused(true, room: room, now: WebServer.now())
  }

  /// A frozen room may be computed again.
  func thawed(_ room: String) {
    if relays[room]?.standing == .frozen { resume(room, now: WebServer.now()) }
  }

  /// Computes a room again that is open here, beginning with what has waited.
  private func resume(_ room: String, now: Double) {
    relays[room]?.standing = .here
    host.setPaused(false, room: room, now: now)
    let waiting = relays[room]?.waiting ?? []
    relays[room]?.waiting = []
    host.receive(waiting, now: now)
  }

  /// A room of this process continues elsewhere, or nowhere.
  func lost(_ room: String) {
    let now = WebServer.now()
    _ = host.handOver(room, now: now)
    gateway?.endStreams(of: room, now: now)
    guard let relay = relays[room] else { return }
    relays[room]?.standing = .unknown
    relays[room]?.edges = []
    // The nodes whose members are in the room may have nothing to send that would be rejected.
    for edge in relay.edges { cluster.send(.notOwner(room: room, epoch: 0), to: edge) }
    if relay.guests.isEmpty { forgetIfEmpty(room) } else { cluster.want(room) }
  }

  /// Introduces all members of a room to its owner, and passes on what has waited.
  /// - Parameters:
  ///   - room: The room.
  ///   - now: The time.
  ///   - mayBeKnown: Whether the owner, another node, may know the members already.
  func introduceAll(of room: String, now: Double, mayBeKnown: Bool = false) {
    guard let relay = relays[room] else { return }
    var messages: [GatewayMessage] = []
    for member in relay.guests.sorted(by: { $0.rawValue < $1.rawValue }) {
      guests[member]?.isWelcome = false
      guard let guest = guests[member] else { continue }
      messages += mayBeKnown ? guest.reintroduction(as: member) : guest.introduction(as: member)
    }
    for message in relay.waiting {
      if case .hello = message { continue }
      messages.append(message)
    }
    relays[room]?.waiting = []
    if relay.standing == .here {
      for member in relay.guests { noteIntroduction(of: member, now: now) }
      host.receive(messages, now: now)
    } else {
      pass(messages, to: room, now: now)
    }
  }

  func noteIntroduction(of member: MemberID, now: Double) {
    guard let deadline = guests[member]?.noteIntroduction(at: now) else { return }
    wakeTime = min(wakeTime ?? .infinity, deadline)
  }

  /// Introduces members again that were not welcomed in time.
  func wake(now: Double) {
    guard let wakeTime, wakeTime <= now else { return }
    self.wakeTime = nil
    for (member, guest) in guests where !guest.isWelcome {
      guard case .elsewhere = relays[guest.room]?.standing else { continue }
      if guest.welcomeDeadline <= now {
        pass(guest.reintroduction(as: member), to: guest.room, now: now)
      } else {
        self.wakeTime = min(self.wakeTime ?? .infinity, guest.welcomeDeadline)
      }
    }
  }
}
