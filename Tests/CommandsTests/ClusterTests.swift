import Fabric
import Foundation
import HeadlessReader
import Motion
import Scene
import Synchronization
import Testing
import Wire

@testable import Clustering
@testable import Commands
@testable import Server

/// Servers of this process that share rooms, and a room with an open, shared book at the first.
private struct SharedReading {
  let folder: SampleFolder
  let cluster = MemoryCluster()
  let buses: [MemoryBus]
  let servers: [ServingThread]
  let host: HeadlessReader

  init(nodes: Int) throws {
    let folder = try SampleFolder()
    let buses = [MemoryBus]((0..<nodes).map { [cluster] _ in cluster.join() })
    servers = try buses.map { bus in
      // Equal content has the same id at all servers if they have the same secret.
      let data = "\(folder.root.path)/data-\(bus.node)"
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
      try Data(repeating: 7, count: 32).write(to: URL(filePath: data + "/secret"))
      return try ServingThread(folder, data: data, bus: bus)
    }
    (self.folder, self.buses) = (folder, buses)
    host = try HeadlessReader(port: servers[0].port)
    for _ in 0..<2 {
      host.press(.enter)
      try host.waitUntilSettled()
    }
    host.send(.share)
    try host.wait { $0.links != nil }
  }

  /// Turns a leaf, and waits until followers see where it comes to rest.
  func turn(_ followers: [HeadlessReader]) throws {
    let before = host.latest?.number ?? 0
    host.press(.arrowRight)
    try host.wait { ($0.latest?.number ?? 0) > before && $0.latest?.isSettled == true }
    for reader in followers { try reader.wait { $0.latest?.number == host.latest?.number } }
  }

  /// Joins the room through a server, to follow.
  func follower(at server: Int) throws -> HeadlessReader {
    try HeadlessReader(
      port: servers[server].port,
      room: host.room,
      key: host.links?.follow ?? ""
    )
  }
}

extension HeadlessReader {
  /// Waits until something is true of this reader.
  fileprivate func wait(
    seconds: Double = 10,
    sourceLocation: SourceLocation = #_sourceLocation,
    until isTrue: (HeadlessReader) -> Bool
  ) throws {
    let end = Date().addingTimeInterval(seconds)
    while !isTrue(self) {
      try #require(Date() < end, "timed out", sourceLocation: sourceLocation)
      try collect(for: 0.01)
    }
  }
}

/// What frames show: matrices by kind and index of the element, without the numbers that each
/// server gives to elements.
private func shown(_ reader: HeadlessReader) -> [String: WireMatrix] {
  let entries = (reader.latest?.shown ?? []).map { shown in
    let element = reader.elements[shown.id]
    return ("\(element?.kind as Any) \(element?.index ?? 0) \(shown.part)", shown.matrix)
  }
  return Dictionary(entries) { first, _ in first }
}

/// The number of people that are connected, as a reader knows them.
private func here(_ reader: HeadlessReader) -> Int {
  reader.people.values.count { !$0.state.contains(.isAway) }
}

