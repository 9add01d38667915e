internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Who is waited for: the page of the one who presents, if it tells what it can show.
extension StageSession {
  /// A member's page has decoded images.
  mutating func hear(
    ready ids: [UInt64],
    fromMemberAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    guard members[index].reportsImages else { return }
    for id in ids {
      guard let key = stream.key(of: id) else { continue }
      if key.kind == .page { members[index].ready.insert(key) }
    }
    let id = members[index].id
    guard stage.isWaiting, holder == id else { return }
    if updateImages(for: id, at: now, into: &effects) {
      answer(changed: true, target: now, now: now, into: &effects)
    }
  }

  /// Tells the stage what the page of the one who acts can show, if that is news.
  /// - Returns: Whether a leaf waits or goes on for it.
  mutating func updateImages(
    for id: MemberID,
    at time: Double,
    into effects: inout Effects
  ) -> Bool {
    guard let index = index(of: id) else { return false }
    let asked = ImagesAsked(
      member: id,
      book: stage.openBook,
      spread: stage.spread,
      count: members[index].ready.count
    )
    // The same question has the same answer, and a finger asks it with every sample.
    guard asked != imagesAsked else { return false }
    imagesAsked = asked
    let ready = members[index].reportsImages ? readyPages(ofMemberAt: index, at: time) : nil
    guard ready != stage.awaitedImages else { return false }
    let wasWaiting = stage.isWaiting
    _ = apply(.images(ready: ready), at: time, into: &effects)
    return wasWaiting != stage.isWaiting
  }

  /// The pages about the open spread that need no waiting; blank paper never does.
  private func readyPages(ofMemberAt index: Int, at time: Double) -> [Int] {
    guard stage.openBook != nil else { return [] }
    return stage.upcoming(at: time).filter { key in
      members[index].ready.contains(key) || element(for: key).imageURL.isEmpty
    }.map(\.page)
  }
}

/// What the pages that need no waiting depend on.
struct ImagesAsked: Equatable, Sendable {
  var member: MemberID
  var book: String?
  var spread: Int
  /// How many images the member has decoded: they only become more, until all are forgotten.
  var count: Int
}
