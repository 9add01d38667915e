import Scene
import TestVectors
import Testing

/// The pages on the faces of random books.
@Suite("The imposition of a book")
struct ImpositionTests {
  private func forEachBook(_ body: (Imposition, [Int], Bool, String) -> Void) {
    for seed in seeds(0..<500) {
      var dice = SplitMix64(seed: seed)
      let pages = Int.random(in: 0...40, using: &dice)
      let shares: [Double] = [0, 0.1, 0.5, 1]
      let share = shares.randomElement(using: &dice) ?? 0
      let wide = (0..<pages).filter { _ in Double.random(in: 0..<1, using: &dice) < share }
      let repeatsCover = Bool.random(using: &dice)
      let isMirrored = Bool.random(using: &dice)
      let imposition = Imposition(
        pageCount: pages,
        repeatsCover: repeatsCover,
        wide: wide,
        isShifted: Bool.random(using: &dice),
        isMirrored: isMirrored
      )
      let inside = repeatsCover ? wide : wide.filter { $0 > 0 }
      body(imposition, inside, isMirrored, "seed \(seed): \(pages) pages, wide \(wide)")
    }
  }

  @Test("has each page once, in order, and each wide page on both faces of a spread")
  func everyPage() {
    forEachBook { imposition, wide, _, book in
      var read: [Int] = []
      for face in 0..<imposition.faceCount {
        guard let page = imposition.page(ofFace: face) else { continue }
        read.append(page)
        let first = imposition.face(ofPage: page)
        if wide.contains(page) {
          #expect(!first.isMultiple(of: 2) && (face == first || face == first + 1), "\(book)")
        } else {
          #expect(face == first, "\(book)")
        }
      }
      let expected = (0..<imposition.pageCount).flatMap { wide.contains($0) ? [$0, $0] : [$0] }
      #expect(read == expected, "\(book)")
    }
  }

  @Test("has the left half of a wide page on the left, in both directions of reading")
  func halves() {
    forEachBook { imposition, wide, isMirrored, book in
      for page in wide {
        let face = imposition.face(ofPage: page)
        let (first, second) = (imposition.part(ofFace: face), imposition.part(ofFace: face + 1))
        #expect(first == (isMirrored ? .rightHalf : .leftHalf), "\(book)")
        #expect(second == (isMirrored ? .leftHalf : .rightHalf), "\(book)")
      }
      for page in 0..<imposition.pageCount where !wide.contains(page) {
        #expect(imposition.part(ofFace: imposition.face(ofPage: page)) == .whole, "\(book)")
      }
    }
  }

  @Test("has a blank face only inside the cover and before a wide page")
  func blanks() {
    forEachBook { imposition, wide, _, book in
      for face in 3..<max(3, imposition.faceCount) where imposition.page(ofFace: face) == nil {
        let next = imposition.page(ofFace: face + 1)
        #expect(next.map(wide.contains) == true, "face \(face), \(book)")
      }
    }
  }

  @Test("of slides has one on each spread, and its cover is a picture of the first")
  func slides() {
    let slides = Imposition(pageCount: 9, repeatsCover: true, wide: Array(0..<9))
    #expect(slides.faceCount == 19 && slides.page(ofFace: 0) == nil)
    for spread in 0..<9 {
      #expect((1...2).map { slides.page(ofFace: 2 * spread + $0) } == [spread, spread])
    }
  }

  @Test("of a comic begins on the side on which its wide pages need no blank faces")
  func comic() {
    let comic = Imposition(pageCount: 20, repeatsCover: false, wide: [4, 9, 14])
    #expect(comic.page(ofFace: 1) == nil && comic.page(ofFace: 2) == 1 && comic.faceCount == 24)
    let shifted = Imposition(pageCount: 20, repeatsCover: false, wide: [], isShifted: true)
    #expect(shifted.page(ofFace: 1) == nil && shifted.page(ofFace: 2) == 1)
    let plain = Imposition(pageCount: 20, repeatsCover: false, wide: [])
    #expect((0..<20).allSatisfy { plain.page(ofFace: $0) == $0 })
  }

  @Test("answers for any face and any page")
  func anyNumber() {
    forEachBook { imposition, _, _, _ in
      for number in [Int.min, -1, 0, imposition.faceCount, .max / 2] {
        _ = imposition.page(ofFace: number)
        _ = imposition.part(ofFace: number)
        _ = imposition.face(ofPage: number)
        _ = imposition.isWide(number)
      }
    }
  }
}
