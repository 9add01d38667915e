import PressProtocol
import Synchronization
import TestDocuments
import Testing

@testable import Library

@Suite("Books of a series")
struct SeriesTests {
  let folder = TemporaryFolder()
  let data = TemporaryFolder()

  private func package(_ title: String, _ number: String = "") -> FakeDocument {
    let package = FakeDocument().with("package").with("title \(title)").with("author Ann")
    return number.isEmpty ? package : package.with("series \(number) Tides")
  }

  @Test("stand together in the order of their numbers, where the first of them stands by its name")
  func order() throws {
    for (name, number) in [("c flood", "1"), ("b ebb", "10"), ("e calm", "2.5"), ("f", "2.25")] {
      let comic = FakeDocument(name).with("image 3 4 0 a.jpg").with("series \(number) Tides")
      try folder.write("\(name).cbz", comic)
    }
    for name in ["a", "d"] { try folder.write("\(name).pdf", FakeDocument(name, pages: 1)) }
    let titles = [["a", "c flood", "f", "e calm", "b ebb", "d"]]
    #expect(try Shelves.open(folder, data: data).titles == titles)
    #expect(try Shelves.open(folder, data: data).titles == titles)
  }

  @Test("follow their volumes first, and a book without a number is the last")
  func volumes() {
    let series = [("2", "1"), ("1", "12"), ("1", "4"), ("", "1"), ("1", ""), ("1", "4b")]
    let orders = series.enumerated().map { position, place in
      SeriesOrder(Series(name: "S", volume: place.0, number: place.1), position: position)
    }
    let sorted = orders.indices.sorted { orders[$0] < orders[$1] }
    #expect(sorted == [2, 1, 5, 4, 0, 3])
  }

  @Test("are described by a file beside the only book of a folder, in any number of formats")
  func sidecar() throws {
    for (number, name) in ["10", "9"].enumerated() {
      let place = "Ann/Book (\(number))/"
      try folder.write(place + "x \(number).epub", FakeDocument("e\(number)", pages: 1))
      try folder.write(place + "metadata.opf", package("Tide \(name)", name))
    }
    try folder.write("Two/a.pdf", FakeDocument("a", pages: 1))
    try folder.write("Two/b.pdf", FakeDocument("b", pages: 1))
    try folder.write("Two/b.opf", package("Bee"))
    try folder.write("Two/metadata.opf", package("Neither"))
    try folder.write("Pictures/1.png", ImageHeads.png(3, 4))
    try folder.write("Pictures/metadata.opf", package("Album", "3"))
    let library = try Shelves.open(folder, data: data)
    #expect(Set(library.titles.joined()) == ["Tide 9", "Tide 10", "a", "Bee", "Album"])
    #expect(library.named("Tide 9")?.author == "Ann")
    #expect(library.named("Tide 9")?.metadata.series == Series(name: "Tides", number: "9"))
    #expect(library.named("Album")?.metadata.series?.number == "3")
    #expect(library.notes == [])
  }

  @Test("take another place when the file beside them changes, without being read again")
  func changedSidecar() throws {
    try folder.write("B/a.pdf", FakeDocument("a", pages: 1))
    let press = FakePress()
    let first = try Shelves.open(folder, data: data, press: press)
    let id = try #require(first.named("a")?.id)
    first.stop()
    try folder.write("B/metadata.opf", package("Flood", "2"))
    let library = try Shelves.open(folder, data: data, press: press)
    #expect(library.named("Flood")?.id == id && library.named("Flood")?.pages == 1)
    #expect(library.named("Flood")?.metadata.series?.number == "2")
    #expect(press.state.withLock(\.opened).count { $0.hasSuffix("a.pdf") } == 1)
    library.stop()
    #expect(try Shelves.open(folder, data: data, press: press).named("Flood")?.author == "Ann")
    #expect(press.state.withLock(\.opened).count { $0.hasSuffix(".opf") } == 1)
  }

  @Test("keep what they are without the description if it cannot be read")
  func damagedSidecar() throws {
    try folder.write("B/a.pdf", FakeDocument("a", pages: 1).with("title Good"))
    try folder.write("B/metadata.opf", FakeDocument("nothing"))
    let library = try Shelves.open(folder, data: data)
    #expect(library.titles == [["Good"]])
    #expect(library.notes.first?.contains("metadata.opf: this description of a book") == true)
  }

  @Test("are none in a catalogue of an earlier version")
  func migrates() throws {
    let path = folder.path + "/old.sqlite"
    let rows = try Database(path: path, isReader: false)
    try Schema.migrate(rows, path: path, steps: Array(Schema.steps.dropLast()))
    try rows.execute(
      """
      INSERT INTO book(id, public_id, source_sha256, kind, format, file_name, byte_size, title,
        page_count, state, added_at) VALUES(1, 'a', zeroblob(32), 'images', 'x', '', 1, 'T', 4,
        'ready', 0);
      """
    )
    try Schema.migrate(rows, path: path)
    var book = try #require(try rows.books.book(key: 1))
    #expect(book.metadata.series == nil)
    book.metadata.series = Series(name: "Tides", volume: "2", number: "4")
    try rows.books.save(book)
    #expect(try rows.books.book(key: 1) == book)
    book.metadata.series = nil
    try rows.books.describe(1, as: book.metadata)
    #expect(try rows.books.book(key: 1) == book)
  }
}
