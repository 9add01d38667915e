internal import Foundation
internal import Motion
internal import Notices
internal import PressProtocol
internal import Scene

/// A folder of images as a book; the first image is its front cover.
struct FolderBook {
  var row = BookRow()
  var pages: [PageRow] = []
  /// The text of the first pages, if the folder provides it.
  var contents: [PageContent] = []
  /// The files that cannot be used, as notes for people.
  var notes: [String] = []

  /// The maximum number of pages; images beyond it are omitted, with a note.
  static let pagesMax = 5000

  /// Reads the headers of a folder's images and its optional `book.json` and `words.json`.
  ///
  /// The digest that identifies the book covers names, sizes and first bytes, not every byte. A
  /// press reads the headers, several at a time.
  /// - Throws: ``PressFault`` if no press can read them now; an image that cannot be read becomes a
  ///   page that says so.
  init(_ found: FoundBook, press: any Printing) throws(PressFault) {
    var digest = FileDigest()
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
      let heads = names.map { readHead($0, in: found.path, into: &digest) }
      let headers = ImageFolder(path: found.path, press: press)
      for (name, page) in zip(names, try headers.pages(names, heads)) {
        take(page, of: name, in: found.path)
      }
    }
    describe(found, into: &digest)
    readWords(found, into: &digest)
    row.file.hash = digest.finished()
    row.file.isImages = true
    row.file.format = "folder"
    row.file.name = found.name
    row.pages.count = pages.count
    PageShapes.settle(&row, &pages)
    if pages.allSatisfy({ $0.fault != nil }) { refuse() } else { try setColours(found, press) }
  }

  private mutating func refuse() {
    row.status.state = .failed
    row.status.mayRetry = false
    row.status.failure =
      notes.first.map { Notice(.folderUnreadable, ["note": .text($0)]) } ?? Notice(.folderEmpty)
    row.pages.count = 0
    (pages, contents) = ([], [])
  }

  /// Reads the beginning of an image and adds its size.
  private mutating func readHead(
    _ name: String,
    in folder: String,
    into digest: inout FileDigest
  ) -> Result<[UInt8], FileFault> {
    let file = folder + "/" + name
    let size = FileStamp(file)?.size ?? 0
    // Sparse files can claim any size.
    let (sum, isOver) = row.file.byteSize.addingReportingOverflow(size)
    row.file.byteSize = isOver ? .max : sum
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

  private mutating func take(
    _ page: Result<PageRow, ImageFolder.Fault>,
    of name: String,
    in folder: String
  ) {
    switch page {
    case .success(let page): pages.append(page)
    case .failure(let fault):
      notes.append("\(folder)/\(name): \(fault.reason). Its page says so.")
      pages.append(PageRow(width: 0, height: 0, fault: fault.notice(for: name)))
    }
  }

  private mutating func describe(_ found: FoundBook, into digest: inout FileDigest) {
    let file = found.path + "/book.json"
    row.metadata.title = Titles.ofFolder(found.name)
    guard let bytes = try? InputFile.head(of: file, limit: 1 << 16) else { return }
    digest.update("book.json")
    digest.update(bytes)
    do {
      let description = try JSONDecoder().decode(BookDescription.self, from: Data(bytes))
      if let title = description.title, !title.isEmpty { row.metadata.title = title }
      row.metadata.author = description.author ?? ""
      row.metadata.direction = Progression(code: description.progression)
      if let value = description.progression, row.metadata.direction == nil {
        notes.append(
          "\(file): the progression is \"\(value)\" which is unknown, so \"ltr\" is used; "
            + "write \"ltr\" or \"rtl\"."
        )
      }
      row.metadata.hasSpreads = description.spreads
      row.metadata.stock = description.stock.flatMap(PaperStock.init(name:))
      if let value = description.stock, row.metadata.stock == nil {
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

  private mutating func readWords(_ found: FoundBook, into digest: inout FileDigest) {
    let file = found.path + "/words.json"
    guard let bytes = try? InputFile.head(of: file, limit: FolderWords.bytesMax), !bytes.isEmpty
    else { return }
    digest.update("words.json")
    digest.update(bytes)
    do {
      contents = try FolderWords.contents(bytes, pages: pages.count)
    } catch {
      notes.append(
        "\(file): this file does not contain valid words of a book and was ignored; "
          + "write [{\"text\": \"…\", \"words\": [[x0, y0, x1, y1, \"…\"]]}], one object per page."
      )
    }
  }

  private mutating func setColours(
    _ found: FoundBook,
    _ press: any Printing
  ) throws(PressFault) {
    guard let cover = pages.first, cover.format == "svg", let name = cover.file,
      let bytes = try? InputFile.head(of: found.path + "/" + name, limit: 1 << 20)
    else { return }
    let fills: [UInt32]
    do throws(PressFault) { fills = try press.colours(of: bytes) } catch {
      // A cover that crashes its press has no colours.
      if error.concernsLibrary { throw error }
      return
    }
    row.colours = SpineColours(fills: fills.map(Colour.init))
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

/// Computes the format of a book and the pages that differ from it.
enum PageShapes {
  /// Gives the book the size that most of its pages have, gives pages without one that size too,
  /// and records which pages are landscape.
  static func settle(_ row: inout BookRow, _ pages: inout [PageRow]) {
    var counts: [Size: Int] = [:]
    var best = (size: Size(width: 1, height: 1), count: 0)
    for page in pages where page.width > 0 && page.height > 0 {
      let size = Size(width: page.width, height: page.height)
      let count = counts[size, default: 0] + 1
      counts[size] = count
      // Among equally common sizes, the one that reached the count first wins, so the result is
      // stable.
      if count > best.count { best = (size, count) }
    }
    row.pages.width = best.size.width
    row.pages.height = best.size.height
    for index in pages.indices where !(pages[index].width > 0 && pages[index].height > 0) {
      pages[index].width = row.pages.width
      pages[index].height = row.pages.height
    }
    row.pages.wide = pages.indices.filter {
      PageSummary.isLandscape(width: pages[$0].width, height: pages[$0].height)
    }
  }
}
