import Fabric
import Testing

@testable import Commands
@testable import Server

@Suite("The passes of a process")
struct PassesTests {
  private let passes = Passes(
    signature: { "S\($0.utf8.reduce(0) { 31 &* $0 &+ Int($1) } & 0xffff)" },
    collections: { $0 == "gone" ? [] : $0 == "twice" ? ["b", "c"] : ["c"] }
  )
  private let guest = Pass(of: MemberID(7), issued: 1000, parts: [.book("a")])

  @Test("are read only with their own signature")
  func signatures() {
    let text = passes.sign(guest)
    #expect(passes.pass(text) == guest)
    for other in [
      guest.text, text + "0", "8" + text.dropFirst(), "", ".", "\(guest.text).", text + "." + text,
    ] {
      #expect(passes.pass(other) == nil, "\(other)")
    }
    #expect(passes.pass(String(repeating: "1", count: 1 << 20)) == nil)
  }

  @Test("open the books that they name and those of their collections, while they last")
  func parts() {
    let shelf = Pass(of: MemberID(8), issued: 1000, parts: [.collection("c")])
    #expect(passes.opens(.book("a"), with: guest, at: 1001))
    #expect(!passes.opens(.book("b"), with: guest, at: 1001))
    #expect(!passes.opens(.collection("c"), with: guest, at: 1001))
    #expect(passes.opens(.book("b"), with: shelf, at: 1001))
    #expect(passes.opens(.collection("c"), with: shelf, at: 1001))
    #expect(passes.opens(.book("twice"), with: shelf, at: 1001))
    #expect(!passes.opens(.book("gone"), with: shelf, at: 1001))
    #expect(!passes.opens(.book("a"), with: guest, at: 1000 + Pass.seconds))
  }

  @Test("that have ended open nothing, and later ones of the same member do")
  func ending() {
    passes.end(of: [MemberID(7), MemberID(9)], before: 1010)
    #expect(!passes.opens(.book("a"), with: guest, at: 1011))
    passes.end(of: [MemberID(7)], before: 1005)
    let later = [1009.0, 1010].map { Pass(of: MemberID(7), issued: $0, parts: guest.parts) }
    #expect(later.map { passes.opens(.book("a"), with: $0, at: 1011) } == [false, true])
    // The passes of the first ones are too old by now, and need not be remembered.
    passes.end(of: [MemberID(1)], before: 1010 + Pass.seconds)
    #expect(!passes.opens(.book("a"), with: guest, at: 1011 + Pass.seconds))
  }
}
