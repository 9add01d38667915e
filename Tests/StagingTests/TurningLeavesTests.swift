import Motion
import Testing

@testable import Staging

@Suite("Turning leaves")
struct TurningLeavesTests {
  private func leaves(pages: Int = 40, spread: Int = 0, ready: [Int]? = nil) -> TurningLeaves {
    var leaves = TurningLeaves()
    leaves.replace(with: BookLayout(pageCount: pages, box: referenceBox), spread: spread)
    leaves.showImages(ready, at: 0)
    return leaves
  }

  @Test("a turn goes at most to the ends of the book")
  func ends() {
    var turned = leaves(pages: 8)
    turned.turn(by: 100, at: 0)
    #expect(turned.goal == 3 && turned.spread == 3)
    turned.turn(by: -100, at: 9)
    #expect(turned.goal == 0)
  }

  @Test("a turn without images stops upright at the gutter until they arrive or the wait times out")
  func waits() throws {
    var waiting = leaves(ready: [1, 2])
    waiting.turn(by: 1, at: 10)
    #expect(waiting.turn.target == 0.5 && waiting.goal == 1)
    #expect(waiting.waitDeadline == 10 + TurningLeaves.waitSeconds)
    var shown = waiting
    shown.showImages([3], at: 11)
    #expect(shown.turn.target == 0.5)
    shown.showImages([3, 4], at: 11)
    #expect(shown.turn.target == 1 && shown.waitDeadline == nil)
    waiting.endWait(at: try #require(waiting.waitDeadline))
    #expect(waiting.turn.target == 1 && waiting.waitDeadline == nil)
  }

  @Test("a finger does not end a wait, and the time under it counts")
  func held() {
    var leaves = leaves(ready: [1, 2])
    leaves.turn(by: 1, at: 0)
    leaves.hold(at: 0.4)
    #expect(leaves.waitDeadline == nil && leaves.goal == 0.4)
    leaves.turn(to: 1, from: 0.4, velocity: 0, at: 1)
    #expect(leaves.waitDeadline == TurningLeaves.waitSeconds)
    leaves.hold(at: 0.4)
    leaves.turn(to: 1, from: 0.4, velocity: 0, at: 5)
    #expect(leaves.waitDeadline == nil && leaves.turn.target == 1)
  }

  @Test("a jump moves one leaf, and the next follows when it has landed")
  func jumps() throws {
    var leaves = leaves()
    leaves.jump(to: 30, at: 0)
    #expect(leaves.spread == 14 && leaves.layout.bundle == 1...14 && leaves.turn.target == 1)
    leaves.jump(to: 9, at: 0.1)
    #expect(leaves.queuedJump == 9 && leaves.spread == 14)
    let landing = try #require(leaves.landing)
    leaves.land()
    #expect(leaves.layout.bundle == nil && leaves.turn.target == 14)
    leaves.jump(to: 9, at: landing)
    #expect(leaves.spread == 4 && leaves.queuedJump == nil)
  }

  @Test("leaves settle at the target of a motion, a wait or a jump")
  func settles() {
    var jumping = leaves(ready: [])
    jumping.jump(to: 30, at: 0)
    #expect(jumping.waitDeadline != nil)
    jumping.settle()
    #expect(jumping.turn == .rest(14) && jumping.landing == nil && jumping.waitDeadline == nil)
  }

  @Test("another book inherits no wait, jump or image from the previous one")
  func replaced() {
    var leaves = leaves(ready: [1, 2])
    leaves.turn(by: 1, at: 0)
    leaves.replace(with: BookLayout(pageCount: 6, box: referenceBox), spread: 90)
    #expect(leaves.turn == .rest(2) && leaves.waitDeadline == nil && leaves.readyPages == [])
    leaves.showImages(nil, at: 1)
    leaves.replace(with: BookLayout(pageCount: 6, box: referenceBox), spread: 1)
    #expect(leaves.readyPages == nil)
  }
}
