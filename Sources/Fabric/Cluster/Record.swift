/// A value that all nodes of a cluster can read, and that a node can replace only if it knows the
/// latest revision.
package struct Record: Equatable, Sendable {
  /// The bytes, at most ``Bucket/valueBytesMax``.
  package let value: [UInt8]
  /// The revision at which the value was written.
  ///
  /// Each write in a bucket has a greater revision than all writes before it, even if the bucket
  /// was removed and created again in the meantime. A revision is therefore also a fencing token.
  package let revision: UInt64

  /// Creates a record from its value and its revision.
  package init(value: [UInt8], revision: UInt64) { (self.value, self.revision) = (value, revision) }
}

/// What a write or a deletion requires of the record that it replaces.
package enum WriteCondition: Equatable, Sendable {
  /// Nothing: the record may exist or not.
  case any
  /// There must be no record.
  case absent
  /// The record must still have this revision.
  case revision(UInt64)
}

/// The reason why a record was not read or written.
package enum RecordFailure: Error, Equatable, Sendable {
  /// The record does not meet the condition.
  ///
  /// A cluster of servers occasionally reports this for a record that does meet it, or for a write
  /// that was made. The record must be read again before any conclusion.
  case conflict
  /// The request was not made, because there is no connection or no quorum; try again later.
  case unavailable(String)
  /// There was no answer in time, so a write may or may not have been made, or may still be.
  case unknown(String)
  /// The request can never succeed, for example because a permission is missing or the value is
  /// too large.
  case refused(String)
}

/// A collection of records with the same purpose and lifetime.
package enum Bucket: String, CaseIterable, Sendable {
  /// Which node owns a room; the keys are names of rooms. See ``Leases``.
  case leases
  /// The state with which the next owner of a room resumes it; the keys are names of rooms.
  case rooms
  /// A reader's room and bookmarks; the keys are identities of readers.
  case bookmarks = "places"
  /// What a node is and where it can be reached; the keys are identities of nodes.
  case nodes
  /// Which room a short code admits to; the keys are codes.
  case codes

  /// How long after its latest write a record may be discarded, in seconds; nil if it is kept.
  ///
  /// This only clears away what was left behind. Records can remain longer, so nothing may depend
  /// on their disappearance.
  package var lifetimeSeconds: Int? {
    switch self {
    case .leases: 15
    case .nodes: 60
    case .codes: 86_400
    case .rooms, .bookmarks: nil
    }
  }

  /// The maximum size of a value, in bytes.
  package var valueBytesMax: Int {
    switch self {
    case .leases, .codes: 1 << 10
    case .nodes, .bookmarks: 1 << 12
    case .rooms: 1 << 18
    }
  }
}
