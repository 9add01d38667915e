import Testing

@testable import Library

@Suite("Natural order")
struct NaturalOrderTests {
  @Test(
    "puts names in the order a person would",
    arguments: [
      ["2.svg", "10.svg"], ["page 9", "page 10", "page 100"], ["a1b2", "a1b10", "a2b1"],
      ["Alpha", "beta", "Gamma"], ["000", "001", "01a"], ["7", "18446744073709551617"],
      ["a", "a1", "ab"], ["x2", "x02", "x3"].sorted(by: NaturalOrder.precedes),
    ]
  )
  func order(_ names: [String]) {
    #expect(names.reversed().sorted(by: NaturalOrder.precedes) == names)
  }

  @Test("is a strict order: of two different names exactly one is first")
  func isStrict() {
    let names = ["", "0", "00", "1", "01", "a", "A", "a0", "a00", "é", "10", "2", "2a", "😀"]
    for a in names {
      #expect(!NaturalOrder.precedes(a, a))
      for b in names where a != b {
        #expect(NaturalOrder.precedes(a, b) != NaturalOrder.precedes(b, a), "\(a) \(b)")
      }
    }
  }
}
