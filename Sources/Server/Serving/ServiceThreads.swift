internal import Bytes
internal import Fabric
internal import Rooms
internal import Synchronization
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

  /// The cluster to which the process belongs; nil if it is alone.
  ///
  /// Set before the threads run.
  private let node = Mutex<ClusterNode?>(nil)
  var cluster: ClusterNode? { node.withLock { $0 } }

  /// Makes the process a node of a cluster, before its threads run.
  func join(_ cluster: ClusterNode) { node.withLock { $0 = cluster } }

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
