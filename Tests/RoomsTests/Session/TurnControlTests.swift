import Fabric
import Scene
import Testing

@testable import Rooms

@Suite("The control of a stage")
struct TurnControlTests {
  let a = MemberID(1)
  let b = MemberID(2)

  @Test("where anyone turns the holder of something is not disturbed")
  func anyone() {
    var control = TurnControl()
    #expect(control.mayAct(a, isDriven: false) && control.mayAct(b, isDriven: true))
    control.hold(a)
    #expect(control.mayAct(a, isDriven: true) && !control.mayAct(b, isDriven: true))
    #expect(control.mayAct(b, isDriven: false), "what only flies is caught by anyone")
    control.release()
    #expect(control.holder == nil && control.mayAct(b, isDriven: true))
  }

  @Test("if only one member turns, no other member does, even if nothing is held")
  func one() {
    var control = TurnControl()
    control.turning = .only(a)
    control.hold(b)
    #expect(control.mayAct(a, isDriven: true) && !control.mayAct(b, isDriven: false))
    control.turning = .only(nil)
    #expect(!control.mayAct(a, isDriven: false))
  }

  @Test("rejected inputs are kept until they are taken, but not where anyone turns")
  func refused() {
    var control = TurnControl()
    control.refuse([.key(.enter)], at: 1)
    #expect(control.drain().refused == [])
    control.turning = .only(a)
    control.refuse([.key(.enter), .key(.escape)], at: 2)
    let kept = [Key.enter, .escape].map { TimedInput(input: .key($0), time: 2) }
    #expect(control.drain().refused == kept)
    #expect(control.drain().refused == [])
  }

  @Test("inputs that would leave the book are kept in order until they are taken")
  func leaving() {
    var control = TurnControl()
    #expect(!control.isLeaving)
    control.divert(.key(.escape), at: 1)
    control.divert(.key(.enter), at: 2)
    #expect(control.isLeaving && control.drainLeaving().map(\.time) == [1, 2])
    #expect(!control.isLeaving && control.drainLeaving() == [])
  }

  @Test("a member that wanders may turn there, without a holder and without rejected inputs")
  func alone() {
    var control = TurnControl()
    (control.turning, control.keepsBook) = (.only(a), true)
    control.hold(a)
    control.refuse([.key(.enter)], at: 1)
    var own = control.only(b)
    #expect(own.turning == .only(b) && own.keepsBook && own.holder == nil)
    #expect(own.drain().refused == [])
  }
}
