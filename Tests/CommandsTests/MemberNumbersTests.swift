import Fabric
import Gateway
import Testing

@testable import Commands
@testable import Server

@Suite("Numbers of members")
struct MemberNumbersTests {
  private static let last: UInt32 = 1 << 22 - 1

  /// Numbers of a node that are about to begin again.
  private func numbers(before count: UInt32, node: UInt32 = 5) -> MemberNumbers {
    let numbers = MemberNumbers()
    numbers.setNode(node, start: Self.last - count)
    return numbers
  }

  private func next(_ numbers: MemberNumbers, _ count: Int, at now: Double = 0) -> [UInt32] {
    (0..<count).map { _ in numbers.next(at: now).rawValue & Self.last }
  }

  private func begin(_ numbers: MemberNumbers, again count: UInt32) {
    numbers.setNode(6)
    numbers.setNode(5, start: Self.last - count)
  }

  @Test("begin again without those of members that are connected")
  func skips() {
    let numbers = numbers(before: 2)
    #expect(next(numbers, 5) == [Self.last - 1, Self.last, 1, 2, 3])
    numbers.note([MemberChange(MemberID(5 << 22 | 2), isHere: false)], at: 10)
    begin(numbers, again: 1)
    // The second member may rejoin for some time.
    #expect(next(numbers, 1, at: 10) == [4])
    begin(numbers, again: 1)
    #expect(next(numbers, 3, at: 10 + MemberNumbers.restSeconds) == [2, 5, 6])
    #expect(numbers.next(at: 0).rawValue >> 22 == 5)
  }

  @Test("belong to a member that rejoined for as long as its last connection lasts")
  func rejoins() {
    let numbers = numbers(before: 0)
    #expect(next(numbers, 2) == [1, 2])
    let (member, newer) = (MemberID(5 << 22 | 1), MemberID(5 << 22 | 2))
    numbers.note([MemberChange(member, isHere: false)], at: 0)
    // The second connection is that of the first member.
    numbers.note([MemberChange(newer, isHere: false), MemberChange(member, isHere: true)], at: 1)
    begin(numbers, again: 0)
    let late = 2 * MemberNumbers.restSeconds
    #expect(next(numbers, 2, at: late) == [2, 3])
    numbers.note([MemberChange(member, isHere: false)], at: late)
    begin(numbers, again: 0)
    #expect(next(numbers, 1, at: late + MemberNumbers.restSeconds) == [1])
  }

  @Test("of connections that come and go take bounded memory, also in quick succession")
  func bounded() {
    let numbers = MemberNumbers()
    for step in 0..<MemberNumbers.restingMax + 1000 {
      let member = numbers.next(at: Double(step) * 1e-6)
      numbers.note([MemberChange(member, isHere: false)], at: Double(step) * 1e-6)
    }
    #expect(numbers.heldCount <= MemberNumbers.restingMax + 1)
    _ = numbers.next(at: 1000)
    #expect(numbers.heldCount == 1)
  }

  @Test("of a process that is alone count up from 1")
  func alone() {
    let numbers = MemberNumbers()
    #expect((0..<3).map { _ in numbers.next(at: 0).rawValue } == [1, 2, 3])
  }
}
