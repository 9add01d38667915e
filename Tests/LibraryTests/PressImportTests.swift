import Foundation
import Motion
import Press
import PressProtocol
import Pressroom
import Scene
import Synchronization
import TestDocuments
import Testing

@testable import Library

/// All tests that import with real presses; they run one after another, because each uses both
/// cores.
@Suite("Imports with presses", .serialized, .timeLimit(.minutes(10)))
struct PressesTests {}

extension PressesTests {
  @Suite("Import with the press")
  struct PressImportTests {
    let data = TemporaryFolder()
    let folder = TemporaryFolder()

    private func open(worksAhead: Bool = true) throws -> BookLibrary {
      let options = BookLibrary.Options(
        data: data.path,
        directory: folder.path,
        press: TestProgram.path("lectern-press"),
        worksAhead: worksAhead
      )
      let library = try BookLibrary(options) { _ in }
      #expect(library.settle(atMost: 120))
      return library
    }

    /// Creates a PDF with one text per page.
    static func pdf(_ texts: [String]) -> [UInt8] {
      var objects = ["<</Type/Catalog/Pages 2 0 R>>", ""]
      var kids = ""
      for text in texts {
        let content = "BT /F 24 Tf 40 200 Td (\(text)) Tj ET"
        let page = objects.count + 1
        kids += "\(page) 0 R "
        objects.append(
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents \(page + 1) 0 R"
            + "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
        )
        objects.append("<</Length \(content.utf8.count)>>stream\n\(content)\nendstream")
      }
      objects[1] = "<</Type/Pages/Count \(texts.count)/Kids[\(kids)]>>"
      var file = "%PDF-1.4\n"
      var offsets: [Int] = []
      for (index, object) in objects.enumerated() {
        offsets.append(file.utf8.count)
        file += "\(index + 1) 0 obj\(object)endobj\n"
      }
      let start = file.utf8.count
      file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
      for offset in offsets {
        file += String(repeating: "0", count: 10 - String(offset).count) + "\(offset) 00000 n \n"
      }
      file += "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
      return Array(file.utf8)
    }

    /// Renders a page and returns its picture.
    private func print(_ library: BookLibrary, _ id: String, _ page: Int) -> PagePicture? {
      let answers = Mutex<[Result<PagePicture, LibraryFault>]>([])
      let bell = Bell()
      library.picture(PageRequest(book: id, page: page, size: .screen)) { result in
        answers.withLock { $0.append(result) }
        bell.ring()
      }
      _ = bell.wait { bell.count == 1 }
      return answers.withLock { try? $0.first?.get() }
    }

    @Test(
      "a book that replaces another while a press has that open is read again, including its pages",
      arguments: [true, false]
    )
    func replaced(isRenamed: Bool) throws {
      let path = folder.path + "/a/whale.pdf"
      try folder.write("a/whale.pdf", Self.pdf(["Call me Ishmael"]))
      let library = try open()
      let old = try #require(library.books().first)
      #expect(print(library, old.id, 0) != nil)
      // The press of the old file lives for a minute; the new file has other pages.
      let fresh = Data(Self.pdf(["Emma Woodhouse", "handsome", "clever", "and rich"]))
      try fresh.write(to: URL(fileURLWithPath: path), options: isRenamed ? [.atomic] : [])
      let bell = Bell()
      #expect(bell.wait { library.books().first { $0.state == .ready && $0.pages == 4 } != nil })
      let new = try #require(library.books().first { $0.pages == 4 })
      #expect(new.id != old.id)
      let picture = try #require(print(library, new.id, 3))
      #expect(picture.path != nil)
      #expect(library.finishWork(atMost: 120))
      #expect(try library.search("handsome").map(\.book) == [new.id])
      #expect(try library.search("ishmael") == [])
    }

    @Test("a picture that is rendered while its book is erased does not stay")
    func erased() throws {
      let library = try open(worksAhead: false)
      let texts = Array(repeating: "Call me Ishmael", count: 40)
      let inbox = TemporaryFolder()
      let file = try inbox.write("whale.pdf", Self.pdf(texts))
      let book = try library.importFile(file, name: "whale.pdf")
      let bell = Bell()
      for page in 0..<book.pages {
        library.picture(PageRequest(book: book.id, page: page, size: .zoom)) { _ in bell.ring() }
      }
      // From now on, presses are at work.
      #expect(bell.wait { bell.count > 0 })
      try library.remove(book.id)
      #expect(try library.emptyBin() == 1)
      #expect(bell.wait { bell.count == book.pages })
      let rest = try FileManager.default.subpathsOfDirectory(atPath: data.path + "/pages")
      #expect(rest.filter { $0.hasSuffix(".webp") } == [])
    }

