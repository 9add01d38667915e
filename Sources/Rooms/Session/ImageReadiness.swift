internal import Fabric
internal import Scene
internal import Staging

/// The pages that the members of a stage have decoded, and what the stage was last told about them.
///
/// A leaf waits only for the member that turns it, and only if that member reports its images.
struct ImageReadiness: Sendable {
  /// The numbers of the pages, which take less memory than their keys.
  private var decoded: [MemberID: Set<UInt64>] = [:]
  /// The question that was last answered for the stage; nil if the next one has to be answered.
  private var told: Question?

  /// What the set of ready pages depends on.
  private struct Question: Equatable, Sendable {
    var member: MemberID
    var book: String?
    var spread: Int
    /// How many images the member has decoded; it only increases until images are retired.
    var count: Int
  }

  /// Records a page that a member has decoded.
  mutating func note(_ page: ElementKey, by id: MemberID) {
    decoded[id, default: []].insert(page.number)
  }

  /// Whether a member has decoded a page.
  func hasDecoded(_ page: ElementKey, _ id: MemberID) -> Bool {
    decoded[id]?.contains(page.number) ?? false
  }

  /// Answers which pages a member can show, as an input for the stage.
  /// - Parameters:
  ///   - member: The member; the stage does not wait for one that reports no images.
  ///   - stage: The stage.
  ///   - library: The library on it; blank paper needs no waiting.
  ///   - time: The time.
  /// - Returns: The input; nil if the stage knows what it says.
  mutating func input(
    for member: Member,
    over stage: Stage,
    in library: ShownLibrary,
    at time: Double
  ) -> Input? {
    let (id, reports) = (member.id, member.reportsImages)
    guard isNews(of: id, book: stage.openBook, spread: stage.spread) else { return nil }
    var ready: [Int]? = reports ? [] : nil
    if reports, stage.openBook != nil {
      ready = stage.upcoming(at: time).filter { key in
        hasDecoded(key, id) || library.element(for: key, on: stage).imageURL.isEmpty
      }.map(\.page).sorted()
    }
    return ready == stage.awaitedImages ? nil : .images(ready: ready)
  }

  /// Returns whether the pages that a member can show may have changed since the stage was last
  /// told.
  ///
  /// This is called for every sample of a finger, so its cost does not depend on the number of
  /// pages.
  mutating func isNews(of id: MemberID, book: String?, spread: Int) -> Bool {
    let question = Question(member: id, book: book, spread: spread, count: decoded[id]?.count ?? 0)
    guard question != told else { return false }
    told = question
    return true
  }

  /// Makes the next question count as news, because the stage or its elements have changed.
  mutating func tellAnew() { told = nil }

  /// Discards pages that no longer have an element.
  mutating func retire(keeping isKnown: (UInt64) -> Bool) {
    decoded = decoded.mapValues { $0.filter(isKnown) }
    told = nil
  }

  /// Removes a member that has left.
  mutating func remove(_ id: MemberID) { decoded[id] = nil }

  /// Returns the state of one member alone, for a stage of its own.
  func only(_ id: MemberID) -> ImageReadiness {
    var own = ImageReadiness()
    own.decoded[id] = decoded[id]
    return own
  }
}
