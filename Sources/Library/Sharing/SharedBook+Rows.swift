internal import Notices
internal import Scene

// Converts rows of the catalogue to facts in a store, and back.
extension SharedBook.Facts {
  /// Creates the facts about a book, without its texts.
  /// - Parameters:
  ///   - row: The book.
  ///   - pages: Its pages; each page with an image has the digest of the image.
  ///   - outline: Its table of contents.
  ///   - shelf: The key of its shelf.
  ///   - shelfTitle: The title of its shelf, if that does not follow from the key.
  init(
    _ row: BookRow,
    pages: [PageRow],
    outline: [SharedBook.Entry],
    shelf: String,
    shelfTitle: String?
  ) {
    self.init(
      id: row.publicID,
      file: SharedBook.File(
        name: row.file.name,
        byteSize: row.file.byteSize,
        format: row.file.format,
        isImages: row.file.isImages,
        password: row.file.password
      ),
      metadata: SharedBook.Metadata(row.metadata),
      shape: SharedBook.Shape(row),
      status: SharedBook.Status(
        state: row.status.state.rawValue,
        failure: row.status.failure?.stored,
        mayRetry: row.status.mayRetry,
        hasText: row.progress.hasText,
        isIndexed: row.progress.indexed >= row.pages.count
      ),
      correction: SharedBook.Edits(row),
      shelf: shelf,
      shelfTitle: shelfTitle,
      added: row.times.added,
      lastRead: row.times.lastRead,
      pages: pages.map(SharedBook.Page.init),
      outline: outline,
      texts: []
    )
  }

  /// Returns the row of the book, within the limits of the catalogue; parts that a store does not
  /// know come from the row that is already there.
  func row(over old: BookRow?, hash: [UInt8]) -> BookRow {
    var row = old ?? BookRow()
    row.publicID = old?.publicID ?? id
    row.file = BookFile(
      hash: hash,
      name: file.name,
      byteSize: max(0, file.byteSize),
      format: file.format,
      isImages: file.isImages,
      password: file.password
    )
    row.metadata = BookMetadata(
      title: metadata.title,
      author: metadata.author,
      language: metadata.language,
      direction: Progression(code: metadata.direction),
      stock: metadata.stock.flatMap(PaperStock.init(name:)),
      hasSpreads: metadata.hasSpreads
    )
    row.pages = PageSummary(
      count: pages.count,
      width: shape.width,
      height: shape.height,
      blank: shape.blank,
      wide: shape.wide,
      labels: LabelList.decoded(shape.labels)
    )
    row.colours = shape.colours
    row.revision = max(shape.revision, old?.revision ?? 0)
    row.status = BookStatus(
      state: BookState(rawValue: status.state) ?? .failed,
      failure: status.failure.map(Notice.init(stored:)),
      mayRetry: status.mayRetry
    )
    row.progress.hasText = status.hasText
    if old == nil { row.times.added = added }
    return row.bounded
  }
}

extension SharedBook.Metadata {
  fileprivate init(_ metadata: BookMetadata) {
    self.init(
      title: metadata.title,
      author: metadata.author,
      language: metadata.language,
      direction: metadata.direction?.code,
      stock: metadata.stock?.name,
      hasSpreads: metadata.hasSpreads
    )
  }
}

extension SharedBook.Shape {
  fileprivate init(_ row: BookRow) {
    self.init(
      width: row.pages.width,
      height: row.pages.height,
      blank: row.pages.blank,
      wide: row.pages.wide,
      labels: LabelList.encoded(row.pages.labels),
      cloth: row.colours?.cloth.hex,
      lettering: row.colours?.lettering.hex,
      revision: row.revision
    )
  }

  fileprivate var colours: SpineColours? {
    guard let cloth, let lettering else { return nil }
    return SpineColours(
      cloth: Colour(UInt32(truncatingIfNeeded: cloth)),
      lettering: Colour(UInt32(truncatingIfNeeded: lettering))
    )
  }
}

extension SharedBook.Edits {
  init(_ row: BookRow) {
    let correction = row.correction
    self.init(
      title: correction.title,
      author: correction.author,
      direction: correction.direction?.code,
      stock: correction.stock?.name,
      cover: correction.cover,
      hasSpreads: correction.hasSpreads,
      isShifted: correction.isShifted,
      deleted: row.times.deleted
    )
  }

  /// The corrections as a row.
  var row: Correction {
    Correction(
      title: title.map { TextLimits.cut($0, to: TextLimits.title) },
      author: author.map { TextLimits.cut($0, to: TextLimits.title) },
      direction: Progression(code: direction),
      stock: stock.flatMap(PaperStock.init(name:)),
      cover: cover,
      hasSpreads: hasSpreads,
      isShifted: isShifted
    )
  }
}

extension SharedBook.Page {
  fileprivate init(_ page: PageRow) {
    self.init(
      w: page.width,
      h: page.height,
      label: page.label.isEmpty ? nil : page.label,
      asset: page.asset.map(Hexadecimal.text),
      format: page.format,
      fault: page.fault?.stored
    )
  }
}