@Suite("Rooms of a cluster")
struct ClusterTests {
  @Test("members of three servers see the same frames")
  func relays() throws {
    let reading = try SharedReading(nodes: 3)
    let followers = try [0, 1, 2].map { try reading.follower(at: $0) }
    for reader in followers { #expect(reader.room == reading.host.room) }
    reading.host.press(.arrowRight)
    let settled = try reading.host.waitUntilSettled()
    for reader in followers {
      try reader.wait { $0.latest?.isSettled == true && $0.latest?.number == settled.number }
      #expect(shown(reader) == shown(reading.host))
      // The same frames arrived on the way, too, and not only the last one.
      #expect(reader.frames.count > 10)
    }
  }

  @Test("the metrics of an owner and of an edge name the same owner and epoch of a room")
  func ownersInMetrics() throws {
    let reading = try SharedReading(nodes: 2)
    let follower = try reading.follower(at: 1)
    defer { follower.close() }
    let record = try #require(reading.cluster.records(.leases)[reading.host.room])
    let owner = try #require(LeaseOwner(record))
    let line =
      "lectern_room_owner{room=\"\(reading.host.room)\",node=\"\(owner.node.text)\","
      + "epoch=\"\(owner.epoch)\"} 1"
    for server in reading.servers {
      let text = try server.ask("/metrics", isForAdmin: true).body
      #expect(text.contains(line))
    }
  }

  @Test("a member of another server leads, and all follow")
  func leadsFromElsewhere() throws {
    let reading = try SharedReading(nodes: 2)
    let other = try HeadlessReader(
      port: reading.servers[1].port,
      room: reading.host.room,
      key: reading.host.links?.present ?? ""
    )
    reading.host.send(.settings(RoomSettings(policy: .anyoneTurns)))
    try other.wait { $0.role.rights.contains(.mayTurn) }
    let before = reading.host.latest?.number ?? 0
    other.press(.arrowRight)
    try reading.host.wait { ($0.latest?.number ?? 0) > before && $0.latest?.isSettled == true }
    try other.wait { $0.latest?.number == reading.host.latest?.number }
    #expect(shown(other) == shown(reading.host))
  }

  @Test("an edge that all members have left can be joined again, and its owner knows who is there")
  func joinsAgain() throws {
    let reading = try SharedReading(nodes: 2)
    for _ in 0..<3 {
      let followers = try [1, 1].map { try reading.follower(at: $0) }
      try reading.host.wait { here($0) == 3 }
      try reading.turn(followers)
      for reader in followers {
        #expect(shown(reader) == shown(reading.host))
        reader.close()
      }
      try reading.host.wait { here($0) == 1 }
    }
  }

  @Test("a room continues where it was when its owner is lost, and its members need not reload")
  func ownerLost() throws {
    let reading = try SharedReading(nodes: 3)
    let followers = try [1, 2].map { try reading.follower(at: $0) }
    try reading.turn(followers)
    let seen = shown(followers[0])
    let welcomes = followers.map(\.welcomeCount)
    reading.cluster.kill(reading.buses[0].node)
    for (reader, count) in zip(followers, welcomes) {
      try reader.wait { $0.welcomeCount > count && shown($0) == seen }
      #expect(reader.room == reading.host.room)
    }
    // The host returns through another server, as the same member, and leads on.
    let back = try HeadlessReader(
      port: reading.servers[2].port,
      room: reading.host.room,
      reader: reading.host.reader
    )
    try back.wait { $0.role.rights.contains(.mayTurn) }
    let before = followers[0].latest?.number ?? 0
    back.press(.arrowRight)
    try followers[0].wait { ($0.latest?.number ?? 0) > before && $0.latest?.isSettled == true }
    try followers[1].wait { shown($0) == shown(followers[0]) }
  }

  @Test("a server that takes a room tells all others, and gives it up to one that took it later")
  func claims() throws {
    let reading = try SharedReading(nodes: 2)
    let observer = reading.cluster.join()
    let claims = Mutex<[ClusterMessage]>([])
    observer.start { event in
      guard case .broadcast(let bytes, _) = event, let message = try? ClusterMessage(bytes)
      else { return }
      claims.withLock { $0.append(message) }
    }
    let follower = try reading.follower(at: 1)
    try reading.turn([follower])
    let room = reading.host.room
    let count = follower.welcomeCount
    reading.cluster.kill(reading.buses[0].node)
    try follower.wait { $0.welcomeCount > count && $0.latest?.isSettled == true }
    let taken = try #require(reading.cluster.records(.leases)[room])
    let owner = try #require(LeaseOwner(taken))
    #expect(owner.node == reading.buses[1].node)
    try follower.wait { _ in
      claims.withLock { $0 }.contains(.owned(room: room, epoch: owner.epoch))
    }
    // The servers have granted the room to the observer, too.
    let lease = LeaseOwner(node: observer.node, epoch: 0, address: "")
    let written = reading.cluster.write(.leases, room, lease.bytes, after: .any)
    let epoch = try written.get()
    let conflicts = reading.cluster.conflicts
    let messages = Mutex(0)
    observer.start { event in
      if case .message = event { messages.withLock { $0 += 1 } }
    }
    let claim = ClusterMessage.owned(room: room, epoch: epoch)
    observer.broadcast(claim.bytes)
    // It asks the new owner for its clock, and introduces the members to it.
    try follower.wait { _ in messages.withLock { $0 } > 0 }
    // Without the claim, the owner learns it when it fails to renew its lease.
    #expect(reading.cluster.conflicts == conflicts)
  }

  @Test("a room whose lease names a server that does not know it continues there at once")
  func strayLease() throws {
    let reading = try SharedReading(nodes: 3)
    let follower = try reading.follower(at: 1)
    try reading.turn([follower])
    let seen = shown(follower)
    let (count, hostCount) = (follower.welcomeCount, reading.host.welcomeCount)
    // What a write leaves behind that had no answer and is made when nobody waits for it.
    let lease = LeaseOwner(node: reading.buses[2].node, epoch: 0, address: "")
    let written = reading.cluster.write(.leases, reading.host.room, lease.bytes, after: .any)
    let stray = try written.get()
    try follower.wait { $0.welcomeCount > count && shown($0) == seen }
    let record = try #require(reading.cluster.records(.leases)[reading.host.room])
    let owner = try #require(LeaseOwner(record))
    #expect(owner.node == reading.buses[2].node && owner.epoch > stray)
    // The room goes on, and its presenter still leads it.
    try reading.host.wait { $0.welcomeCount > hostCount && shown($0) == seen }
    try reading.host.wait { $0.role.rights.contains(.mayTurn) }
    try reading.turn([follower])
  }

  @Test("a server gives up a room that it has taken because of its lease, and that nobody enters")
  func emptyRoom() throws {
    let reading = try SharedReading(nodes: 1)
    let observer = reading.cluster.join()
    let room = "amber-heron-1"
    let isTaken = Mutex(false)
    observer.start { event in
      guard case .broadcast(let bytes, _) = event,
        case .owned(room, _)? = try? ClusterMessage(bytes)
      else { return }
      isTaken.withLock { $0 = true }
    }
    let message = ClusterMessage.toHost([], room: room, epoch: 1)
    observer.send(message.bytes, to: reading.buses[0].node)
    try reading.host.wait { _ in isTaken.withLock { $0 } }
    try reading.host.wait { _ in reading.cluster.records(.leases)[room] == nil }
    #expect(reading.cluster.records(.leases)[reading.host.room] != nil)
  }

  @Test("a server that stops hands its rooms over")
  func drains() throws {
    let reading = try SharedReading(nodes: 2)
    let follower = try reading.follower(at: 1)
    try reading.turn([follower])
    let seen = shown(follower)
    let count = follower.welcomeCount
    reading.servers[0].stop()
    try follower.wait { $0.welcomeCount > count && shown($0) == seen }
    #expect(reading.servers[0].ends(within: 5))
  }

  @Test("a code opens a room of another server")
  func codes() throws {
    let reading = try SharedReading(nodes: 2)
    let code = try #require(reading.host.links?.code)
    try reading.host.wait { _ in reading.cluster.records(.codes)[code] != nil }
    let guest = try HeadlessReader(port: reading.servers[1].port, key: code)
    #expect(guest.room == reading.host.room)
  }

  @Test("a reader finds its own room from any server, and a further window has one of its own")
  func ownRoom() throws {
    let reading = try SharedReading(nodes: 2)
    let (port, host) = (reading.servers[1].port, reading.host)
    let elsewhere = ReaderError.closed(code: 4015, reason: CloseCode.elsewhere.meaning)
    #expect(throws: elsewhere) { try HeadlessReader(port: port, reader: host.reader) }
    let second = try HeadlessReader(port: port, room: host.room + "-2", reader: host.reader)
    #expect(second.room == host.room + "-2" && shown(second) != shown(host))
    let window = try HeadlessReader(port: port, room: host.room, reader: host.reader)
    #expect(window.room == host.room)
    #expect(shown(window) == shown(host))
  }
}
