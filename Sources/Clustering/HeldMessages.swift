package import Fabric
internal import Rooms
internal import Scene
internal import WebServer
internal import Wire

/// Holds the messages of members whose room only other nodes know, until it is found.
///
/// A code or a reader that is unknown here is looked up in the records of the cluster. It lives on
/// a service thread.
package final class HeldMessages {
  /// The most messages of one member that are held.
  private static let heldMax = 64

  private let cluster: ClusterNode
  private let index: Int
  private var held: [MemberID: [GatewayMessage]] = [:]

  /// Creates the held messages of a service thread.
  package init(cluster: ClusterNode, index: Int) { (self.cluster, self.index) = (cluster, index) }

  /// Holds a message if the room of its member is being looked up, or is to be.
  /// - Returns: Whether it is held.
  package func holds(_ message: GatewayMessage, now: Double) -> Bool {
    let member = message.member
    if held[member] != nil {
      if case .left = message {
        held[member] = nil
      } else if held[member, default: []].count < Self.heldMax {
        held[member]?.append(message)
      }
      return true
    }
    guard case .hello(_, let hello, _, "") = message,
      !cluster.threads.directory.knowsWay(
        of: hello,
        environment: cluster.threads.environment,
        now: now
      )
    else { return false }
    held[member] = [message]
    find(hello, for: member)
    return true
  }

  private func find(_ hello: Hello, for member: MemberID) {
    let environment = cluster.threads.environment
    let directory = cluster.threads.directory
    let done: @Sendable () -> Void = { [cluster, index] in
      cluster.threads.foundRoom(of: member, onThread: index)
    }
    if hello.room.isEmpty, RoomDirectory.isCode(hello.key) {
      cluster.records.readRoom(ofCode: hello.key.uppercased()) { code in
        if let code { directory.learn(code, unixOffset: environment.unixOffset) }
        done()
      }
    } else {
      let reader = ReaderID(digest: environment.digest(hello.reader))
      cluster.records.read(reader) { record in
        if let record { directory.learn(record, at: WebServer.now()) }
        done()
      }
    }
  }

  /// Returns the messages of a member whose room was looked up, in order.
  package func found(_ member: MemberID) -> [GatewayMessage] {
    held.removeValue(forKey: member) ?? []
  }
}
