import Foundation
import Motion
import Recording
import Scene
import Testing

@Suite("Frames as lines")
struct FrameLineTests {
  private struct Line: Decodable {
    struct Element: Decodable {
      let kind: String
      let index, z: Int
      let part: UInt8?
      let matrix: [Double]
      let opacity, shade: Double
    }
    let t: Double
    let frame: Int
    let screen, room: String?
    let settled: Bool
    let elements: [Element]
  }

  @Test("a frame is decoded with every number intact")
  func numbersIntact() throws {
    var transform = Transform3D.translation(x: 1.0 / 3, y: -126.69999999999999, z: 0)
    transform.m34 = -0.0005
    let frame = Frame(
      screen: .book,
      isSettled: false,
      placements: [
        Placement(
          key: ElementKey(kind: .page, item: 40, page: 7, part: .strip(3)),
          transform: transform,
          opacity: 0.1 + 0.2,
          shade: 1e-17,
          z: -3
        ),
        Placement(
          key: ElementKey(kind: .cover, item: 90),
          transform: .identity,
          opacity: 1,
          shade: 0,
          z: 0
        ),
      ]
    )
    func index(_ key: ElementKey) -> Int { key.kind == .page ? key.page : 4 }
    let text = FrameLine.text(of: frame, number: 31, time: 31.0 / 60, index: index)
    let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    #expect(line.t == 31.0 / 60 && line.frame == 31 && line.screen == "book" && !line.settled)
    #expect(line.room == nil && line.elements.map(\.kind) == ["page", "cover"])
    #expect(line.elements.map(\.index) == [7, 4] && line.elements.map(\.z) == [-3, 0])
    #expect(line.elements.map(\.part) == [ElementPart.strip(3).rawValue, nil])
    #expect(line.elements[0].matrix == (0..<16).map { transform[$0] })
    #expect(line.elements[0].opacity == 0.1 + 0.2 && line.elements[0].shade == 1e-17)
    let named = FrameLine.text(of: frame, number: 1, time: 0, room: "a\"b", index: index)
    #expect(named.contains(#""room":"a\"b""#))
  }
}
