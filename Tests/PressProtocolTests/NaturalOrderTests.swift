import PressProtocol
import Testing

@Suite("Natural order of names")
struct NaturalOrderTests {
  @Test(
    "sorts names as people do",
    arguments: [
      ["1.png", "2.png", "10.png"], ["a1b2", "a1b10", "a2b1"], ["Page 9", "page 10"],
      ["a/2.png", "a/10.png", "a b/1.png"], ["001", "2", "003"], ["x", "x1", "x2"],
      ["99999999999999999998", "99999999999999999999", "100000000000000000000"],
      ["Alpha", "beta", "Gamma"], ["000", "001", "01a"], ["7", "18446744073709551617"],
      ["a", "a1", "ab"], ["Éa", "éb", "Éc"], ["x-7.jpg", "x-7-01.jpg"], ["1", "1.5", "2"],
      ["第２話", "第１０話"], ["फ़२", "फ़१०"],
    ]
  )
  func order(_ names: [String]) {
    #expect(NaturalOrder.sorted(names.reversed()) { $0 } == names)
    #expect(NaturalOrder.sorted(names) { $0 } == names)
  }

  @Test("is total for any bytes")
  func totalOrder() {
    var state: UInt64 = 3
    let names = (0..<60).map { _ in
      (0..<4).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return Array("a0129/\u{00}".utf8 + [0xFF])[Int(state >> 60) % 8]
      }
    }
    for a in names {
      for b in names where a != b {
        let (one, other) = (NaturalOrder(bytes: a), NaturalOrder(bytes: b))
        #expect((one < other) != (other < one), "\(a) \(b)")
      }
    }
  }

  @Test("is total for texts that differ only in case, zeros or marks")
  func totalOrderOfTexts() {
    let names = ["", "0", "00", "1", "01", "a", "A", "a0", "a00", "é", "10", "2", "2a", "😀"]
    for a in names {
      #expect(!(NaturalOrder(a) < NaturalOrder(a)))
      for b in names where a != b {
        #expect((NaturalOrder(a) < NaturalOrder(b)) != (NaturalOrder(b) < NaturalOrder(a)))
      }
    }
  }
}
