import Fabric
import Scene
import TestVectors
import Testing
import Wire

@testable import Gateway

/// Several gateways of one host: the first one is the home, the others get parcels.
private struct RoutedGateways {
  var stream = PublishedStream()
  var gateways: [Gateway]
  let clients: [CollectingClients]
  var router = HostRouter<Int>()
  var places: [MemberID: Int] = [:]
  var decoders: [MemberID: FrameDecoder] = [:]
  var watching: Set<MemberID> = []
  var now = 10.0
  private var next: UInt32 = 0

  init(_ count: Int) {
    gateways = (0..<count).map { _ in Gateway() }
    clients = (0..<count).map { _ in CollectingClients() }
  }

  mutating func join(at place: Int) -> MemberID {
    next += 1
    let member = MemberID(next)
    gateways[place].opened(ClientID(UInt64(next)), as: member, from: "", now: now)
    let hello = GatewayMessage.hello(member, Hello(viewport: .plain), peer: "")
    let isAccepted = router.accepts(hello, from: place == 0 ? nil : place)
    precondition(isAccepted)
    places[member] = place
    decoders[member] = FrameDecoder()
    return member
  }

  mutating func leave(_ member: MemberID) -> Bool {
    let place = places.removeValue(forKey: member) ?? 0
    gateways[place].closed(ClientID(UInt64(member.rawValue)), code: 1006)
    decoders[member] = nil
    watching.remove(member)
    let left = GatewayMessage.left(member, code: 1006)
    return router.accepts(left, from: place == 0 ? nil : place)
  }

  /// Delivers what the host has published.
  mutating func deliver(_ messages: HostMessages) throws {
    gateways[0].deliver(messages, now: now, clients: clients[0])
    let (time, home) = (now, gateways[0])
    var copy = home
    let parcels = router.route(messages) { copy.introduce($0, now: time, into: &$1) }
    for (place, parcel) in parcels {
      gateways[place].deliver(parcel, now: now, clients: clients[place])
    }
    for (member, place) in places {
      let client = ClientID(UInt64(member.rawValue))
      let sent = clients[place].sent.removeValue(forKey: client) ?? []
      try decoders[member]?.handle(sent)
    }
  }
}

@Suite("Gateways behind a router")
struct RoutedGatewaysTests {
  @Test("members behind all gateways see the same frames, whatever they do")
  func sameFrames() throws {
    for seed in UInt64(0)..<60 {
      var random = SplitMix64(seed: seed)
      var routed = RoutedGateways(Int.random(in: 2...4, using: &random))
      routed.stream.introduce([1, 2, 3])
      routed.stream.snapshot(routed.stream.frame([1, 2], angle: 0), at: routed.now)
      try routed.deliver(routed.stream.take())
      for step in 0..<80 {
        routed.now += 1.0 / 60
        try act(&routed, step, &random)
        let latest = routed.watching.compactMap { routed.decoders[$0]?.latest?.shown }
        #expect(latest.allSatisfy { $0 == latest[0] }, "seed \(seed), step \(step)")
        #expect(latest.count == routed.watching.count, "seed \(seed), step \(step)")
      }
    }
  }

  private func act(_ routed: inout RoutedGateways, _ step: Int, _ random: inout SplitMix64) throws {
    let members = routed.places.keys.sorted { $0.rawValue < $1.rawValue }
    var others = HostMessages()
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      let place = Int.random(in: 0..<routed.gateways.count, using: &random)
      let member = routed.join(at: place)
      routed.stream.messages.append(.attach(member, to: routed.stream.id))
      routed.watching.insert(member)
    case 2:
      guard let member = members.randomElement(using: &random) else { break }
      let isAccepted = routed.leave(member)
      #expect(isAccepted)
    case 3:
      guard let member = members.randomElement(using: &random) else { break }
      routed.stream.messages.append(.detach(member))
      routed.watching.remove(member)
      routed.decoders[member] = FrameDecoder()
    case 4:
      let leaves = [1, 2, 3 + step % 3]
      routed.stream.introduce(leaves)
      routed.stream.snapshot(routed.stream.frame(leaves, angle: 0.1), at: routed.now)
    default: break
    }
    if random.happens(0.8) {
      let frame = routed.stream.frame([1, 2], angle: Double(step) / 40)
      routed.stream.delta(frame, at: routed.now)
    }
    swap(&others, &routed.stream.messages)
    try routed.deliver(others)
  }

  @Test("a gateway gets each frame once, however many of its members watch, and none without any")
  func once() throws {
    var routed = RoutedGateways(3)
    routed.stream.introduce([1])
    routed.stream.snapshot(routed.stream.frame([1], angle: 0), at: 10)
    try routed.deliver(routed.stream.take())
    let members = (0..<6).map { _ in routed.join(at: 1) }
    for member in members { routed.stream.messages.append(.attach(member, to: routed.stream.id)) }
    try routed.deliver(routed.stream.take())
    routed.stream.delta(routed.stream.frame([1], angle: 0.5), at: 10.1)
    let messages = routed.stream.take()
    let parcels = routed.router.route(messages) { _, _ in
      Issue.record("no stream is new to a gateway")
    }
    #expect(parcels.keys.sorted() == [1])
    #expect(parcels[1]?.list.count == 1)
    for member in members { _ = routed.leave(member) }
    let rest = routed.router.route(HostMessages()) { _, _ in }
    #expect(rest[1]?.list == [.end(routed.stream.id)])
    #expect(routed.router.isHomeOnly)
  }

  @Test("a member that continues over another gateway is no longer heard from the first one")
  func moves() {
    var router = HostRouter<Int>()
    let (old, new) = (MemberID(1), MemberID(2))
    let hello = Hello(viewport: .plain)
    _ = router.accepts(.hello(old, hello, peer: ""), from: 1)
    _ = router.accepts(.hello(new, hello, peer: ""), from: 2)
    var messages = HostMessages()
    messages.append(.adopt(new, as: old))
    let parcels = router.route(messages) { _, _ in }
    #expect(parcels.keys.sorted() == [1, 2])
    let left = GatewayMessage.left(old, code: 1006)
    let answers = [router.accepts(left, from: 1), router.accepts(left, from: 2)]
    #expect(answers == [false, true])
  }
}
