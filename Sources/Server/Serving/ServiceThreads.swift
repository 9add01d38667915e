internal import Bytes
internal import Clustering
internal import Fabric
internal import Rooms
internal import Scene
internal import Synchronization
internal import Telemetry
internal import WebServer

/// Where a gateway is, as a room host sees it.
enum GatewayAddress: Hashable, Sendable {
  /// Another service thread of this process, by its index.
  case thread(Int)
  /// Another node, for the members of one room; the room is a part of the address so that a message
  /// to a node concerns one room.
  case relay(NodeID, room: String)
}

/// The service threads of a process, each with a gateway and a room host, and what they share.
///
/// A room lives on one thread, which its name decides. Its members are behind the gateway of the
/// same thread, and those of a large room also behind the gateways of the threads after it.
final class ServiceThreads: Sendable {
  let threads: [HostThread]
  private let membersPerThread: Int
  let directory: RoomDirectory
  private let environmentNow: Mutex<Environment>
  /// Names, secrets and keys for the rooms.
  var environment: Environment { environmentNow.withLock { $0 } }
  /// The passes of the members of all rooms.
  let passes: Passes
  /// The numbers of the members of all gateways.
  let members = MemberNumbers()

  /// Creates a number of threads, which are attached when they exist.
  init(
    count: Int,
    membersPerThread: Int,
    directory: RoomDirectory,
    environment: Environment,
    passes: Passes
  ) {
    self.passes = passes
    threads = (0..<max(1, count)).map { _ in HostThread() }
    self.membersPerThread = membersPerThread
    self.directory = directory
    environmentNow = Mutex(environment)
  }

  var count: Int { threads.count }

  /// Returns the index of the thread on which a room lives.
  func index(ofRoom name: String) -> Int {
    guard count > 1 else { return 0 }
    // The high bits depend on all characters, also on the last one.
    return Int(truncatingIfNeeded: FNV1a.hash(name.utf8) >> 33) % count
  }

  /// Returns the index of the thread to serve another member of a room, which lives on the thread
  /// `home` and has `count` members.
  func index(ofMemberAfter count: Int, inRoomAt home: Int) -> Int {
    (home + count / membersPerThread) % self.count
  }

  /// Replaces the access to the library, on all threads.
  func replaceAccess(_ access: Access) {
    environmentNow.withLock { $0.keys = access.keys }
    for thread in threads { thread.performOnGateway { $0.replaceAccess(access) } }
  }

  /// Runs work on the host of a room.
  func perform(inRoom name: String, _ work: @escaping HostThread.Work) {
    threads[index(ofRoom: name)].perform(work)
  }

  /// Runs work on all hosts.
  func performOnAll(_ work: @escaping HostThread.Work) {
    for thread in threads { thread.perform(work) }
  }

  /// Collects a value from each host, in any order.
  /// - Parameters:
  ///   - read: Called on the thread of each host.
  ///   - then: Called once, on the thread of the last host.
  func collect<Value: Sendable>(
    _ read: @escaping @Sendable (RoomHost) -> Value,
    then: @escaping @Sendable ([Value]) -> Void
  ) {
    let collected = Collected<Value>()
    for thread in threads {
      thread.perform { [count] host in
        let value = read(host)
        let all = collected.values.withLock { values in
          values.append(value)
          return values.count == count ? values : nil
        }
        if let all { then(all) }
      }
    }
  }

  private final class Collected<Value: Sendable>: Sendable { let values = Mutex<[Value]>([]) }
}

extension ServiceThreads: NodeThreads {
  func setNode(_ number: UInt32) { members.setNode(number) }

  func inRoom(_ room: String, _ work: @escaping @Sendable (Relays) -> Void) {
    threads[index(ofRoom: room)].performOnGateway { $0.withRelays(work) }
  }

  func inAllRooms(_ work: @escaping @Sendable (Relays) -> Void) {
    for thread in threads { thread.performOnGateway { $0.withRelays(work) } }
  }

  func endPasses(of members: [MemberID], before date: Double) {
    passes.end(of: members, before: date)
  }

  func nodeGone(_ node: NodeID) {
    for thread in threads { thread.performOnGateway { $0.nodeGone(node) } }
  }

  func receive(_ messages: [GatewayMessage], from node: NodeID, room: String) {
    threads[index(ofRoom: room)].performOnGateway {
      $0.receive(messages, from: .relay(node, room: room))
    }
  }

  func foundRoom(of member: MemberID, onThread index: Int) {
    threads[index].performOnGateway { $0.foundWay(of: member) }
  }
}

// What runs on the threads.
extension ServiceThreads {
  /// Returns what the hosts work with; a recorder tells a room that its recording has ended.
  func resources(
    _ site: Site.Sources,
    _ whole: Recorder?,
    _ bookmarks: BookmarkStore,
    _ records: RecordWriter,
    _ log: Log
  ) -> RoomHost.Resources {
    let recorders = RoomRecorders(recordings: site.recordings, whole: whole, log: log) {
      self.recordingEnded(room: $0, $1)
    }
    return RoomHost.Resources(
      recordings: site.recordings,
      recorders: recorders,
      metrics: site.metrics,
      log: log,
      bookmarks: bookmarks,
      records: records
    )
  }

  private func recordingEnded(room: String, _ reason: RecordingStop) {
    perform(inRoom: room) { $0.recordingEnded(room: room, reason: reason.notice) }
  }

  /// Returns the host of each thread.
  func hosts(
    with resources: RoomHost.Resources,
    _ cluster: ClusterNode?,
    _ shown: ShownLibrary,
    _ numbers: ElementNumbers
  ) -> [RoomHost] {
    (0..<count).map { index in
      RoomHost(
        resources,
        shown: shown,
        numbers: numbers,
        threads: self,
        cluster: cluster,
        index: index
      )
    }
  }

  /// Connects the gateway of each thread with its server.
  func attach(
    _ gateways: [WebGateway],
    to servers: [WebServer],
    at address: ServerAddress
  ) {
    for (index, gateway) in gateways.enumerated() {
      gateway.listens(servers[index], at: address)
      threads[index].attach(servers[index].mailbox, gateway)
    }
  }
}
