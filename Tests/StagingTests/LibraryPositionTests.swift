import Motion
import Scene
import Testing

@testable import Staging

@Suite("The position in a library")
struct LibraryPositionTests {
  private func layout(_ ids: [[String]]) -> LibraryLayout {
    LibraryLayout(
      LibraryOutline(
        collections: ids.enumerated().map { index, ids in
          CollectionOutline(
            id: "c\(index)",
            books: ids.map { BookOutline(id: $0, pageCount: 4, pageSize: referencePage) }
          )
        }
      )
    )
  }

  @Test("scrolling to where the carousel rests changes nothing")
  func unmoved() throws {
    let library = layout([["a", "b"]])
    let fresh = LibraryPosition(in: library, isAtShelf: true)
    var position = fresh
    position.scrollShelf(to: 0, at: 5)
    #expect(position == fresh)
    position.scrollShelf(to: 9, at: 5)
    #expect(position.carousel.target == library.shelves[0].layout.pitch)
    #expect(position.isFlying(at: 5.1))
  }

  @Test("each collection has its own carousel")
  func carousels() {
    let library = layout([["a", "b"], ["c"]])
    var position = LibraryPosition(in: library, isAtShelf: true)
    position.scrollShelf(to: 1, at: 0)
    position.collection = 1
    #expect(position.carousel == .rest(0) && position.endTime < 0)
    position.collection = 0
    #expect(position.carousel.target == library.shelves[0].layout.pitch)
  }

  @Test("a slide from rest takes its full time, and a reversed slide turns round at its position")
  func slides() {
    var position = LibraryPosition(in: layout([["a"]]), isAtShelf: false)
    position.slide(to: 1, at: 0)
    #expect(position.endTime == LibraryPosition.slideSeconds)
    let before = position.slide.value(at: 0.1)
    position.slide(to: 0, at: 0.1)
    #expect(abs(position.slide.value(at: 0.1) - before) < 1e-12 && position.slide.target == 0)
  }

  @Test("list and shelf are never both opaque, and each is at its own end")
  func opacities() {
    var there = LibraryPosition(in: layout([["a"]]), isAtShelf: false)
    there.slide(to: 1, at: 0)
    var back = LibraryPosition(in: layout([["a"]]), isAtShelf: true)
    back.slide(to: 0, at: 0)
    var held = LibraryPosition(in: layout([["a"]]), isAtShelf: true)
    held.holdSlide(0.7, at: 0)
    for position in [there, back, held] {
      #expect(position.listOpacity(slide: 0) == 1 && position.listOpacity(slide: 1) == 0)
      #expect(position.shelfOpacity(slide: 0) == 0 && position.shelfOpacity(slide: 1) == 1)
    }
    #expect(there.listOpacity(slide: 0.5) == 0 && there.shelfOpacity(slide: 0.5) == 1)
    #expect(back.listOpacity(slide: 0.5) == 1 && back.shelfOpacity(slide: 0.5) == 0.5)
    #expect(held.shelfOpacity(slide: 0.5) == back.shelfOpacity(slide: 0.5))
  }

  @Test("a carousel stays at its book in another layout, and at its index if the book is gone")
  func moves() {
    let old = layout([["a", "b", "c", "d"]])
    func index(in new: LibraryLayout) -> Double {
      var position = LibraryPosition(in: old, isAtShelf: true)
      position.scrollShelf(to: 2, at: 0)
      position.settle()
      position.replace(library: new)
      return position.carousel.target / old.shelves[0].layout.pitch
    }
    #expect(index(in: layout([["c", "a", "b"]])) == 0)
    #expect(index(in: layout([["a", "b", "x", "d"]])) == 2)
    #expect(index(in: layout([["a"]])) == 0)
    #expect(index(in: layout([])) == 0)
  }
}
