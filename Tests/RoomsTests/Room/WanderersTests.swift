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
    wanderers.add(b, session())
    wanderers.add(a, session())
    #expect(wanderers.ids == [a, b] && wanderers.contains(a) && wanderers[b] != nil)
    #expect(wanderers.remove(b) != nil && wanderers.remove(b) == nil)
    #expect(wanderers.ids == [a] && wanderers[b] == nil)
    #expect(wanderers.update(b) { $0.frameNumber } == nil)
  }

  @Test("a session is due at the wake time that its last change has set")
  func wakeTimes() {
    var wanderers = Wanderers()
    wanderers.add(a, session())
    wanderers.add(b, session())
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
    wanderers.add(a, session())
    wanderers.setCatchUpLimit(13, of: a)
    isNews = wanderers.setChoosing(true, a)
    #expect(isNews)
    isNews = wanderers.setChoosing(true, a)
    #expect(!isNews)
    #expect(wanderers[a]?.catchUpLimit == 13 && wanderers.choosing == [a])
    _ = wanderers.remove(a)
    wanderers.add(a, session())
    #expect(wanderers[a]?.catchUpLimit == nil && wanderers.choosing.isEmpty)
  }

  @Test("only books outside the shared one have bookmarks elsewhere")
  func bookmarks() {
    var wanderers = Wanderers()
    wanderers.add(a, session())
    wanderers.update(a) { own in
      own.control.keepsBook = true
      own.open("0/4", at: 10)
    }
    var hasMoved = wanderers.hasMovedBookmark()
    #expect(!hasMoved)
    wanderers.update(a) { $0.control.keepsBook = false }
    hasMoved = wanderers.hasMovedBookmark()
    #expect(hasMoved)
    hasMoved = wanderers.hasMovedBookmark()
    #expect(!hasMoved)
    wanderers.keep(["x": Bookmark(book: "x", spread: 1)])
    wanderers.keep(["x": Bookmark(book: "x", spread: 2)])
    #expect(wanderers.bookmarks["x"]?.spread == 2)
  }
}
