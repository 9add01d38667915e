import Motion
import TestVectors
import Testing

@Suite("Books compared with the reference")
struct BookVectorTests {
  struct Book: Decodable {
    struct Item: Decodable {
      let item, z_product: Int
      let ratio, angle, anchorX: Double
      let visible_product: Bool
      let m: [Double]
      let shadow: [[Double]]
    }
    let pages: Int
    let offsetPages, contentWidth_1024, maxOffsetPages: Double
    let items: [Item]
  }

  private func expect(_ matrix: Transform3D, is reference: [Double], _ what: String) throws {
    try #require(reference.count == 16)
    for index in 0..<16 {
      #expect(abs(matrix[index] - reference[index]) <= 1e-12, "\(what), entry \(index)")
    }
  }

  @Test("pages have the reference's sizes")
  func pageSizes() throws {
    let measures = try vectors("constants", as: [String: Double].self)
    #expect(pageBox.size.width == measures["pageWidth"])
    #expect(pageBox.size.height == measures["pageHeight"])
    #expect(ShelfLayout.gap == measures["gap"])
    #expect(Perspective.m34 == measures["m34"])
  }

  @Test("an open book matches the reference")
  func openBook() throws {
    for each in try vectors("book", as: [Book].self) {
      let book = BookLayout(pageCount: each.pages, box: pageBox)
      #expect(book.maximumOffset == each.maxOffsetPages)
      #expect(Double(each.pages / 2) * 1024 == each.contentWidth_1024)
      #expect(book.leafCount == (each.items.count + 1) / 2)
      for item in each.items {
        let what = "page \(item.item) of \(each.pages) at \(each.offsetPages)"
        let ratio = book.ratio(ofLeaf: item.item / 2, offset: each.offsetPages)
        #expect(agrees(ratio, item.ratio), "\(what)")
        #expect(
          agrees(book.angle(ofPage: item.item, offset: each.offsetPages), item.angle),
          "\(what)"
        )
        #expect(book.z(ofPage: item.item) == item.z_product, "\(what)")
        try expect(
          book.transform(ofPage: item.item, offset: each.offsetPages),
          is: item.m,
          what
        )
        let isRecto = book.isRectoFacing(
          leaf: item.item / 2,
          in: BookPose(offset: each.offsetPages)
        )
        let isEven = item.item.isMultiple(of: 2)
        #expect(item.anchorX == (isEven ? 0 : 1))
        #expect((isEven == isRecto) == item.visible_product, "\(what)")
        let shade = book.shade(ofPage: item.item, offset: each.offsetPages)
        let strengths = isEven ? [0.45, 0.4, 0.55] : [0.3, 0.4, 0.5, 0.55]
        #expect(strengths.count == item.shadow.count)
        for (strength, stop) in zip(strengths, item.shadow) {
          #expect(agrees(strength * shade, stop[0]), "\(what)")
        }
      }
    }
  }

  @Test("a closed book matches the reference")
  func closedBook() throws {
    let closed = try vectors("closed", as: [String: [Double]].self)
    let book = BookLayout(pageCount: 8, box: pageBox)
    for page in 0..<8 {
      for offset in [0, 0.3, 3] {
        let matrix = book.transform(ofPage: page, in: BookPose(offset: offset, openness: 0))
        let reference = try #require(closed[page.isMultiple(of: 2) ? "right" : "left"])
        try expect(matrix, is: reference, "page \(page)")
      }
    }
  }

  @Test("a half-open book matches the reference")
  func halfOpenBook() throws {
    struct Case: Decodable {
      let item: Int
      let p: Double
      let m: [Double]
    }
    let book = BookLayout(pageCount: 8, box: pageBox)
    for each in try vectors("transition_item_p", as: [Case].self) {
      let pose = BookPose(offset: 0, openness: each.p)
      let matrix = book.transform(ofPage: each.item, in: pose)
      try expect(matrix, is: each.m, "page \(each.item) at \(each.p)")
    }
  }

  @Test("opening at 60 frames per second matches the reference")
  func opening() throws {
    struct Frame: Decodable {
      let frame: Int
      let p, coverAlpha: Double
      let items: [String: [Double]]
    }
    let book = BookLayout(pageCount: 8, box: pageBox)
    let animation = Animation.spring(
      .opening,
      from: 0,
      velocity: 0.7,
      to: 1,
      at: 0,
      duration: 1,
      tolerance: 1e-3
    )
    for each in try vectors("push_timeline_60Hz", as: [Frame].self) {
      let openness = animation.value(at: Double(each.frame) / 60)
      #expect(agrees(openness, each.p))
      #expect(agrees(min(max(1 - openness, 0), 1), each.coverAlpha))
      for (page, reference) in each.items {
        let matrix = book.transform(
          ofPage: try #require(Int(page)),
          in: BookPose(offset: 0, openness: openness)
        )
        try expect(matrix, is: reference, "page \(page) in frame \(each.frame)")
      }
    }
  }

  @Test("closing at 60 frames per second matches the reference")
  func closing() throws {
    struct Frame: Decodable {
      let frame: Int
      let p: Double
      let item1: [Double]
    }
    let book = BookLayout(pageCount: 8, box: pageBox)
    let animation = Animation.eased(.easeInOut, from: 1, to: 0, at: 0, duration: 1)
    for each in try vectors("pop_timeline_60Hz", as: [Frame].self) {
      let openness = animation.value(at: Double(each.frame) / 60)
      #expect(agrees(openness, each.p))
      try expect(
        book.transform(ofPage: 1, in: BookPose(offset: 0, openness: openness)),
        is: each.item1,
        "frame \(each.frame)"
      )
    }
  }
}
