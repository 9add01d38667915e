import Motion
import TestVectors
import Testing

@Suite("A book that closes onto its back cover")
struct BackClosingTests {
  private struct Moment {
    let book: BookLayout
    var pose: BookPose

    init(pages: Int, open: Double, flat: Double = 0, onBack: Bool = true) {
      book = BookLayout(pageCount: pages, box: pageBox)
      pose = BookPose(
        offset: book.maximumOffset,
        openness: open,
        closesOnBack: onBack,
        flatness: flat
      )
    }

    var parts: [VisiblePart] {
      var parts: [VisiblePart] = []
      book.forEachVisiblePart(in: pose) { parts.append($0) }
      return parts
    }

    var board: VisiblePart? { book.backBoard(in: pose) }

    /// Where the middle of the outer edge of a part is seen, to the right of the centre.
    func edge(_ part: VisiblePart, isRight: Bool) -> Double {
      let width = isRight ? book.box.size.width : -book.box.size.width
      let transform = part.transform
      return (width * transform.m11 + transform.m41) / (width * transform.m14 + transform.m44)
    }
  }

  private static let pageCounts = [1, 2, 3, 7, 8, 33, 200]

  @Test("begins exactly as the open book, in any state", arguments: pageCounts)
  func begin(pages: Int) {
    for flat in [0.0, 0.4, 1] {
      for bend in [0.0, -0.5, 0.8] {
        for offset in stride(from: 0, through: min(9, Double(pages)), by: 0.25) {
          var open = Moment(pages: pages, open: 1, flat: flat, onBack: false)
          open.pose.bend = bend
          open.pose.offset = min(offset, open.book.maximumOffset)
          var closing = open
          closing.pose.closesOnBack = true
          #expect(closing.parts == open.parts && closing.board == open.board)
        }
      }
    }
  }

  @Test("ends exactly as a book that has closed onto its front cover", arguments: pageCounts)
  func end(pages: Int) {
    for flat in [0.0, 1] {
      for open in [0, -0.04] {
        let closed = Moment(pages: pages, open: open, flat: flat)
        #expect(closed.parts.map(\.page) == [0] && closed.board == nil)
      }
      let closed = Moment(pages: pages, open: 0, flat: flat)
      #expect(closed.parts == Moment(pages: pages, open: 0, flat: flat, onBack: false).parts)
    }
  }

  @Test("lies on its face half-way, in the middle, under its board", arguments: pageCounts)
  func middle(pages: Int) throws {
    for flat in [0.0, 1] {
      let half = Moment(pages: pages, open: 0.5, flat: flat)
      let board = try #require(half.board)
      #expect(half.parts.allSatisfy { $0.z < board.z })
      // The outside of the board covers all of them: its edges are at equal distances.
      let edge = half.edge(board, isRight: true)
      #expect(abs(edge + board.transform.m41) < 1e-9 && edge < -100)
      for part in half.parts {
        #expect(abs(half.edge(part, isRight: part.page.isMultiple(of: 2)) - edge) < 0.3)
      }
    }
  }

  @Test("shows the inside of its board, then its outside, and in the end its front cover")
  func sides() {
    for pages in [2, 3, 8, 9] {
      for flat in [0.0, 1] {
        var seen: [String] = []
        for step in 0...2000 {
          let moment = Moment(pages: pages, open: 1 - Double(step) / 2000, flat: flat)
          let isCovered = moment.parts.contains { $0.page == 0 }
          let side =
            moment.board.map { $0.z == 0 ? "inside" : "outside" } ?? (isCovered ? "cover" : "none")
          if seen.last != side { seen.append(side) }
        }
        // The last leaf of an odd book that lies flat covers the inside.
        let isCovered = flat == 1 && !pages.isMultiple(of: 2)
        let wanted = (isCovered ? [] : ["inside"]) + ["outside", "cover"]
        #expect(seen.filter { $0 != "none" } == wanted, "\(pages) pages, flat \(flat)")
      }
    }
  }

  @Test("moves without a leap or a jolt, also where a spring overshoots")
  func smooth() {
    let step = 1e-4
    for pages in [3, 8] {
      for flat in [0.0, 1] {
        var last: (edge: Double, speed: Double)?
        for index in -500...10_500 {
          let openness = 1 - Double(index) * step
          let moment = Moment(pages: pages, open: openness, flat: flat)
          // The front cover's edge, in depth and across: seen from either side.
          let cover = moment.book.transform(ofPage: 0, in: moment.pose)
          let edge = cover.m11 * 362 + cover.m41 + cover.m13 * 1000
          let speed = last.map { (edge - $0.edge) / step } ?? 0
          if let last, index > -499 {
            #expect(abs(speed) < 20_000 && abs(speed - last.speed) < 40, "at \(openness)")
          }
          last = (edge, speed)
        }
      }
    }
  }
}
