internal import Fabric
internal import Scene

/// Which pages the members of a stage have decoded, and for whom the stage was last told.
///
/// A leaf waits only for the member that turns it, and only if that member reports its images.
struct ImageReadiness: Sendable {
  private var decoded: [MemberID: Set<ElementKey>] = [:]
  /// What the stage was last told about; nil when it is to be told anew.
  private var told: Question?

  /// What the pages that need no waiting depend on.
  private struct Question: Equatable, Sendable {
    var member: MemberID
    var book: String?
    var spread: Int
    /// How many images the member has decoded: they only become more, until some are forgotten.
    var count: Int
  }

  /// Notes a page that a member has decoded.
  mutating func note(_ page: ElementKey, by id: MemberID) {
    decoded[id, default: []].insert(page)
  }

  /// Whether a member has decoded a page.
  func hasDecoded(_ page: ElementKey, _ id: MemberID) -> Bool {
    decoded[id]?.contains(page) ?? false
  }

  /// Whether the stage is to be told what a member can show: that may be news since the last time.
  ///
  /// A finger asks with every sample, so that this costs the same however many pages there are.
  mutating func isNews(of id: MemberID, book: String?, spread: Int) -> Bool {
    let question = Question(
      member: id,
      book: book,
      spread: spread,
      count: decoded[id]?.count ?? 0
    )
    guard question != told else { return false }
    told = question
    return true
  }

  /// Makes the next question news, because the stage or its elements are others.
  mutating func tellAnew() { told = nil }

  /// Forgets pages that have no element any more.
  mutating func retire(keeping isKnown: (ElementKey) -> Bool) {
    decoded = decoded.mapValues { $0.filter(isKnown) }
    told = nil
  }

  /// Forgets a member that has left.
  mutating func remove(_ id: MemberID) { decoded[id] = nil }

  /// What is known of one member alone, for a stage of its own.
  func only(_ id: MemberID) -> ImageReadiness {
    var own = ImageReadiness()
    own.decoded[id] = decoded[id]
    return own
  }
}
