internal import Foundation
internal import Motion
internal import Notices
internal import PressProtocol
internal import Scene

/// The result of cataloguing a book: everything that a shelf and a reader need, except its text.
struct CataloguedBook {
  var row: Book
  var pages: [PageRow] = []
  var outline: [OutlineEntry] = []
  /// The text of its first pages, if it is already known.
  var contents: [PageContent] = []
  /// Why it cannot be read; nil if it can.
  var fault: PressFault?
  /// The names of documents in an archive beside its pages.
  var besides: [String] = []

  /// Gives the book the size that most of its pages have, gives pages without one that size too,
  /// and records which pages are landscape.
  mutating func settleShape(doubles: Set<Int> = []) {
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
    (row.shape.width, row.shape.height) = (best.size.width, best.size.height)
    for index in pages.indices where !(pages[index].width > 0 && pages[index].height > 0) {
      (pages[index].width, pages[index].height) = (best.size.width, best.size.height)
    }
    row.shape.wide = pages.indices.filter { index in
      doubles.contains(index)
        || BookShape.isLandscape(width: pages[index].width, height: pages[index].height)
    }
  }

  /// The notes on the parts of its file that are not shown.
  func notes(on file: String) -> [String] {
    guard !besides.isEmpty else { return [] }
    let names = besides.prefix(3).joined(separator: ", ") + (besides.count > 3 ? " and more" : "")
    return [
      "\(file): the archive also contains \(names), which are not shown; "
        + "unpack it and import them on their own."
    ]
  }
}

/// Catalogues documents with the help of presses.
struct Cataloguer: Sendable {
  let press: any Printing
  let files: StoredFiles

  /// Catalogues a document.
  ///
  /// A document that cannot be read becomes a book that says why. The caller provides the digest,
  /// the name, the size and, for a known book, its key.
  func catalogue(
    _ path: String,
    as book: Book,
    password: String,
    progress: (ImportProgress) -> Void
  ) throws(FileFault) -> CataloguedBook {
    var result = Self.unread(book)
    progress(.opening)
    do throws(Stop) {
      var facts = try pressed(press.facts(of: path, password: password))
      // Any file can look like text, but only one with such a name is a book.
      guard facts.format != .text || FileKinds.texts.contains(FileKinds.ending(of: book.file.name))
      else { throw .press(.unsupported("unknownFile")) }
      if facts.isLaidOut {
        facts = try layOut(path, password, into: &result, progress)
      } else if facts.needsExtraction {
        facts = try extract(path, password, into: &result.pages, progress)
      } else if facts.format == .image, facts.pages.count == 1 {
        result.pages = [try image(path)]
      }
      if facts.format != .image, !facts.isLaidOut {
        result.outline = try pressed(press.outline(of: path, password: password))
      }
      try apply(facts, into: &result)
      result.row.file.password = password
    } catch {
      switch error {
      case .file(let fault): throw fault
      case .press(let fault): Self.refuse(fault, &result)
      }
    }
    return result
  }

  /// Returns a book that cannot be read, for a reason that is known without opening it.
  static func refused(_ book: Book, _ fault: PressFault) -> CataloguedBook {
    var result = unread(book)
    refuse(fault, &result)
    return result
  }

  private static func unread(_ book: Book) -> CataloguedBook {
    var result = CataloguedBook(row: book)
    result.row.metadata.title = Titles.ofFile(book.file.name)
    return result
  }

  /// The reason that cataloguing ended early: a failure of the library's own files, or of the
  /// document.
  private enum Stop: Error {
    case file(FileFault)
    case press(PressFault)
  }

  private func pressed<T>(_ work: @autoclosure () throws(PressFault) -> T) throws(Stop) -> T {
    do throws(PressFault) { return try work() } catch { throw .press(error) }
  }

  /// Stores the pages of an EPUB, which a press lays out as one PDF, and reads that.
  private func layOut(
    _ path: String,
    _ password: String,
    into result: inout CataloguedBook,
    _ progress: (ImportProgress) -> Void
  ) throws(Stop) -> DocumentFacts {
    var images: [PageRow] = []
    let facts = try extract(path, password, into: &images, progress)
    guard let layout = images.first?.asset else { throw .press(.engineFailed("pages")) }
    result.outline = try pressed(press.outline(of: files.path(.assets, layout), password: ""))
    result.pages = facts.pages.map { page in
      PageRow(width: page.width, height: page.height, label: page.label, asset: layout)
    }
    return facts
  }

