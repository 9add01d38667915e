import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Migration of the paper stock")
struct StockMigrationTests {
  @Test("gives older books no stock, so that they are on paper, and keeps their corrections")
  func migrates() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/old.sqlite"
    let rows = try Database(path: path, isReader: false)
    try Schema.migrate(rows, path: path, steps: Array(Schema.steps.prefix(5)))
    try rows.execute(
      """
      INSERT INTO book(id, public_id, source_sha256, kind, format, file_name, byte_size, title,
        page_count, state, added_at) VALUES(1, 'a', zeroblob(32), 'images', 'x', '', 1, 'T', 4,
        'ready', 0);
      INSERT INTO correction VALUES(1, 'Better', NULL, 'rtl', 2);
      """
    )
    #expect(try Schema.migrate(rows, path: path) == 5)
    var book = try #require(try rows.book(key: 1))
    #expect(book.metadata.stock == nil && book.stock == .paper)
    #expect(
      book.correction == Correction(title: "Better", direction: .rightToLeft, stock: nil, cover: 2)
    )
    book.metadata.stock = .card
    try rows.save(book)
    #expect(try rows.book(key: 1)?.stock == .card)
    book.correction.stock = .board
    try rows.save(book.correction, of: 1)
    #expect(try rows.book(key: 1) == book && book.stock == .board)
    #expect(throws: DatabaseError.self) { try rows.execute("UPDATE book SET stock = 'felt'") }
  }

  @Test("reads an unknown stock of a damaged file as paper")
  func damaged() throws {
    let folder = TemporaryFolder()
    let data = TemporaryFolder()
    try folder.write("a.pdf", FakeDocument("a", pages: 1))
    try Shelves.open(folder, data: data).stop()
    for value in ["'felt'", "''", "'CARD'", "2", "CAST(x'ff' AS TEXT)"] {
      do {
        let rows = try Database(path: data.path + "/catalogue.sqlite", isReader: false)
        try rows.execute("PRAGMA ignore_check_constraints=ON")
        try rows.execute("UPDATE book SET stock = \(value)")
        try rows.execute(
          "INSERT OR REPLACE INTO correction(book_id, stock) SELECT id, \(value) FROM book"
        )
      }
      let library = try Shelves.open(data: data)
      #expect(library.books().map(\.stock) == [.paper], "\(value)")
      library.stop()
    }
  }
}
