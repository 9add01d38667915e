internal import Bytes
internal import Notices
internal import PressProtocol

/// Another edition of a book: the same text in another size of type.
package struct Edition: Equatable, Sendable {
  /// The book.
  package var book: Book
  /// The page with the text of the page that was asked for, counted from 0.
  package var page: Int
}

// Editions of a book in another size of type. All of these may block.
extension BookLibrary {
  /// Lays the text of a book out in large print, and blocks until the result is on the shelf.
  ///
  /// The result is a book like any other: an imported PDF, with the metadata of its original. A
  /// book that has such an edition is not laid out again.
  /// - Parameters:
  ///   - id: The id of a book with text that flows.
  ///   - title: The title of the edition.
  /// - Returns: The edition.
  /// - Throws: ``LibraryFault`` if there is no such book, or if it cannot be laid out.
  @discardableResult
  package func makeLargePrint(of id: String, title: String) throws(LibraryFault) -> Book {
    let book = try known(id)
    guard book.flows else { throw .invalid(Notice(.fixedType)) }
    guard title.utf8.count <= TextLimits.title else {
      throw .invalid(Notice(.textTooLong, ["limit": "\(TextLimits.title)"]))
    }
    return try importer.enlarged.with(id) { () throws(LibraryFault) in
      if let edition = try largePrint(of: book), edition.isOnShelf { return edition }
      return try layOut(book, title: title)
    }
  }

  private func layOut(_ book: Book, title: String) throws(LibraryFault) -> Book {
    guard let location = book.location, location.isUnchanged else {
      throw .notReadable(Notice(.fileGone))
    }
    let file = try file(of: book, at: location)
    defer { tidy() }
    let edition = try attempted { () throws(ImportFault) in
      try importer.log.reporting(book.file.name) { () throws(ImportFault) in
        try importer.importLargePrint(of: book, from: file)
      }
    }
    try writing { rows in
      var row = try rows.books.book(key: edition.key) ?? edition
      row.metadata = book.metadata
      row.metadata.title = title
      (row.metadata.author, row.metadata.direction) = (book.author, book.direction)
      row.file.largePrintOf = Hexadecimal.text(book.file.hash)
      try rows.books.save(row)
      // What is made again comes back from the bin.
      try rows.books.restoreFromBin(row.key)
    }
    publishNow()
    return self.book(edition.id) ?? edition
  }

  /// Returns the other editions of a book, each with the page that contains the text of a page.
  /// - Parameters:
  ///   - id: The id of the book.
  ///   - page: A page of the book, counted from 0.
  /// - Returns: The editions on the shelf; empty if there are none.
  /// - Throws: ``LibraryFault`` if there is no such book or page, or if the catalogue fails.
  package func editions(of id: String, at page: Int) throws(LibraryFault) -> [Edition] {
    let book = try known(id)
    guard 0..<max(1, book.pages) ~= page else { throw .noSuchPage(page, count: book.pages) }
    guard let other = try counterpart(of: book), other.isOnShelf, other.isReadable else {
      return []
    }
    let place = try reading { rows throws(DatabaseError) in
      try rows.pages.page(of: other, withTextOf: page, in: book)
    }
    return [Edition(book: other, page: place)]
  }

  private func largePrint(of book: Book) throws(LibraryFault) -> Book? {
    try reading { try $0.books.largePrint(of: book.file.hash) }.flatMap { self.book($0.id) }
  }

  /// Returns the edition in large print, or the book of which one is an edition.
  private func counterpart(of book: Book) throws(LibraryFault) -> Book? {
    guard let hash = book.file.largePrintOf else { return try largePrint(of: book) }
    guard let source = Hexadecimal.digest(hash) else { return nil }
    return try reading { try $0.books.book(source: source) }.flatMap { self.book($0.id) }
  }
}

extension Importer {
  /// Lays a book out in large print and imports the result, which gets the shelf of the book.
  fileprivate func importLargePrint(
    of book: Book,
    from path: String
  ) throws(ImportFault) -> Book {
    var pdf: [UInt8] = []
    do throws(PressFault) {
      let password = book.file.password
      _ = try cataloguer.press.extract(from: path, password: password, size: .large) { asset in
        pdf = asset.bytes
        return true
      }
    } catch {
      throw .press(error)
    }
    noteLeftovers()
    let hash: [UInt8]
    do throws(FileFault) { hash = try files.store(pdf, as: .originals) } catch {
      throw .file(error.notice)
    }
    return try importFile(
      files.path(.originals, hash),
      name: "\(Titles.ofFile(book.file.name)) (large print).pdf",
      shelf: book.location?.shelf,
      password: "",
      isMove: false,
      digest: hash,
      progress: { _ in }
    )
  }
}
