import Notices
import PressProtocol
import Pressroom
import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Pages of an archive that are not shown")
struct ArchivePagesTests {
  let data = TemporaryFolder()
  let folder = TemporaryFolder()
  let press = FakePress()

  @Test("an image of an archive that cannot be shown is a page that says why; not the only one")
  func faultyImages() throws {
    let library = try Shelves.open(data: data, press: press)
    let comic = FakeDocument("comic").with("image 300 400 0 a.jpg").with("image 0 0 1 x/b c.jpg")
    let book = try library.importFile(try folder.write("c.cbz", comic), name: "c.cbz")
    let key = try library.known(book.id).key
    let pages = try library.storage.store.read { try $0.pages.all(of: key) }
    let fault = PressFault.imageDamaged(name: "x/b c.jpg").notice
    #expect(pages.map(\.fault) == [nil, fault] && pages.map(\.file) == ["a.jpg", nil])
    #expect(pages[1].width == 300 && pages[1].asset == nil && pages[1].format == nil)
    let bell = Bell()
    library.picture(PageRequest(book: book.id, page: 1, size: .thumb)) { result in
      #expect(result == .failure(.unshowable(fault)))
      bell.ring()
    }
    #expect(bell.wait { bell.count == 1 })
    let none = FakeDocument("none").with("image 0 0 1 b.jpg").with("image 0 0 0 a.jpg")
    let file = try folder.write("d.cbz", none)
    #expect(throws: ImportFault.press(.imageDamaged(name: "a.jpg"))) {
      try library.importFile(file, name: "d.cbz")
    }
  }

  @Test("a page that is said to be double takes a spread, whatever its size is")
  func doublePages() throws {
    let library = try Shelves.open(data: data, press: press)
    var comic = FakeDocument("comic").with("double 2")
    for page in 0..<5 { comic = comic.with("image 300 400 \(page) \(page).jpg") }
    let book = try library.importFile(try folder.write("c.cbz", comic), name: "c.cbz")
    let bound = try library.bound(book.id)
    let spreads = (0..<bound.spreadCount).map { bound.pages(ofSpread: $0) }
    #expect(book.hasSpreads == true && spreads.contains([2]) && spreads.contains([3, 4]))
  }

  @Test("wide pages face each other in a book that says so, unless most of its pages are upright")
  func pagesApart() throws {
    let library = try Shelves.open(data: data, press: press)
    func spreads(_ name: String, _ widths: [Int]) throws -> [[Int]] {
      var comic = FakeDocument(name).with("apart")
      for (page, width) in widths.enumerated() {
        comic = comic.with("image \(width) 400 \(page) \(page).jpg")
      }
      let book = try library.importFile(try folder.write("\(name).cbz", comic), name: name)
      let bound = try library.bound(book.id)
      return (0..<bound.spreadCount).map { bound.pages(ofSpread: $0) }
    }
    #expect(try spreads("wide", [600, 600, 600, 600, 600]).contains([1, 2]))
    #expect(try spreads("upright", [300, 300, 300, 600, 300]).contains([3]))
  }

  @Test("a page wider than two takes one spread, and later pages keep their sides")
  func foldOut() throws {
    let library = try Shelves.open(data: data, press: press)
    var comic = FakeDocument("comic")
    for page in 0..<7 {
      comic = comic.with("image \(page == 3 ? 1_200 : 300) 400 \(page) \(page).jpg")
    }
    let book = try library.importFile(try folder.write("c.cbz", comic), name: "c.cbz")
    let bound = try library.bound(book.id)
    let spreads = (0..<bound.spreadCount).map { bound.pages(ofSpread: $0) }
    #expect(spreads.contains([1, 2]) && spreads.contains([3]))
    #expect(spreads.contains([4, 5]))
  }

  @Test("tells of archives beside the pages of an archive")
  func archivesBeside() throws {
    var comic = FakeDocument("comic").with("image 300 400 0 a.jpg")
    for number in 1...4 { comic = comic.with("beside ch\(number).cbz") }
    try folder.write("Shelf/c.cbz", comic)
    let library = try Shelves.open(folder, data: data, press: press)
    #expect(library.books().first?.state == .ready)
    let note = try #require(library.notes.first)
    #expect(library.notes.count == 1)
    #expect(
      note.contains("Shelf/c.cbz: the archive also contains ch1.cbz, ch2.cbz, ch3.cbz and more")
    )
  }
}
