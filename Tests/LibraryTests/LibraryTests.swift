import Foundation
import Geometry
import Library
import Scene
import Testing

@Suite("Library")
struct LibraryTests {
  private static let shipped = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Web/library").path

  @Test("ships three collections of readable books of every length and shape")
  func shippedLibrary() throws {
    let library = try Library.open(directory: Self.shipped)
    #expect(library.notes == [])
    #expect(
      library.catalogue.collections.map(\.title) == ["Bedtime", "Reading room", "Music stand"]
    )
    let books = library.catalogue.collections.flatMap(\.books)
    #expect(books.count >= 8)
    let lengths = Set(books.map(\.pageURLs.count))
    #expect(lengths.isSuperset(of: [1, 2, 3, 32, 60]))
    #expect(books.contains { $0.progression == .rightToLeft })
    #expect(books.contains { $0.pageSize.width > $0.pageSize.height })
    #expect(books.allSatisfy { !$0.title.isEmpty && !$0.author.isEmpty })
    #expect(library.catalogue.collections[0].books[0].title == "The Night Ferry")
  }

  @Test("finds a file of the same page size behind every address it gives out")
  func addresses() throws {
    let library = try Library.open(directory: Self.shipped)
    for (c, collection) in library.catalogue.collections.enumerated() {
      #expect(collection.ledgeURL.hasPrefix("/ledges/\(c).svg?v="))
      #expect(library.ledge(collection: c)?.hasPrefix("<svg ") == true)
      for (b, book) in collection.books.enumerated() {
        for (p, url) in book.pageURLs.enumerated() {
          #expect(url.hasPrefix("/books/\(c)/\(b)/\(p)?v="))
          let file = try #require(library.file(collection: c, book: b, page: p))
          #expect(file.contentType == "image/svg+xml")
          let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
          #expect(try ImageHeader(Array(bytes)).size == book.pageSize, "\(file.path)")
        }
      }
    }
    #expect(library.file(collection: -1, book: 0, page: 0) == nil)
    #expect(library.file(collection: 0, book: 99, page: 0) == nil)
    #expect(library.file(collection: 0, book: 0, page: 32) == nil)
    #expect(library.ledge(collection: 3) == nil)
  }

  @Test("reads PNG, JPEG and WebP pages in natural order and trusts the bytes, not the name")
  func rasters() throws {
    let folder = try Folder()
    try folder.write("Trips/Alps/2.png", Images.png(300, 400))
    try folder.write("Trips/Alps/10.jpg", Images.webpLossy(300, 400))
    try folder.write("Trips/Alps/1.JPEG", Images.jpeg(300, 400))
    try folder.write("Trips/Alps/.hidden.png", Images.png(1, 1))
    try folder.write("Trips/Alps/notes.txt", Array("hello".utf8))
    let library = try Library.open(directory: folder.path)
    let book = try #require(library.catalogue.collections.first?.books.first)
    #expect(library.notes == [])
    #expect(book.title == "Alps")
    #expect(book.pageSize == Size(width: 300, height: 400))
    let files = (0..<3).compactMap { library.file(collection: 0, book: 0, page: $0) }
    #expect(files.map { $0.path.split(separator: "/").last } == ["1.JPEG", "2.png", "10.jpg"])
    #expect(files.map(\.contentType) == ["image/jpeg", "image/png", "image/webp"])
  }

  @Test("takes a folder of books for one collection, and a folder of images for one book")
  func shallowFolders() throws {
    let books = try Folder()
    try books.write("02-the_long-way/1.png", Images.png(3, 4))
    try books.write("1 short/1.png", Images.png(3, 4))
    let collections = try Library.open(directory: books.path).catalogue.collections
    #expect(collections.count == 1)
    #expect(collections.first?.books.map(\.title) == ["Short", "The long way"])

    let images = try Folder()
    try images.write("a.png", Images.png(3, 4))
    try images.write("b.png", Images.png(3, 4))
    let single = try Library.open(directory: images.path).catalogue.collections
    #expect(single.map { $0.books.map(\.pageURLs.count) } == [[2]])
  }

  @Test("keeps the place of a page that cannot be shown, and says what is wrong with it")
  func unreadablePages() throws {
    let folder = try Folder()
    try folder.write("C/B/0.png", Array(Images.png(3, 4).prefix(9)))
    try folder.write("C/B/1.png", Images.png(3, 4))
    try folder.write("C/B/2.gif", [1])
    try folder.write("C/B/book.json", Array("{\"title\": 7}".utf8))
    try folder.write("C/Broken/0.png", [])
    try folder.write("C/Empty/read.me", [])
    try folder.write("Nothing/read.me", [])
    let library = try Library.open(directory: folder.path)
    let books = try #require(library.catalogue.collections.first?.books)
    #expect(books.count == 1)
    #expect(books[0].pageURLs.count == 2)
    #expect(books[0].pageURLs[0] == "")
    #expect(library.file(collection: 0, book: 0, page: 0) == nil)
    for name in ["C/B/0.png", "C/B/2.gif", "C/B/book.json", "C/Broken", "C/Empty", "Nothing"] {
      #expect(library.notes.contains { $0.hasPrefix("\(name): ") }, "\(name)")
    }
  }

  @Test("reads title, author and direction from book.json")
  func description() throws {
    let folder = try Folder()
    try folder.write("C/B/0.svg", Images.svg("viewBox=\"0 0 3 4\""))
    try folder.write(
      "C/B/book.json",
      Array("{\"title\": \"ירח\", \"author\": \"נועה\", \"progression\": \"rtl\"}".utf8)
    )
    let book = try Library.open(directory: folder.path).catalogue.collections[0].books[0]
    #expect(book.title == "ירח")
    #expect(book.author == "נועה")
    #expect(book.progression == .rightToLeft)
  }

  @Test("gives a page another address when its file changes")
  func tags() throws {
    let folder = try Folder()
    try folder.write("C/B/0.png", Images.png(3, 4))
    let before = try Library.open(directory: folder.path).catalogue
    #expect(try Library.open(directory: folder.path).catalogue == before)
    try folder.write("C/B/0.png", Images.png(3, 4) + [0])
    let after = try Library.open(directory: folder.path).catalogue
    #expect(before.collections[0].books[0].pageURLs != after.collections[0].books[0].pageURLs)
  }

  @Test("refuses what is no folder and a folder without books")
  func refusals() throws {
    #expect(throws: LibraryError.notAFolder(path: "/nowhere/at/all")) {
      try Library.open(directory: "/nowhere/at/all")
    }
    let folder = try Folder()
    #expect(throws: LibraryError.empty(path: folder.path, notes: [])) {
      try Library.open(directory: folder.path)
    }
  }
}

/// A folder that is gone when the test is over.
private final class Folder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("library-\(UInt64.random(in: 0...UInt64.max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }
}
