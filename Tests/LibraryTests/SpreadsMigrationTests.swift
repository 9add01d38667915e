import Scene
import TestDocuments
import Testing

@testable import Library

@Suite("Migration of wide pages that now take whole spreads")
struct SpreadsMigrationTests {
  @Test(
    "keeps the pages that were open",
    arguments: [(false, [2]), (false, [2, 3, 7]), (true, Array(0..<9)), (true, [4]), (true, [])]
  )
  func places(isDocument: Bool, wide: [Int]) throws {
    let pages = 9
    let before = Imposition(pageCount: pages, repeatsCover: isDocument)
    for spread in 0..<before.faceCount / 2 {
      let folder = TemporaryFolder()
      let path = folder.path + "/old.sqlite"
      let rows = try Database(path: path, isReader: false)
      try Schema.migrate(rows, path: path, steps: Array(Schema.steps.prefix(6)))
      try rows.execute("INSERT INTO reader VALUES(zeroblob(32), 'R', 0)")
      let kind = isDocument ? "document" : "images"
      try rows.run(
        """
        INSERT INTO book(id, public_id, source_sha256, kind, format, file_name, byte_size, title,
          page_count, state, added_at)
        VALUES(1, '1', zeroblob(32), \(kind), 'x', '', 1, '', \(pages), 'ready', 0)
        """
      )
      try rows.run("INSERT INTO reading VALUES(zeroblob(32), 1, \(spread), 1, 0)")
      for page in 0..<pages {
        let width = wide.contains(page) ? 2 : 0.7
        try rows.run("INSERT INTO page(book_id, n, w, h) VALUES(1, \(page), \(width), 1)")
      }
      try Schema.migrate(rows, path: path)
      let now = Imposition(pageCount: pages, repeatsCover: isDocument, wide: wide)
      let found = try #require(try rows.first("SELECT spread FROM reading") { $0.int(0) })
      let open = (1...2).compactMap { before.page(ofFace: 2 * spread + $0) }
      let shown = (1...2).compactMap { now.page(ofFace: 2 * found + $0) }
      // Blank faces before wide pages can move a place by a spread.
      let near = open.flatMap { [now.face(ofPage: $0) - 2, now.face(ofPage: $0)] }
      let reached = [2 * found + 1, 2 * found + 2]
      #expect(
        !Set(open).isDisjoint(with: shown) || !Set(near).isDisjoint(with: reached),
        "spread \(spread): \(open), now \(found): \(shown)"
      )
    }
  }
}
