import Fabric
import Scene
import Staging
import Testing

@testable import Rooms

private func session() -> StageSession {
  StageSession(room: "R", library: ShownLibrary(.varied), at: 10)
}

@Suite("Members that wander")
struct WanderersTests {
  let a = MemberID(1)
  let b = MemberID(2)

  @Test("a wanderer exists from its addition until its removal")
  func membership() {
    var wanderers = Wanderers()
    wanderers.add(b, session(), isOwner: true)
    wanderers.add(a, session(), isOwner: true)
    #expect(wanderers.ids == [a, b] && wanderers.contains(a) && wanderers[b] != nil)
    #expect(wanderers.remove(b) != nil && wanderers.remove(b) == nil)
    #expect(wanderers.ids == [a] && wanderers[b] == nil)
    #expect(wanderers.update(b) { $0.frameNumber } == nil)
  }

  @Test("a session is due at the wake time that its last change has set")
  func wakeTimes() {
    var wanderers = Wanderers()
    wanderers.add(a, session(), isOwner: true)
    wanderers.add(b, session(), isOwner: true)
    #expect(wanderers.due(at: 10) == [])
    wanderers.update(b) { $0.pacing.wait(until: 20) }
    #expect(wanderers.wakeTime == 20)
    #expect(wanderers.due(at: 19) == [] && wanderers.due(at: 20) == [b])
    _ = wanderers.remove(b)
    #expect(wanderers.wakeTime == .infinity)
  }

  @Test("a time limit and a choice belong to one period of wandering")
  func stretch() {
    var wanderers = Wanderers()
    var isNews = wanderers.setChoosing(true, a)
    #expect(!isNews, "it does not wander")
    wanderers.add(a, session(), isOwner: true)
    wanderers.setCatchUpLimit(13, of: a)
    isNews = wanderers.setChoosing(true, a)
    #expect(isNews)
    isNews = wanderers.setChoosing(true, a)
    #expect(!isNews)
    #expect(wanderers[a]?.catchUpLimit == 13 && wanderers.choosing == [a])
    _ = wanderers.remove(a)
    wanderers.add(a, session(), isOwner: true)
    #expect(wanderers[a]?.catchUpLimit == nil && wanderers.choosing.isEmpty)
  }

  @Test("the bookmarks of the owner move outside the shared book, once each")
  func bookmarks() {
    var wanderers = Wanderers()
    wanderers.add(a, session(), isOwner: true)
    wanderers.add(b, session(), isOwner: false)
    for id in [a, b] {
      wanderers.update(id) { own in
        own.control.keepsBook = true
        own.open("0/4", at: 10)
      }
    }
    var moved = wanderers.takeMovedBookmarks()
    #expect(moved == [])
    for id in [a, b] { wanderers.update(id) { $0.control.keepsBook = false } }
    moved = wanderers.takeMovedBookmarks()
    #expect(moved.map(\.book) == ["0/4"])
    moved = wanderers.takeMovedBookmarks()
    #expect(moved == [])
    wanderers.keep(["x": Bookmark(book: "x", spread: 1)])
    wanderers.keep(["x": Bookmark(book: "x", spread: 2)])
    #expect(wanderers.bookmarks["x"]?.spread == 2)
  }

  @Test("what has moved remains after its wanderer has left, and who is shown something else, too")
  func left() {
    var wanderers = Wanderers()
    wanderers.add(a, session(), isOwner: true)
    wanderers.add(b, session(), isOwner: false)
    var changed = wanderers.takeChanged()
    #expect(changed == [a, b])
    wanderers.update(a) { $0.open("0/4", at: 10) }
    changed = wanderers.takeChanged()
    #expect(changed == [], "its library is the same")
    _ = wanderers.remove(a)
    changed = wanderers.takeChanged()
    #expect(changed == [a])
    #expect(wanderers.takeMovedBookmarks().map(\.book) == ["0/4"])
  }
}
