import Motion
import TestVectors
import Testing

/// The reference's pages: 362 x 568 points.
let pageBox = PageBox(fitting: Size(width: 362, height: 568))

@Suite("Shelves")
struct ShelfTests {
  struct Reference: Decodable {
    struct Item: Decodable {
      let item: Int
      let distance, scale, screenCenterX: Double
      let m: [Double]
    }
    let view: [Double]
    let offset: Double
    let items: [Item]
  }

  private let shelf = ShelfLayout(boxes: Array(repeating: pageBox, count: 5))

  @Test("covers have the positions of the reference")
  func covers() throws {
    // In the reference, covers are a whole page apart.
    let shelf = ShelfLayout(boxes: Array(repeating: pageBox, count: 5), spacing: 1)
    for each in try vectors("shelf", as: [Reference].self) {
      // The reference counts from the left edge of the view, the shelf from its first cover.
      let offset = each.offset + each.view[0] / 2 - 181
      for item in each.items {
        let distance = shelf.distance(of: item.item, offset: offset)
        #expect(agrees(abs(distance), item.distance))
        #expect(agrees(each.view[0] / 2 + distance, item.screenCenterX))
        // In the reference, covers shrink with the width of the view; on the shelf, with the width
        // of the stage.
        #expect(agrees(shelf.scale(distance: distance * 1024 / each.view[0]), item.scale))
        guard each.view[0] == 1024 else { continue }
        let matrix = shelf.transform(of: item.item, offset: offset)
        for index in 0..<16 where index != 12 {
          #expect(abs(matrix[index] - item.m[index]) <= 1e-12)
        }
        #expect(matrix.m41 == distance)
      }
    }
  }

  @Test("the nearest item is the one whose centre is nearest")
  func nearestItem() {
    for step in -100...2000 {
      let offset = Double(step)
      let nearest = shelf.nearestItem(offset: offset)
      let least = (0..<5).map { abs(shelf.distance(of: $0, offset: offset)) }.min()
      #expect(abs(shelf.distance(of: nearest, offset: offset)) == least)
    }
    #expect(shelf.nearestItem(offset: -.infinity) == 0)
    #expect(shelf.nearestItem(offset: .infinity) == 4)
    #expect(shelf.nearestItem(offset: .nan) == 0)
  }

  @Test("five covers of the reference fit in a window of 1366 points, and seven in one of 1920")
  func wholeCovers() {
    for (window, count) in [(1366.0, 5), (1920.0, 7)] {
      let whole = (-9...9).filter { item in
        let distance = abs(shelf.distance(of: item, offset: 0))
        return distance + shelf.scale(distance: distance) * pageBox.size.width / 2 <= window / 2
      }
      #expect(whole.count == count)
    }
  }

  @Test("covers never touch")
  func apart() {
    func edge(_ item: Int, _ side: Double, _ offset: Double) -> Double {
      let distance = shelf.distance(of: item, offset: offset)
      return distance + side * shelf.scale(distance: distance) * shelf.widest / 2
    }
    for offset in stride(from: 0, through: shelf.maximumOffset, by: 3) {
      for item in 1..<5 { #expect(edge(item, -1, offset) - edge(item - 1, 1, offset) > 10) }
    }
  }

  @Test("the widest book determines the pitch, and the last item the maximum offset")
  func pitch() {
    let wide = PageBox(fitting: Size(width: 800, height: 600))
    let shelf = ShelfLayout(boxes: [pageBox, wide, pageBox])
    #expect(shelf.widest == 460 && shelf.pitch == 355)
    #expect(shelf.maximumOffset == 710)
    #expect(shelf.distance(of: 2, offset: shelf.maximumOffset) == 0)
  }

  @Test("an empty shelf does not scroll")
  func emptyShelf() {
    let shelf = ShelfLayout(boxes: [])
    #expect(shelf.count == 0 && shelf.maximumOffset == 0 && shelf.nearestItem(offset: 9) == 0)
  }
}

@Suite("Page boxes")
struct PageBoxTests {
  @Test(
    "a page is as large as possible",
    arguments: [(362.0, 568.0), (3, 4), (4, 3), (1, 10), (10, 1), (1200, 1882.87)]
  )
  func largestBox(width: Double, height: Double) {
    let size = PageBox(fitting: Size(width: width, height: height)).size
    #expect(agrees(size.width / size.height, width / height))
    #expect(size.width <= 460 + 1e-9 && size.height <= 568 + 1e-9)
    #expect(agrees(size.width, 460) || agrees(size.height, 568))
  }

  @Test("corner radii are proportional to the width")
  func cornerRadii() {
    #expect(agrees(pageBox.cornerRadius, 20))
    #expect(agrees(PageBox(fitting: Size(width: 460, height: 460)).cornerRadius, 460 * 20 / 362))
  }
}
