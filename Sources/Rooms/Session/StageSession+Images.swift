internal import Fabric
internal import Scene
internal import Staging
internal import Wire

/// Leaves that wait for the images of the member that turns them.
extension StageSession {
  /// Records the images that a member's page has decoded; a leaf that waits for them continues.
  mutating func handle(ready ids: [UInt64], fromMemberAt index: Int, in turn: inout Turn) {
    guard members[index].reportsImages else { return }
    let id = members[index].id
    for image in ids {
      guard let key = stream.key(of: image) else { continue }
      if key.kind == .page { images.note(key, by: id) }
    }
    guard stage.isWaiting, holder == id else { return }
    if updateImages(for: id, at: turn.now, in: &turn) {
      answer(changed: true, target: turn.now, in: &turn)
    }
  }

  /// Tells the stage which pages the acting member can show, if that may have changed.
  /// - Returns: Whether a leaf begins or ceases to wait.
  mutating func updateImages(for id: MemberID, at time: Double, in turn: inout Turn) -> Bool {
    guard let index = index(of: id),
      images.isNews(of: id, book: stage.openBook, spread: stage.spread)
    else { return false }
    let ready = members[index].reportsImages ? readyPages(of: id, at: time) : nil
    guard ready != stage.awaitedImages else { return false }
    let wasWaiting = stage.isWaiting
    _ = apply(.images(ready: ready), at: time, in: &turn)
    return wasWaiting != stage.isWaiting
  }

  /// Returns the pages around the open spread that need no waiting; blank paper is always among
  /// them.
  private func readyPages(of id: MemberID, at time: Double) -> [Int] {
    guard stage.openBook != nil else { return [] }
    return stage.upcoming(at: time).filter { key in
      images.hasDecoded(key, id) || element(for: key).imageURL.isEmpty
    }.map(\.page).sorted()
  }
}
