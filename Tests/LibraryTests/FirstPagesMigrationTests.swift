import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Migration of first pages that are now inside")
struct FirstPagesMigrationTests {
  /// Creates a catalogue of the previous version with books of one kind with these numbers of
  /// pages, each left at a place.
  private func old(_ path: String, spread: Int) throws {
    let rows = try Database(path: path, isReader: false)
    try Schema.migrate(rows, path: path, steps: Array(Schema.steps.prefix(4)))
    try rows.execute("INSERT INTO reader VALUES(zeroblob(32), 'R', 0)")
    for (key, kind, pages) in [(1, "document", 6), (2, "images", 6), (3, "images", 1)] {
      try rows.run(
        """
        INSERT INTO book(id, public_id, source_sha256, kind, format, file_name, byte_size, title,
          page_count, state, added_at) VALUES(?, ?, ?, ?, 'x', '', 1, '', ?, 'ready', 0)
        """,
        .integer(key),
        .text("\(key)"),
        .blob([UInt8](repeating: UInt8(key), count: 32)),
        .text(kind),
        .integer(pages)
      )
      try rows.run(
        "INSERT INTO reading VALUES(zeroblob(32), ?, ?, 1, 0)",
        .integer(key),
        .integer(spread)
      )
      for page in 0..<pages {
        let label = key == 1 && page < 2 ? ["i", "ii"][page] : nil
        try rows.run(
          "INSERT INTO page(book_id, n, w, h, label) VALUES(?, ?, 1, 1, ?)",
          .integer(key),
          .integer(page),
          SQLValue(label)
        )
      }
    }
  }

  @Test(
    "keeps every place, which in a document is one spread later",
    arguments: [0, 1, 2, Int.max]
  )
  func places(spread: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/old.sqlite"
    try old(path, spread: spread)
    let rows = try Database(path: path, isReader: false)
    try Schema.migrate(rows, path: path)
    let places = try rows.rows("SELECT spread FROM reading ORDER BY book_id") { $0.int(0) }
    let further = min(spread, 100_000) + 1
    #expect(places == [further, spread, further])
    // The same pages are open as before.
    let book = try #require(try rows.book(key: 1))
    if spread < 2 {
      let shown = ShelfView.entry(book).pages(ofSpread: places[0])
      #expect(shown == [2 * spread + 1, 2 * spread + 2])
    }
  }

  @Test("converts the printed labels to runs")
  func labels() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/old.sqlite"
    try old(path, spread: 0)
    let rows = try Database(path: path, isReader: false)
    try Schema.migrate(rows, path: path)
    let books = try rows.allBooks()
    #expect(books.map { $0.shape.labels.runs.count } == [3, 0, 0])
    #expect((0..<6).map { books[0].shape.labels[$0] } == ["i", "ii", "3", "4", "5", "6"])
    #expect(LabelList.decoded(LabelList.encoded(books[0].shape.labels)) == books[0].shape.labels)
    #expect(
      LabelList.decoded("x\u{1E}1\u{1F}\u{1E}2\u{1F}B\u{1E}99999999999999999999\u{1F}C")[2] == "B"
    )
  }
}
