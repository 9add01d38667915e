internal import Glibc
internal import PressProtocol

/// The file of the press, and the kind that its first bytes indicate.
struct Source {
  /// The kind of the document to open.
  enum Kind: Equatable {
    case pdf
    case archive(DocumentFormat)
    case image
    case djvu
    /// Plain text or Markdown.
    case text
    case mobi, fictionBook
    /// A description of a book in another file.
    case package
    /// No file, or an unknown kind.
    case unknown
  }

  /// The descriptor, if there is a document.
  private let descriptor: Int32?
  /// The kind of the file.
  let kind: Kind
  /// The size of the file, for messages.
  private let size: Int
  /// The connection to the engine that lays out EPUBs; nil without one.
  var connection: DevTools?
  /// Whether pages of a PDF say which fonts are missing.
  var checksFonts = false

  /// Examines the first bytes of a descriptor.
  ///
  /// They are only compared, so this can happen before the process is confined.
  init(descriptor: Int32?) {
    self.descriptor = descriptor
    guard let descriptor else {
      kind = .unknown
      size = 0
      return
    }
    var facts = stat()
    size = fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
    var head = [UInt8](repeating: 0, count: Magic.headBytes)
    let count = pread(descriptor, &head, head.count, 0)
    kind = Magic.kind(of: head.prefix(max(0, count)))
  }

  /// Whether its pages may have to be laid out.
  var mayNeedLayout: Bool {
    switch kind {
    case .archive(.zip), .archive(.epub), .text, .mobi, .fictionBook: true
    case .archive, .pdf, .image, .djvu, .package, .unknown: false
    }
  }

  /// The engine that lays out EPUBs; nil if there is none.
  private var engine: Engine? { connection.map { Engine($0) } }

  /// Opens the document.
  func open(password: String, _ limits: PressLimits) throws(PressFault) -> any Document {
    guard let descriptor else { throw .badRequest("there is no document at descriptor 3") }
    guard size <= limits.document.bytes else {
      throw .fileTooLarge(bytes: size, limit: limits.document.bytes)
    }
    switch kind {
    case .pdf:
      return try PDFDocument(
        descriptor,
        password: password,
        limits,
        checksFonts: checksFonts
      )
    case .archive(let format):
      return try archive(
        ArchiveFile(descriptor, size: size, format: format, password: password),
        limits
      )
    case .image:
      let bytes = try wholeFile(descriptor, atMost: limits.archive.entryBytes)
      return try ImageDocument(bytes, limits)
    case .djvu:
      let bytes = try wholeFile(descriptor, atMost: limits.document.bytes)
      return try DjVuDocument(bytes, limits)
    case .text:
      guard let book = TextBook(try wholeFile(descriptor, atMost: TextBook.bytesMax)) else {
        throw .unsupported("emptyFile")
      }
      return try laidOut(book.publication, limits)
    case .mobi:
      let book = try MobiBook(try wholeFile(descriptor, atMost: limits.document.bytes))
      return try laidOut(book.publication, limits)
    case .fictionBook:
      return try fictionBook(wholeFile(descriptor, atMost: FictionBook.bytesMax), limits)
    case .package:
      return try PackageDocument(try wholeFile(descriptor, atMost: PackageDocument.bytesMax))
    case .unknown: throw .unsupported(size == 0 ? "emptyFile" : "unknownFile")
    }
  }

  private func archive(
    _ file: ArchiveFile,
    _ limits: PressLimits
  ) throws(PressFault) -> any Document {
    let contents = try ArchiveContents(file, limits)
    guard contents.isEPUB else {
      // A picture beside it is its cover.
      if contents.images.count <= 1, let book = contents.fictionBook {
        return try fictionBook(book, limits)
      }
      return try ArchiveDocument(file, contents, ComicInfo.plan(contents, file.format), limits)
    }
    let package = try EPUB.package(contents)
    if let plan = EPUB.plan(contents, package) {
      return try ArchiveDocument(file, contents, plan, limits)
    }
    return try LayoutDocument(package, engine, limits) { () throws(PressFault) in
      try Publication(file, package, limits)
    }
  }

  private func fictionBook(
    _ bytes: [UInt8],
    _ limits: PressLimits
  ) throws(PressFault) -> any Document {
    guard let book = FictionBook(bytes) else { throw .damaged(.fictionBook) }
    return try laidOut(book.publication, limits)
  }

  private func laidOut(
    _ publication: Publication,
    _ limits: PressLimits
  ) throws(PressFault) -> any Document {
    try LayoutDocument(publication.package, engine, limits) { publication }
  }

  private func wholeFile(_ descriptor: Int32, atMost limit: Int) throws(PressFault) -> [UInt8] {
    guard size <= limit else { throw .fileTooLarge(bytes: size, limit: limit) }
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while done < size {
        let start = buffer.baseAddress?.advanced(by: done)
        let count = pread(descriptor, start, size - done, off_t(done))
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      initialized = done
    }
    return bytes
  }
}
