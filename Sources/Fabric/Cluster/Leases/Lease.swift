/// What a node knows of the lease of one room, and what it wants of it.
struct Lease: Sendable {
  enum Standing: Equatable, Sendable {
    /// Who owns the room is not known yet, or not any more.
    case unknown
    /// Another node owns the room.
    case elsewhere(RoomOwner)
    /// This node owns the room.
    case owned(epoch: UInt64)
  }

  enum Action: Equatable, Sendable {
    case read
    /// Makes this node the owner. An epoch of 0 stands for the revision of the write.
    case take(epoch: UInt64)
    /// Confirms the ownership, possibly with a new epoch.
    case renew(epoch: UInt64)
    case release
  }

  /// A request that has no answer yet.
  struct Request: Equatable, Sendable {
    let id: UInt64
    let action: Action
    let sentAt: Double
  }

  /// The intention to give up the ownership.
  struct Release: Equatable, Sendable {
    /// The next owner; nil if nobody is to own the room.
    let successor: NodeID?
    /// When to give up trying.
    let deadline: Double
  }

  var standing = Standing.unknown
  /// Whether members of the room are connected to this node.
  var isWanted = false
  var release: Release?
  /// When this node had to stop acting as the owner; nil if it may act.
  var frozenAt: Double?
  /// When the latest write that confirmed the ownership was requested.
  var renewedAt = -Double.infinity
  /// When the latest write was requested, whatever became of it.
  var writtenAt = -Double.infinity
  /// The revision of the latest record that is known.
  var revision: UInt64 = 0
  var request: Request?
  /// The number of requests in a row that failed.
  var failures = 0
  /// Whether the lease must be read before it is written again.
  var mustRead = true
  /// The greatest epoch that other nodes have mentioned.
  var seenEpoch: UInt64 = 0
  /// The silent owner from whom the room can be taken after the next read.
  var silentOwner: NodeID?
  /// The epoch of an ownership that the owner itself denies.
  var deniedEpoch: UInt64?
  /// Whether the lease may name this node because of a write whose outcome is unknown.
  var isUncertain = false

  var isOwned: Bool { if case .owned = standing { true } else { false } }
}
