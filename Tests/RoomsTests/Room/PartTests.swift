import Motion
import Scene
import Testing

@Suite("The part of an element")
struct PartTests {
  @Test("is one byte, which tells each strip of each curl")
  func bytes() {
    var bytes = Set<UInt8>()
    for curl in Curl.allCases {
      for index in 0..<ElementPart.stripCount {
        let part = ElementPart.strip(index, curl: curl)
        #expect(part.strip?.index == index && part.strip?.curl == curl)
        bytes.insert(part.rawValue)
      }
    }
    #expect(bytes.count == Curl.allCases.count * ElementPart.stripCount)
    #expect(bytes.min() == 16 && bytes.max() == 89)
    let others = (UInt8.min...UInt8.max).filter { !bytes.contains($0) }
    #expect(others.allSatisfy { ElementPart(rawValue: $0).strip == nil })
  }

  @Test("is one of the edges, of the width nearest to its index")
  func edges() {
    let edges = BookLayout.edgeFractions.indices.map(ElementPart.edge)
    #expect(edges.map(\.rawValue) == [1, 3, 4, 5])
    #expect(ElementPart.edge(-1) == edges[0] && ElementPart.edge(.max) == edges[3])
  }

  @Test("is a strip of the page whatever its index")
  func limits() {
    #expect(ElementPart.strip(-1) == .strip(0) && ElementPart.strip(.max) == .strip(9))
  }
}