    @Test("a replaced document keeps the pages that were drawn, until it is deleted")
    func drawn() throws {
      try folder.write("a/whale.pdf", Self.pdf(["Call me Ishmael", "Loomings"]))
      let library = try open(worksAhead: false)
      let old = try #require(library.books().first)
      #expect(print(library, old.id, 0) != nil)
      try folder.write("a/whale.pdf", Self.pdf(["Emma Woodhouse"]))
      let bell = Bell()
      #expect(bell.wait { library.catalogue().missing == [old.id] })
      let first = PageRequest(book: old.id, page: 0, size: .screen)
      let drawn = try #require(library.cachedPicture(first))
      #expect(library.isIntact(drawn, for: first) && print(library, old.id, 0) == drawn)
      // The file that is there now is another book.
      #expect(print(library, old.id, 1) == nil)
      try library.remove(old.id)
      #expect(library.cachedPicture(first) == nil && print(library, old.id, 0) == nil)
      #expect(library.catalogue().missing == [])
    }

    @Test("a replaced comic keeps all its pages, which are stored, until it is deleted")
    func stored() throws {
      try folder.write("a/comic.cbz", Archives.comic(pages: 3))
      let library = try open(worksAhead: false)
      let old = try #require(library.books().first)
      try folder.write("a/comic.cbz", Archives.comic(pages: 4))
      let bell = Bell()
      #expect(bell.wait { library.catalogue().missing == [old.id] })
      for page in 0..<3 { #expect(print(library, old.id, page) != nil, "\(page)") }
      try library.remove(old.id)
      #expect(print(library, old.id, 0) == nil)
    }

    @Test("a page of a file that was just replaced is shown and stored for neither book")
    func betweenTwo() throws {
      try folder.write("a/whale.pdf", Self.pdf(["Call me Ishmael"]))
      let options = BookLibrary.Options(
        data: data.path,
        directory: folder.path,
        press: TestProgram.path("lectern-press"),
        watches: false,
        worksAhead: false
      )
      let library = try BookLibrary(options) { _ in }
      #expect(library.settle(atMost: 120))
      let book = try #require(library.books().first)
      try folder.write("a/whale.pdf", Self.pdf(["Emma Woodhouse", "handsome"]))
      let picture = try #require(print(library, book.id, 0))
      #expect(picture.path == nil && !picture.isLasting)
      #expect(library.cachedPicture(PageRequest(book: book.id, page: 0, size: .screen)) == nil)
      #expect(throws: LibraryFault.self) { try library.retry(book.id) }
      #expect(library.book(book.id)?.pages == 1)
    }

    @Test("shelves a PDF, renders its pages and finds its words")
    func document() throws {
      try folder.write("a/whale.pdf", Self.pdf(["Call me Ishmael", "Loomings", "the whale"]))
      let library = try open()
      let book = try #require(library.books().first)
      #expect(book.state == .ready && book.pages == 3 && book.format == "pdf")
      #expect(library.finishWork(atMost: 120))
      let hit = try #require(try library.search("ishmael").first)
      #expect(hit.page == 0 && hit.snippet.contains { $0.isMatch && $0.text == "Ishmael" })
      #expect(hit.boxes.count == 1 && hit.boxes[0].x0 > 0.3 && hit.boxes[0].y0 > 0.3)
      let bell = Bell()
      library.picture(PageRequest(book: book.id, page: 1, size: .screen)) { result in
        #expect((try? result.get())?.contentType == "image/webp")
        bell.ring()
      }
      #expect(bell.wait { bell.count == 1 })
      let kept = try #require(
        library.cachedPicture(PageRequest(book: book.id, page: 1, size: .screen))
      )
      // A request that finds its file missing renders it again.
      try FileManager.default.removeItem(atPath: kept.path ?? "")
      library.forgetPicture(PageRequest(book: book.id, page: 1, size: .screen))
      #expect(library.cachedPicture(PageRequest(book: book.id, page: 1, size: .screen)) == nil)
      library.picture(PageRequest(book: book.id, page: 1, size: .screen)) { result in
        #expect(
          (try? result.get())?.path.map { FileManager.default.fileExists(atPath: $0) } == true
        )
        bell.ring()
      }
      #expect(bell.wait { bell.count == 2 })
      // Small pictures were rendered in advance.
      #expect(library.cachedPicture(PageRequest(book: book.id, page: 2, size: .thumb)) != nil)
      library.stop()
    }

