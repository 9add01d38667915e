import Foundation
import Motion
import Notices
import Press
import PressProtocol
import Pressroom
import Scene
import Synchronization
import TestDocuments
import Testing

@testable import Library

@Suite("Folder")
struct FolderTests {
  private static let shipped = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Web/library").path

  private func shippedLibrary() throws -> BookLibrary {
    let options = BookLibrary.Options(directory: Self.shipped, press: "", watches: false)
    let library = try BookLibrary(
      options,
      folder: BookLibrary.opened(nil),
      printing: FakePress(),
      pressroom: nil,
      settle: 0
    ) { _ in }
    #expect(library.settle(atMost: 60))
    return library
  }

  @Test("the sample library has three collections of readable books of all lengths and shapes")
  func shipped() throws {
    let library = try shippedLibrary()
    #expect(library.notes == [])
    let catalogue = library.catalogue()
    #expect(catalogue.collections.map(\.title) == ["Bedtime", "Reading room", "Music stand"])
    let books = catalogue.collections.flatMap(\.books)
    #expect(books.count >= 8)
    #expect(Set(books.map(\.pageCount)).isSuperset(of: [1, 2, 3, 32, 60]))
    #expect(books.contains { $0.progression == .rightToLeft })
    #expect(books.contains { $0.pageSize.width > $0.pageSize.height })
    #expect(books.allSatisfy { !$0.title.isEmpty && !$0.author.isEmpty })
    #expect(catalogue.collections[0].books[0].title == "The Night Ferry")
    #expect(Set(books.map(\.id)).count == books.count)
    #expect(
      try shippedLibrary().catalogue().collections.map(\.id) == catalogue.collections.map(\.id)
    )
  }

  @Test("every address of a sample book has a picture of the book's size")
  func addresses() throws {
    let library = try shippedLibrary()
    for book in library.catalogue().collections.flatMap(\.books) {
      let bell = Bell()
      library.picture(PageRequest(book: book.id, page: 0, size: .screen)) { _ in bell.ring()
      }
      #expect(bell.wait { bell.count > 0 })
      for page in 0..<book.pageCount {
        // From the second request on, only memory is read.
        let picture = try #require(
          library.cachedPicture(PageRequest(book: book.id, page: page, size: .screen))
        )
        #expect(picture.contentType == "image/svg+xml")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: picture.path ?? ""))
        let header = try ImageHeaders.read(Array(bytes))
        let size = Size(width: header.width, height: header.height)
        #expect(size == book.pageSize, "\(picture)")
      }
      #expect(library.cachedPicture(PageRequest(book: book.id, page: -1, size: .screen)) == nil)
      #expect(library.cachedPicture(PageRequest(book: book.id, page: 99, size: .screen)) == nil)
    }
  }

  @Test("reads pages in natural order and detects formats by their bytes, not by names")
  func rasters() throws {
    let folder = TemporaryFolder()
    try folder.write("Trips/Alps/2.png", ImageHeads.png(300, 400))
    try folder.write("Trips/Alps/10.jpg", ImageHeads.webpLossy(300, 400))
    try folder.write("Trips/Alps/1.JPEG", ImageHeads.jpeg(300, 400))
    try folder.write("Trips/Alps/11.tif", Array("tiff yes".utf8))
    try folder.write("Trips/Alps/.hidden.png", ImageHeads.png(1, 1))
    try folder.write("Trips/Alps/notes.txt", Array("hello".utf8))
    let library = try Shelves.open(folder)
    let book = try #require(library.catalogue().collections.first?.books.first)
    #expect(library.notes == [])
    #expect(book.title == "Alps" && book.pageURLs.count == 4)
    #expect(book.pageSize == Size(width: 300, height: 400))
    let row = try library.known(book.id)
    let pages = try library.storage.store.read { try $0.pages.all(of: row.key) }
    #expect(pages.map(\.file) == ["1.JPEG", "2.png", "10.jpg", "11.tif"])
    #expect(pages.map(\.format) == ["jpeg", "png", "webp", "tiff"])
  }

  @Test("shows nothing from bins, from the folders of storage systems, or of a second copy")
  func bins() throws {
    let folder = TemporaryFolder()
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    for name in ["#recycle/b.pdf", "$RECYCLE.BIN/c.pdf", "@eaDir/d.pdf/thumb.jpg", "~$e.pdf"] {
      try folder.write("Shelf/" + name, FakeDocument(name, pages: 1))
    }
    try folder.write("f.sync-conflict-20260101-101010-ABCDEFG.pdf", FakeDocument("f", pages: 1))
    #expect(try Shelves.open(folder).books().map(\.title) == ["a"])
  }

  @Test("takes the files that an import takes, and tells once of each kind that cannot be opened")
  func kinds() throws {
    let folder = TemporaryFolder()
    for name in ["a.zip", "b.rar", "c.7z", "d.tar", "e.CBZ"] {
      try folder.write(name, FakeDocument(name).with("image 3 4 0 a.jpg"))
    }
    for name in ["1.kfx", "2.kfx", "sub/3.KFX", "4.docx", "5.bmp"] {
      try folder.write(name, Array(name.utf8))
    }
    let library = try Shelves.open(folder)
    #expect(library.books().count == 5)
    let notes = library.notes.filter { $0.contains("cannot be opened") }
    #expect(notes.count == 3, "\(library.notes)")
    #expect(notes.contains { $0.contains("3 files end in .kfx") })
    #expect(notes.contains { $0.contains("1 file ends in .bmp") })
  }

  @Test("an image that cannot be shown keeps its place among the others; the cover comes first")
  func places() throws {
    let folder = TemporaryFolder()
    for name in ["1.png", "3.png", "cover.png"] {
      try folder.write("Book/" + name, ImageHeads.png(3, 4))
    }
    try folder.write("Book/2.bmp", [0x42, 0x4D, 1, 2])
    let library = try Shelves.open(folder)
    let book = try #require(library.books().first)
    let row = try library.known(book.id)
    let pages = try library.storage.store.read { try $0.pages.all(of: row.key) }
    #expect(pages.map(\.file) == ["cover.png", "1.png", nil, "3.png"])
    #expect(library.notes.contains { $0.contains("2.bmp") && $0.contains("says so") })
  }

  @Test("treats folders of books at any depth as collections, and folders of images as books")
  func shapes() throws {
    let folder = TemporaryFolder()
    try folder.write("02-the_long-way/1.png", ImageHeads.png(3, 4))
    try folder.write("1 short/2.png", ImageHeads.png(3, 4))
    try folder.write("Deep/Manga/vol 2.pdf", FakeDocument("b", pages: 1))
    try folder.write("Deep/Manga/vol 10.pdf", FakeDocument("c", pages: 1))
    try folder.write("Deep/Manga/extra.png", ImageHeads.png(3, 4))
    try folder.write("Deep/loose.cbz", FakeDocument("d").with("image 3 4 0 a.jpg"))
    try folder.write("top.epub", FakeDocument("e").with("image 3 4 0 a.jpg"))
    let library = try Shelves.open(folder)
    let name = Shelf.title("dir:", root: folder.path)
    #expect(library.catalogue().collections.map(\.title) == [name, "Deep", "Deep / Manga"])
    #expect(
      library.titles == [
        ["Short", "The long way", "top"], ["loose"], ["vol 2", "vol 10"],
      ]
    )
  }

  @Test("treats a folder that contains only images as one book")
  func single() throws {
    let folder = TemporaryFolder()
    try folder.write("a.png", ImageHeads.png(3, 4))
    try folder.write("b.png", ImageHeads.png(3, 4))
    #expect(
      try Shelves.open(folder).catalogue().collections.map { $0.books.map(\.pageURLs.count) } == [
        [2]
      ]
    )
  }

  @Test("reads the headers of images in batches of bounded size")
  func batches() throws {
    let folder = TemporaryFolder()
    let press = FakePress()
    for page in 0..<70 { try folder.write("C/B/\(page).png", ImageHeads.png(3 + page, 100)) }
    let library = try Shelves.open(folder, press: press)
    #expect(press.state.withLock(\.headerRequests) == [32, 32, 6])
    let row = try #require(library.books().first)
    let pages = try library.storage.store.read { try $0.pages.all(of: row.key) }
    #expect(pages.map(\.width) == (3..<73).map(Double.init))
  }

  @Test("a header that crashes the press affects only its own page")
  func deadlyHead() throws {
    let folder = TemporaryFolder()
    let press = FakePress()
    let deadly = ImageHeads.png(7, 7)
    press.state.withLock { state in
      state.headerFault = { $0.contains(deadly) ? .stopped(page: nil) : nil }
    }
    for page in 0..<5 {
      try folder.write("C/B/\(page).png", page == 2 ? deadly : ImageHeads.png(3, 4))
    }
    let library = try Shelves.open(folder, press: press)
    let book = try #require(library.catalogue().collections.first?.books.first)
    #expect(faults(library, book.id).map { $0 != nil } == [false, false, true, false, false])
    #expect(library.notes.count == 1)
    #expect(library.notes.first?.contains("C/B/2.png") == true)
  }

  @Test("a folder whose headers no press can read now becomes a book later")
  func later() throws {
    for fault in [PressFault.busy, .stopped(page: nil)] {
      let folder = TemporaryFolder()
      let data = TemporaryFolder()
      let press = FakePress()
      press.state.withLock { $0.headerFault = { _ in fault } }
      for page in 0..<3 { try folder.write("C/B/\(page).png", ImageHeads.png(3, 4)) }
      do {
        let library = try Shelves.open(folder, data: data, press: press)
        #expect(library.books().isEmpty && library.notes.count == 1)
        library.stop()
      }
      let book = try #require(try Shelves.open(folder, data: data).books().first)
      #expect(book.state == .ready && book.pages == 3)
    }
  }

  @Test("keeps the place of a page that cannot be shown and says what is wrong with it")
  func unreadablePages() throws {
    let folder = TemporaryFolder()
    try folder.write("C/B/0.png", Array(ImageHeads.png(3, 4).prefix(9)))
    try folder.write("C/B/1.png", ImageHeads.png(3, 4))
    try folder.write("C/B/2.bmp", [1])
    try folder.write("C/B/book.json", Array("{\"title\": 7}".utf8))
    try folder.write("C/Broken/0.png", [])
    try folder.write("C/Empty/read.me", [])
    try folder.write("Nothing/read.me", [])
    let library = try Shelves.open(folder)
    let books = try #require(library.catalogue().collections.first?.books)
    #expect(books.map(\.title) == ["B", "Broken"])
    #expect(books[1].pageURLs.count == 1)
    #expect(Array(books[0].pageURLs.map(\.isEmpty)) == [false, false, false])
    #expect(
      faults(library, books[0].id) == [
        "Image 0.png is damaged and cannot be shown. Save it again.", nil,
        "Image 2.bmp is damaged and cannot be shown. Save it again.",
      ]
    )
    #expect(library.cachedPicture(PageRequest(book: books[0].id, page: 0, size: .screen)) == nil)
    let broken = try #require(library.books().first { $0.state == .failed })
    #expect(broken.title == "Broken" && broken.failure?.message.contains("0.png") == true)
    for name in ["C/B/0.png", "C/B/2.bmp", "C/B/book.json", "C/Broken", "C/Empty", "Nothing"] {
      #expect(library.notes.contains { $0.contains(name) }, "\(name)")
    }
  }

  /// Returns the sentences that the pages of a book show instead of their images.
  private func faults(_ library: BookLibrary, _ id: String) -> [String?] {
    (0..<(library.book(id)?.pages ?? 0)).map { page in
      let bell = Bell()
      let found = Mutex<LibraryFault?>(nil)
      library.picture(PageRequest(book: id, page: page, size: .screen)) { result in
        if case .failure(let fault) = result { found.withLock { $0 = fault } }
        bell.ring()
      }
      _ = bell.wait { bell.count > 0 }
      guard case .unshowable(let notice) = found.withLock({ $0 }) else { return nil }
      return notice.message
    }
  }

  @Test("takes the loose pictures of a folder of books as covers, and tells of other pictures")
  func looseCovers() throws {
    let folder = TemporaryFolder()
    let image = ImageHeads.png(3, 4)
    try folder.write("Ann/Sea (1)/sea.pdf", FakeDocument("a", pages: 1))
    try folder.write("Ann/Sea (1)/cover.jpg", image)
    try folder.write("Ann/Sea (1)/metadata.opf", FakeDocument().with("package"))
    for volume in ["v1", "v2"] {
      try folder.write("Tides/\(volume).cbz", FakeDocument(volume).with("image 3 4 0 a.jpg"))
      try folder.write("Tides/\(volume).jpg", image)
    }
    for name in ["cover.jpg", "back.PNG", "IMG_1.jpg", "IMG_2.jpg"] {
      try folder.write("Tides/" + name, image)
    }
    for name in ["Trip/Alps/1.png", "Trip/folder.jpg", "Trip/alps.png"] {
      try folder.write(name, image)
    }
    let library = try Shelves.open(folder)
    #expect(
      library.titles == [["sea"], ["v1", "v2"], ["Alps"]]
    )
    #expect(library.notes.count == 1)
    #expect(library.notes.first?.hasPrefix("Tides: IMG_1.jpg and 1 more beside the books") == true)
  }

  @Test("shows many pictures beside folders of books as a book of their own")
  func manyLoose() throws {
    let folder = TemporaryFolder()
    for page in 1...4 { try folder.write("Trip/\(page).png", ImageHeads.png(3, 4)) }
    try folder.write("Trip/Extras/1.png", ImageHeads.png(3, 4))
    let library = try Shelves.open(folder)
    #expect(library.titles == [["Trip", "Extras"]])
    #expect(library.notes == [])
  }

  @Test("reads title, author and direction from book.json")
  func description() throws {
    let folder = TemporaryFolder()
    try folder.write("C/B/0.svg", ImageHeads.svg("viewBox=\"0 0 3 4\""))
    try folder.write(
      "C/B/book.json",
      Array("{\"title\": \"ירח\", \"author\": \"נועה\", \"progression\": \"rtl\"}".utf8)
    )
    let book = try Shelves.open(folder).catalogue().collections[0].books[0]
    #expect(book.title == "ירח" && book.author == "נועה" && book.progression == .rightToLeft)
  }

  @Test(
    "reads the paper stock from book.json and notes an unknown one",
    arguments: [
      ("card", PaperStock.card, 0), ("board", .board, 0), ("paper", .paper, 0), ("felt", .paper, 1),
      ("", .paper, 1),
    ]
  )
  func stock(name: String, stock: PaperStock, notes: Int) throws {
    let folder = TemporaryFolder()
    try folder.write("C/B/0.svg", ImageHeads.svg("viewBox=\"0 0 3 4\""))
    try folder.write("C/B/book.json", Array("{\"title\": \"T\", \"stock\": \"\(name)\"}".utf8))
    let library = try Shelves.open(folder)
    let book = library.catalogue().collections[0].books[0]
    #expect(book.title == "T" && book.stock == stock && book.outline.stock == stock)
    #expect(library.books().map(\.stock) == [stock])
    #expect(library.notes.count == notes)
    #expect(library.notes.allSatisfy { $0.contains("the stock is \"\(name)\"") })
  }

  @Test("changes the addresses of pages when a file changes, and keeps the id of the book")
  func revisions() throws {
    let folder = TemporaryFolder()
    let data = TemporaryFolder()
    try folder.write("C/B/0.png", ImageHeads.png(3, 4))
    let before = try Shelves.open(folder, data: data).catalogue()
    #expect(try Shelves.open(folder, data: data).catalogue() == before)
    try folder.write("C/B/0.png", ImageHeads.png(3, 4) + [0])
    let after = try Shelves.open(folder, data: data).catalogue()
    #expect(before.collections[0].books[0].pageURLs != after.collections[0].books[0].pageURLs)
    #expect(before.collections[0].books[0].id == after.collections[0].books[0].id)
  }

  @Test("rejects a path that is not a folder, and opens an empty folder as an empty library")
  func refusals() throws {
    #expect(throws: LibraryError.notAFolder(path: "/nowhere/at/all")) {
      try BookLibrary(.init(directory: "/nowhere/at/all", press: "/bin/false")) { _ in }
    }
    #expect(try Shelves.open(TemporaryFolder()).catalogue().collections.isEmpty)
  }

  @Test("does not read unchanged files again")
  func noChange() throws {
    let folder = TemporaryFolder()
    let data = TemporaryFolder()
    for number in 0..<20 {
      try folder.write("C\(number % 3)/\(number).pdf", FakeDocument("\(number)", pages: 2))
    }
    let press = FakePress()
    let before = try Shelves.open(folder, data: data, press: press).catalogue()
    #expect(press.openedCount == 20)
    #expect(try Shelves.open(folder, data: data, press: press).catalogue() == before)
    #expect(press.openedCount == 20)
  }

  @Test("keeps a file that cannot be read as a book that says why, and does not retry it")
  func failed() throws {
    let folder = TemporaryFolder()
    let data = TemporaryFolder()
    let press = FakePress()
    try folder.write("a.pdf", FakeDocument("a", pages: 1).with("fault damaged"))
    let library = try Shelves.open(folder, data: data, press: press)
    let book = try #require(library.books().first)
    #expect(book.state == .failed && book.failure == PressFault.damaged(.pdf).notice)
    #expect(library.titles == [["a"]] && !book.mayRetry)
    library.stop()
    _ = try Shelves.open(folder, data: data, press: press)
    #expect(press.openedCount == 1)
  }

  @Test("follows a link to a parent folder only once")
  func loops() throws {
    let folder = TemporaryFolder()
    try folder.write("A/a.pdf", FakeDocument("a", pages: 1))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/A/up",
      withDestinationPath: ".."
    )
    #expect(try Shelves.open(folder).titles == [["a"]])
  }
}
