import Fabric
import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("The pointers of members")
struct MemberPointerTests {
  @Test(
    "the hand that moves the book is shown whatever the number of the finger",
    arguments: [0, 1, 9]
  )
  func hand(number: UInt8) throws {
    var company = try Company(.hostLeads, .follow)
    func finger(_ phase: PointerPhase, _ x: Double) -> ClientMessage {
      let sample = PointerSample(id: number, phase: phase, x: x, y: 400)
      return .pointers(Pointers(target: 0, samples: [sample]))
    }
    try company.say(finger(.down, 850), company.anna, pause: 0.02)
    for x in [800.0, 700, 600] { try company.say(finger(.move, x), company.anna, pause: 0.05) }
    let told = company.pointers(company.ben)
    #expect(told.last?.kind == .hand && told.count >= 3)
    try company.say(finger(.up, 600), company.anna, pause: 1)
    #expect(company.pointers(company.ben).last?.kind == .gone)
  }

  @Test("of a pointer, at most 30 places are shown in any second")
  func pointerRate() throws {
    var company = try Company(.hostLeads, .follow)
    var times: [Double] = []
    for step in 0..<400 {
      let count = company.pointers(company.ben).count
      let place = Point(x: 632, y: 200 + Double(step) / 2)
      try company.say(.point(at: place), company.anna, pause: 0.005)
      if company.pointers(company.ben).count > count { times.append(company.now) }
    }
    let most = times.map { start in times.count { $0 >= start && $0 < start + 1 } }.max()
    #expect(most.map { (28...30).contains($0) } == true, "\(String(describing: most))")
  }
}
