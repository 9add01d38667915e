internal import Fabric
internal import Scene
internal import Wire

/// What was last announced to all members of a room.
struct Announcements: Sendable {
  /// The state of the room.
  var room: RoomEvent?
  /// Where the shared book is open.
  var place: PlaceEvent?
  /// The number of the caption that ``place`` was last compared with; nil in a transition.
  var placeCaption: Int?
  /// What the members' roles were computed from.
  var leadership: LeadershipSummary
  /// The member that presented when the registry last asked.
  var presenter: MemberID?
  /// The book that was open when the registry last asked.
  var openBook: String?
  /// The pointers that members see.
  var pointers = ShownPointers()
  /// How long after its time followers show a frame, in seconds.
  var delay = 0.0
  /// Whether the roles of all members may differ from those that were sent to them.
  var rolesAreStale = true
  /// Whether the leadership may have changed, and with it the roles of others than
  /// ``staleMembers``.
  var leadershipIsStale = false
  /// Whether there were others when the roles were last computed.
  var hasOthers = false
  /// The hosts that were choosing a book when the roles were last computed.
  var choosing: Set<MemberID> = []
  /// What members are told about what others have done.
  var news = News()
  /// The members whose own roles may differ.
  var staleMembers: [MemberID] = []

  init(leadership: Leadership) { self.leadership = LeadershipSummary(leadership) }

  /// Notes that a member has joined, is lost or has left.
  mutating func noteAttendance(of id: MemberID) {
    leadershipIsStale = true
    staleMembers.append(id)
  }
}

/// The part of a leadership that concerns more members than the one that joins or leaves.
struct LeadershipSummary: Equatable, Sendable {
  var policy: Policy
  var presenter, offered: MemberID?
  var asking: [MemberID]

  init(_ leadership: Leadership) {
    (policy, presenter) = (leadership.policy, leadership.presenter)
    (offered, asking) = (leadership.offered, leadership.asking)
  }
}