  private func extract(
    _ path: String,
    _ password: String,
    into pages: inout [PageRow],
    _ progress: (ImportProgress) -> Void
  ) throws(Stop) -> DocumentFacts {
    var found: [AssetKey: PageRow] = [:]
    var faults: [AssetKey: PressFault] = [:]
    var failure: FileFault?
    let outcome: Result<DocumentFacts, PressFault>
    do throws(PressFault) {
      let known = try press.extract(from: path, password: password, size: .standard) { asset in
        do throws(FileFault) {
          let key = AssetKey(page: asset.page, part: asset.part)
          found[key] = try page(asset)
          if let fault = asset.fault { faults[key] = fault }
          progress(.extracting(images: found.count))
          return true
        } catch {
          failure = error
          return false
        }
      }
      outcome = .success(known)
    } catch {
      outcome = .failure(error)
    }
    if let failure { throw .file(failure) }
    let facts = try pressed(outcome.get())
    // The images arrive in the order of the archive, which may differ from that of the pages.
    pages = found.keys.sorted().compactMap { found[$0] }
    if faults.count == found.count, let first = faults.min(by: { $0.key < $1.key }) {
      throw .press(first.value)
    }
    return facts
  }

  /// The place of an asset among the pages of its book.
  private struct AssetKey: Hashable, Comparable {
    let page, part: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.page, one.part) < (other.page, other.part)
    }
  }

  /// Returns the page of a book that is a single image, which becomes an asset.
  private func image(_ path: String) throws(Stop) -> PageRow {
    let facts = try pressed(press.imageFacts(of: path))
    do throws(FileFault) {
      return Self.page(facts, asset: try files.copy(path, as: .assets) { _ in })
    } catch {
      throw .file(error)
    }
  }

  /// Stores an image of an archive and returns its page; an image that cannot be shown is a page
  /// that says why.
  private func page(_ asset: Asset) throws(FileFault) -> PageRow {
    if let fault = asset.fault {
      let (width, height) = (Double(asset.facts.width), Double(asset.facts.height))
      return PageRow(width: width, height: height, fault: fault.notice)
    }
    return Self.page(
      asset.facts,
      asset: try files.store(asset.bytes, as: .assets),
      name: asset.name
    )
  }

  private static func page(_ facts: ImageFacts, asset: [UInt8], name: String? = nil) -> PageRow {
    PageRow(
      width: Double(facts.width),
      height: Double(facts.height),
      asset: asset,
      file: name,
      format: facts.isTurned ? nil : "\(facts.format)"
    )
  }

  private func apply(_ facts: DocumentFacts, into result: inout CataloguedBook) throws(Stop) {
    let isDrawn = result.pages.isEmpty || facts.isLaidOut
    if result.pages.isEmpty {
      result.pages = facts.pages.map {
        PageRow(width: $0.width, height: $0.height, label: $0.label)
      }
    }
    guard !result.pages.isEmpty else { throw .press(.noPages(facts.format)) }
    result.pages = result.pages.map(\.bounded)
    result.row.metadata.describe(facts)
    result.besides = facts.besides
    result.row.file.format = "\(facts.format)"
    result.row.file.isImages = !isDrawn
    result.row.status.hasText = isDrawn
    result.row.shape.count = result.pages.count
    result.row.shape.labels = PageLabels(printed: result.pages.map(\.label))
    result.row.status.state = .ready
    result.row.status.failure = nil
    result.row.progress.indexed = isDrawn ? 0 : result.pages.count
    result.row.progress.thumbed = 0
    result.settleShape(doubles: Set(facts.pages.indices.filter { facts.pages[$0].isDouble }))
    // A book that says how its pages form spreads means its usual ones: a wide page among upright
    // ones is a spread.
    if !result.row.shape.isLandscape { result.row.metadata.hasSpreads = nil }
  }

  private static func refuse(_ fault: PressFault, _ result: inout CataloguedBook) {
    result.fault = fault
    result.row.status.state = fault.isLock ? .locked : .failed
    result.row.status.failure = fault.notice
    result.row.status.mayRetry = fault.isLock || !fault.isLasting
    result.row.shape.count = 0
    if result.row.file.format.isEmpty { result.row.file.format = fault.isLock ? "pdf" : "unknown" }
    result.pages = []
    result.outline = []
  }
}
