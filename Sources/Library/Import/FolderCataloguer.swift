internal import Foundation
internal import Motion
internal import Notices
internal import PressProtocol
internal import Scene
internal import SharedStore

/// Catalogues a folder of images; the first image is its front cover.
struct FolderCataloguer {
  /// The book, with the text of its first pages if the folder provides it.
  private(set) var book = CataloguedBook(row: Book())
  /// The files that cannot be used, as notes for people.
  private(set) var notes: [String] = []

  /// The maximum number of pages; images beyond it are omitted, with a note.
  static let pagesMax = 5000

  /// Reads the headers of a folder's images and its optional `book.json` and `words.json`.
  ///
  /// The digest that identifies the book covers names, sizes and first bytes, not every byte. A
  /// press reads the headers, several at a time.
  /// - Throws: ``PressFault`` if no press can read them now; an image that cannot be read becomes a
  ///   page that says so.
  init(_ found: FoundBook, press: any Printing) throws(PressFault) {
    let digest = ContentDigest()
    let images = found.images ?? []
    if images.count > Self.pagesMax {
      notes.append(
        "\(found.path): \(images.count) images; those after \(Self.pagesMax) are omitted."
      )
    }
    digest.update("folder")
    var rest = images.prefix(Self.pagesMax)
    while !rest.isEmpty {
      let names = Array(rest.prefix(PressRequest.headersMax))
      rest = rest.dropFirst(names.count)
      let heads = names.map { readHead($0, in: found.path, into: digest) }
      let headers = ImageFolder(path: found.path, press: press)
      for (name, page) in zip(names, try headers.pages(names, heads)) {
        add(page, of: name, in: found.path)
      }
    }
    try describe(found, into: digest, press)
    readWords(found, into: digest)
    book.row.file.hash = digest.finished()
    book.row.file.isImages = true
    book.row.file.format = "folder"
    book.row.file.name = found.name
    book.row.shape.count = book.pages.count
    book.row.progress.indexed = book.pages.count
    book.settleShape()
    if book.pages.allSatisfy({ $0.fault != nil }) {
      refuse(found)
    } else {
      try setColours(found, press)
    }
  }

  private mutating func refuse(_ found: FoundBook) {
    book.row.status.state = .failed
    book.row.status.mayRetry = false
    book.row.status.failure =
      (found.images?.first).map { Notice(.folderUnreadable, ["name": $0]) } ?? Notice(.folderEmpty)
    book.row.shape.count = 0
    (book.pages, book.contents, book.row.progress.indexed) = ([], [], 0)
  }

  /// Reads the beginning of an image and adds its size.
  private mutating func readHead(
    _ name: String,
    in folder: String,
    into digest: ContentDigest
  ) -> Result<[UInt8], FileFault> {
    let file = folder + "/" + name
    let size = FileStamp(file)?.size ?? 0
    // Sparse files can claim any size.
    let (sum, isOver) = book.row.file.byteSize.addingReportingOverflow(size)
    book.row.file.byteSize = isOver ? .max : sum
    do throws(FileFault) {
      let head = try InputFile.head(of: file, limit: ImageFolder.headBytes)
      digest.update(name)
      digest.update(size)
      digest.update(head)
      return .success(head)
    } catch {
      return .failure(error)
    }
  }

  private mutating func add(
    _ page: Result<PageRow, ImageFolder.Fault>,
    of name: String,
    in folder: String
  ) {
    switch page {
    case .success(let page): book.pages.append(page)
    case .failure(let fault):
      notes.append("\(folder)/\(name): \(fault.reason). Its page says so.")
      book.pages.append(PageRow(width: 0, height: 0, fault: fault.notice(for: name)))
    }
  }

  private mutating func describe(
    _ found: FoundBook,
    into digest: ContentDigest,
    _ press: any Printing
  ) throws(PressFault) {
    let file = found.path + "/book.json"
    book.row.metadata.title = Titles.ofFolder(found.name)
    notes += try book.row.metadata.describe(by: found.sidecar, press)
    guard let bytes = try? InputFile.head(of: file, limit: 1 << 16) else { return }
    digest.update("book.json")
    digest.update(bytes)
    do {
      let description = try JSONDecoder().decode(BookDescription.self, from: Data(bytes))
      if let title = description.title, !title.isEmpty { book.row.metadata.title = title }
      book.row.metadata.author = description.author ?? book.row.metadata.author
      book.row.metadata.direction = description.progression.flatMap(Progression.init(name:))
      if let value = description.progression, book.row.metadata.direction == nil {
        notes.append(
          "\(file): the progression is \"\(value)\" which is unknown, so \"ltr\" is used; "
            + "write \"ltr\" or \"rtl\"."
        )
      }
      book.row.metadata.hasSpreads = description.spreads
      book.row.metadata.stock = description.stock.flatMap(PaperStock.init(name:))
      if let value = description.stock, book.row.metadata.stock == nil {
        notes.append(
          "\(file): the stock is \"\(value)\" which is unknown, so \"paper\" is used; "
            + "write \"paper\", \"card\" or \"board\"."
        )
      }
    } catch {
      notes.append(
        "\(file): this file is not a valid description of a book and was ignored; "
          + "write {\"title\": \"…\", \"author\": \"…\", \"progression\": \"ltr\", "
          + "\"stock\": \"paper\"}."
      )
    }
  }

  private mutating func readWords(_ found: FoundBook, into digest: ContentDigest) {
    let file = found.path + "/words.json"
    guard let bytes = try? InputFile.head(of: file, limit: FolderWords.bytesMax), !bytes.isEmpty
    else { return }
    digest.update("words.json")
    digest.update(bytes)
    do {
      book.contents = try FolderWords.contents(bytes, pages: book.pages.count)
    } catch {
      notes.append(
        "\(file): this file does not contain valid words of a book and was ignored; "
          + "write [{\"text\": \"…\", \"words\": [[x0, y0, x1, y1, \"…\"]]}], one object per page."
      )
    }
  }

  private mutating func setColours(_ found: FoundBook, _ press: any Printing) throws(PressFault) {
    guard let cover = book.pages.first, cover.format == "svg", let name = cover.file,
      let bytes = try? InputFile.head(of: found.path + "/" + name, limit: 1 << 20)
    else { return }
    let fills: [UInt32]
    do throws(PressFault) { fills = try press.colours(of: bytes) } catch {
      // A cover that crashes its press has no colours.
      if error.concernsLibrary { throw error }
      return
    }
    book.row.shape.colours = SpineColours(fills: fills.map(Colour.init))
  }
}

extension FoundBook {
  /// Its location; the book itself is not known yet.
  var location: FileLocation {
    FileLocation(path: path, book: 0, shelf: shelf, isStored: false, stamp: stamp)
  }
}

/// The contents of the optional `book.json`.
private struct BookDescription: Decodable {
  var title: String?
  var author: String?
  var progression: String?
  var stock: String?
  var spreads: Bool?
}
