internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Leaves that wait for the images of the member that turns them.
extension StageSession {
  /// Hears that a member's page has decoded images.
  mutating func hear(
    ready ids: [UInt64],
    fromMemberAt index: Int,
    now: Double,
    into effects: inout Effects
  ) {
    guard members[index].reportsImages else { return }
    let id = members[index].id
    for image in ids {
      guard let key = stream.key(of: image) else { continue }
      if key.kind == .page { images.note(key, by: id) }
    }
    guard stage.isWaiting, holder == id else { return }
    if updateImages(for: id, at: now, into: &effects) {
      answer(changed: true, target: now, now: now, into: &effects)
    }
  }

  /// Tells the stage what the member that acts can show, if that is news.
  /// - Returns: Whether a leaf waits or goes on for it.
  mutating func updateImages(
    for id: MemberID,
    at time: Double,
    into effects: inout Effects
  ) -> Bool {
    guard let index = index(of: id),
      images.isNews(of: id, book: stage.openBook, spread: stage.spread)
    else { return false }
    let ready = members[index].reportsImages ? readyPages(of: id, at: time) : nil
    guard ready != stage.awaitedImages else { return false }
    let wasWaiting = stage.isWaiting
    _ = apply(.images(ready: ready), at: time, into: &effects)
    return wasWaiting != stage.isWaiting
  }

  /// The pages about the open spread that need no waiting; blank paper never does.
  private func readyPages(of id: MemberID, at time: Double) -> [Int] {
    guard stage.openBook != nil else { return [] }
    return stage.upcoming(at: time).filter { key in
      images.hasDecoded(key, id) || element(for: key).imageURL.isEmpty
    }.map(\.page)
  }
}
