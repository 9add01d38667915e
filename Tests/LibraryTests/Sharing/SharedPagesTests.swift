import Foundation
import Notices
import PressProtocol
import Pressroom
import SharedStore
import Synchronization
import TestDocuments
import TestStores
import Testing

@testable import Library

extension PressesTests {
  @Suite("Pages of books in a store")
  struct SharedPagesTests {
    private static func open(
      _ libraries: SharedLibraries,
      _ number: Int,
      folder: TemporaryFolder? = nil,
      data: TemporaryFolder,
      sharesPages: Bool
    ) throws -> BookLibrary {
      var options = BookLibrary.Options(
        data: data.path,
        directory: folder?.path,
        press: TestProgram.path("lectern-press"),
        worksAhead: false
      )
      var sharing = libraries.sharing(number)
      sharing.sharesPages = sharesPages
      options.sharing = sharing
      let library = try BookLibrary(options) { [bell = libraries.bell] _ in bell.ring() }
      library.settle(atMost: 60)
      libraries.add(library, number)
      return library
    }

    /// Returns the bytes of a page.
    private static func bytes(
      _ library: BookLibrary,
      _ id: String,
      _ page: Int,
      count: Int = 1
    ) throws -> [Data] {
      let answers = Mutex<[Result<PagePicture, LibraryFault>]>([])
      let bell = Bell()
      for _ in 0..<count {
        library.picture(PageRequest(book: id, page: page, size: .screen)) { result in
          answers.withLock { $0.append(result) }
          bell.ring()
        }
      }
      #expect(bell.wait { bell.count == count })
      return try answers.withLock { $0 }.map { answer in
        switch try answer.get().content {
        case .file(let path): try Data(contentsOf: URL(fileURLWithPath: path))
        case .bytes(let bytes): Data(bytes)
        }
      }
    }

    @Test(
      "a process that lacks a book fetches it once and shows the same pages",
      arguments: SharedStoreKind.allCases
    )
    func fetched(_ kind: SharedStoreKind) throws {
      let libraries = SharedLibraries(try TestStore(kind))
      let (folder, data) = (TemporaryFolder(), [TemporaryFolder(), TemporaryFolder()])
      try folder.write("a.pdf", PressImportTests.pdf(["Call me Ishmael", "the whale"]))
      try folder.write("b.cbz", Archives.comic(pages: 3))
      for page in 0..<2 {
        let image = Images.noisePNG(width: 60 + page, height: 80)
        try folder.write("c/\(page).png", image)
      }
      let one = try Self.open(libraries, 1, folder: folder, data: data[0], sharesPages: false)
      let two = try Self.open(libraries, 2, data: data[1], sharesPages: false)
      #expect(libraries.wait { two.books().filter { $0.state == .ready }.count == 3 })
      #expect(one.flushStore(atMost: 30))
      #expect(!data[1].files().contains { $0.contains("/originals/") || $0.contains("/assets/") })
      for book in one.books() {
        #expect(two.book(book.id)?.pages == book.pages)
        for page in 0..<book.pages {
          let expected = try Self.bytes(one, book.id, page)
          let found = try Self.bytes(two, book.id, page, count: 4)
          #expect(found == Array(repeating: expected[0], count: 4), "\(book.title) \(page)")
        }
      }
      let files = data[1].files()
      #expect(files.count { $0.contains("/originals/") } == 2)
      // Three images of the archive and two of the folder.
      #expect(files.count { $0.contains("/assets/") } == 5)
    }

    @Test("the pages of a book that one process has laid out are fetched, and the book is not")
    func laidOut() throws {
      let libraries = SharedLibraries(try TestStore(.folder))
      let (folder, data) = (TemporaryFolder(), [TemporaryFolder(), TemporaryFolder()])
      try folder.write("walks.md", Array("# Walks\n\nA quiet night.".utf8))
      let one = try Self.open(libraries, 1, folder: folder, data: data[0], sharesPages: false)
      let two = try Self.open(libraries, 2, data: data[1], sharesPages: false)
      let id = try #require(one.named("Walks")?.id)
      #expect(libraries.wait { two.book(id)?.state == .ready })
      #expect(one.flushStore(atMost: 30))
      #expect(try Self.bytes(two, id, 0) == Self.bytes(one, id, 0))
      let files = data[1].files()
      #expect(!files.contains { $0.contains("/originals/") })
      #expect(files.count { $0.contains("/assets/") } == 1)
    }

    @Test("a page that one process has rendered is shown by the other without the book")
    func sharedPictures() throws {
      let store = try StoreFolder()
      let libraries = SharedLibraries(TestStore(store))
      let (folder, data) = (TemporaryFolder(), [TemporaryFolder(), TemporaryFolder()])
      try folder.write("a.pdf", PressImportTests.pdf(["Call me Ishmael", "the whale"]))
      let one = try Self.open(libraries, 1, folder: folder, data: data[0], sharesPages: true)
      let two = try Self.open(libraries, 2, data: data[1], sharesPages: true)
      #expect(libraries.wait { two.bookCount == 1 })
      #expect(one.flushStore(atMost: 30))
      let id = try #require(one.books().first?.id)
      #expect(libraries.wait { two.book(id)?.state == .ready })
      // The second process renders the page, so it fetches the book and offers the picture.
      let expected = try Self.bytes(two, id, 1)
      let hash = try one.known(id).file.hash
      let name = try #require(BlobKey.page(hash, "1-screen-1"))
      #expect(libraries.wait { (try? store.store.size(of: name)) ?? nil != nil })
      let third = TemporaryFolder()
      let three = try Self.open(libraries, 3, data: third, sharesPages: true)
      #expect(libraries.wait { three.book(id)?.state == .ready })
      #expect(try Self.bytes(three, id, 1) == expected)
      #expect(!third.files().contains { $0.contains("/originals/") })
    }

    @Test("a page whose book is out of reach says so, and is shown when the store is back")
    func outage() throws {
      let store = try StoreFolder()
      let libraries = SharedLibraries(TestStore(store))
      let (folder, data) = (TemporaryFolder(), [TemporaryFolder(), TemporaryFolder()])
      try folder.write("a.pdf", PressImportTests.pdf(["Call me Ishmael"]))
      let one = try Self.open(libraries, 1, folder: folder, data: data[0], sharesPages: true)
      let two = try Self.open(libraries, 2, data: data[1], sharesPages: true)
      let id = try #require(one.books().first?.id)
      #expect(libraries.wait { two.book(id)?.state == .ready })
      #expect(one.flushStore(atMost: 30))
      try store.unmount()
      let error = #expect(throws: LibraryFault.self) { try Self.bytes(two, id, 0) }
      #expect(error?.canRetry == true && error?.description.contains("store") == true)
      try store.mount()
      #expect(try Self.bytes(two, id, 0) == Self.bytes(one, id, 0))
    }
  }
}