    @Test("renders the small pictures of new books")
    func pictures() throws {
      for width in [20, 25, 30] { try folder.write("\(width)/1.png", ImageHeads.png(width, 30)) }
      let library = try open()
      #expect(library.finishWork(atMost: 120))
      let made = try library.storage.store.read { rows in
        try rows.rows("SELECT thumbed FROM book") { $0.int(0) }
      }
      #expect(made == [1, 1, 1])
      #expect(
        library.catalogue().collections.flatMap(\.books).map(\.pageSize.width) == [20, 25, 30]
      )
      library.stop()
    }

    /// Returns the sentence that a page shows instead of its image.
    private func fault(_ library: BookLibrary, _ id: String, _ page: Int) -> String? {
      let text = Mutex<String?>(nil)
      let bell = Bell()
      library.picture(PageRequest(book: id, page: page, size: .screen)) { result in
        if case .failure(let fault) = result { text.withLock { $0 = "\(fault)" } }
        bell.ring()
      }
      _ = bell.wait { bell.count == 1 }
      return text.withLock { $0 }
    }

    /// Returns the beginning of a JPEG up to its scan, with the header of the scan.
    private static func cutBeforePixels(_ jpeg: [UInt8]) -> [UInt8] {
      let scan = jpeg.indices.dropLast().last { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
      return Array(jpeg.prefix((scan ?? 0) + 14))
    }

    /// Images of which a part is missing, and what a page shows of each.
    static let cutImages: [(name: String, bytes: [UInt8], isShown: Bool)] = [
      ("0.jpg", Vectors.jpeg, true),
      // Without its last pixels.
      ("1.jpg", Array(Vectors.jpeg.dropLast(60)), true),
      // With its size, but without a pixel.
      ("2.jpg", cutBeforePixels(Vectors.jpeg), false),
      ("3.jpg", Array(Vectors.jpeg.prefix(100)), false),
      ("4.jpg", Array("<html>404</html>".utf8), false), ("5.jpg", [], false),
      ("6.webp", Vectors.webp, true),
    ]

    @Test(
      "shows what there is of a cut image, and otherwise says what is wrong with it",
      arguments: [true, false]
    )
    func cutImages(isArchive: Bool) throws {
      if isArchive {
        let entries = Self.cutImages.map { Archives.Entry($0.name, $0.bytes) }
        try folder.write("C/B.cbz", Archives.make(entries))
      } else {
        for image in Self.cutImages { try folder.write("C/B/" + image.name, image.bytes) }
      }
      let library = try open(worksAhead: false)
      let book = try #require(library.books().first)
      #expect(book.pages == Self.cutImages.count)
      for (page, image) in Self.cutImages.enumerated() {
        guard image.isShown else {
          let text = try #require(fault(library, book.id, page), "\(image.name)")
          #expect(text.hasPrefix("Image \(image.name) is "), "\(text)")
          continue
        }
        let picture = try #require(print(library, book.id, page), "\(image.name)")
        let path = try #require(picture.path)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(picture.isWhole && (bytes == image.bytes) == (page != 1), "\(image.name)")
        // The WebP has Exif data, so its beginning does not tell how it is shown.
        guard image.name != "6.webp" else { continue }
        let header = try ImageHeaders.read(bytes)
        #expect(header.width == 48 && header.height == 32)
      }
      library.stop()
    }

    @Test("explains why a file cannot be read")
    func refused() throws {
      let library = try open()
      let file = try folder.write("junk.bin", [0, 1, 2, 3])
      let error = #expect(throws: ImportFault.self) {
        try library.importFile(file, name: "junk.pdf")
      }
      #expect("\(try #require(error))".hasSuffix("."))
      let short = try folder.write("short.bin", Array(Self.pdf(["x"]).prefix(60)))
      #expect(throws: ImportFault.self) { try library.importFile(short, name: "short.pdf") }
      #expect(library.books() == [])
      library.stop()
    }
  }
}
