internal import CPoppler
internal import Glibc
internal import PressProtocol

/// A PDF, read by Poppler.
final class PDFDocument: Document {
  private let document: OpaquePointer
  private let limits: PressLimits
  let pageCount: Int
  /// Whether its pages were laid out here.
  private let isOwn: Bool
  /// The name of the program in documents that were laid out here.
  static let ownProducer = "Lectern"
  /// The pages of named destinations that were looked up; -1 means none.
  private var namedPages: [String: Int] = [:]
  /// What only QPDF reads; nil inside if it cannot read the document.
  private lazy var objects = PDFObjects(descriptor, password: password)
  /// The languages for which no font is installed.
  private lazy var missingFonts = checksFonts ? InstalledFonts.missing() : []
  private let checksFonts: Bool
  private lazy var namesFonts = InstalledFonts.areNamed(in: document, pages: pageCount)
  private let descriptor: Int32
  private let password: String
  /// Whether a page was found to be one photograph, so that others probably are as well.
  private var hasScans = false

  /// Opens the document at a descriptor, which stays open for another attempt.
  init(
    _ descriptor: Int32,
    password: String,
    _ limits: PressLimits,
    checksFonts: Bool = false
  ) throws(PressFault) {
    self.checksFonts = checksFonts
    (self.limits, self.descriptor, self.password) = (limits, descriptor, password)
    let document = try Self.open(descriptor, password: password)
    self.document = document
    isOwn = Self.owned(poppler_document_get_producer(document)) == Self.ownProducer
    do throws(PressFault) {
      pageCount = try Self.pageCount(of: document, limits)
    } catch {
      g_object_unref(UnsafeMutableRawPointer(document))
      throw error
    }
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(document)) }

  private static func open(
    _ descriptor: Int32,
    password: String
  ) throws(PressFault) -> OpaquePointer {
    var isLocked = false
    for attempt in attempts(password) {
      if let document = try open(descriptor, attempt, &isLocked) { return document }
    }
    // After a wrong password Poppler reports a damaged document; without a password it reports the
    // lock.
    if !password.isEmpty, !isLocked { _ = try open(descriptor, nil, &isLocked) }
    if isLocked { throw password.isEmpty ? .encrypted : .wrongPassword }
    throw .damaged(.pdf)
  }

  /// Returns the passwords to try, since Poppler converts a password to Latin-1.
  ///
  /// Newer documents need UTF-8: its bytes, taken as Latin-1 letters, survive that conversion.
  /// Keyboards differ in how they compose letters, so the composed forms are tried as well.
  private static func attempts(_ password: String) -> [String?] {
    if password.isEmpty { return [nil] }
    if password.utf8.allSatisfy({ $0 < 0x80 }) { return [password] }
    var attempts: [String?] = []
    for form in [nil, G_NORMALIZE_NFC, G_NORMALIZE_NFKC] {
      let typed = form.flatMap { normalized(password, $0) } ?? password
      let bytes = String(String.UnicodeScalarView(typed.utf8.map { Unicode.Scalar($0) }))
      // Equal texts can have different bytes.
      for one in [typed, bytes]
      where !attempts.contains(where: { $0?.utf8.elementsEqual(one.utf8) == true }) {
        attempts.append(one)
      }
    }
    return attempts
  }

  private static func normalized(_ text: String, _ form: GNormalizeMode) -> String? {
    guard let bytes = g_utf8_normalize(text, -1, form) else { return nil }
    defer { g_free(bytes) }
    return String(cString: bytes)
  }

  private static func open(
    _ descriptor: Int32,
    _ password: String?,
    _ isLocked: inout Bool
  ) throws(PressFault) -> OpaquePointer? {
    // The document closes the descriptor that it gets.
    let own = dup(descriptor)
    guard own >= 0 else { throw .stopped(page: nil) }
    lseek(own, 0, SEEK_SET)
    var error: UnsafeMutablePointer<GError>?
    if let document = poppler_document_new_from_fd(own, password, &error) { return document }
    guard let error else { return nil }
    defer { g_error_free(error) }
    if error.pointee.domain == poppler_error_quark(),
      error.pointee.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue)
    {
      isLocked = true
    }
    return nil
  }

  private static func pageCount(
    of document: OpaquePointer,
    _ limits: PressLimits
  ) throws(PressFault) -> Int {
    let count = Int(poppler_document_get_n_pages(document))
    guard count > 0 else { throw .noPages(.pdf) }
    // Checked before the pages are read: a file of 24 MB can have 300,000.
    guard count <= limits.document.pages else {
      throw .tooManyPages(count, limit: limits.document.pages)
    }
    return count
  }

  var kind: DocumentFacts { DocumentFacts(format: .pdf) }

  func facts() throws(PressFault) -> DocumentFacts {
    if objects?.isDynamicForm == true { throw .dynamicForm }
    var known = DocumentFacts(
      format: .pdf,
      title: Self.owned(poppler_document_get_title(document)),
      author: Self.owned(poppler_document_get_author(document)),
      pages: (0..<pageCount).map { Self.facts(of: $0, in: document, limits) }
    )
    let packet = XMP(Self.owned(poppler_document_get_metadata(document)))
    if known.fit.title.isEmpty { known.title = packet.title }
    if known.fit.author.isEmpty { known.author = packet.author }
    known.language = packet.language
    return known.fit
  }

  private static func facts(
    of index: Int,
    in document: OpaquePointer,
    _ limits: PressLimits
  ) -> PageFacts {
    // A page that cannot be read keeps its place, as a sheet of A4.
    guard let page = poppler_document_get_page(document, Int32(index)) else {
      return PageFacts(width: 595, height: 842)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(page, &width, &height)
    let label = Self.owned(poppler_page_get_label(page))
    let sides = 1...Double(limits.document.pageSide)
    return PageFacts(
      width: width.isFinite ? min(max(width, sides.lowerBound), sides.upperBound) : 595,
      height: height.isFinite ? min(max(height, sides.lowerBound), sides.upperBound) : 842,
      label: label == "\(index + 1)" ? "" : label
    )
  }

  /// Copies a text that GLib has allocated, and frees it; empty if there is none.
  private static func owned(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Calls a closure with a page.
  private func withPage<T>(
    _ index: Int,
    _ work: (OpaquePointer) throws(PressFault) -> T
  ) throws(PressFault) -> T {
    guard let page = poppler_document_get_page(document, Int32(index)) else {
      throw .pageDamaged(index)
    }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    return try work(page)
  }

  /// Returns the target page of an action, counted from 0; `nil` if it has no target in this
  /// document.
  private func page(of action: UnsafeMutablePointer<PopplerAction>) -> Int? {
    guard action.pointee.type == POPPLER_ACTION_GOTO_DEST,
      let destination = action.pointee.goto_dest.dest
    else { return nil }
    var number = Int(destination.pointee.page_num) - 1
    if destination.pointee.type == POPPLER_DEST_NAMED, let name = destination.pointee.named_dest {
      number = page(named: name)
    }
    return (0..<pageCount).contains(number) ? number : nil
  }

  private func page(named name: UnsafePointer<CChar>) -> Int {
    let key = String(cString: name)
    if let known = namedPages[key] { return known }
    var number = -1
    if let found = poppler_document_find_dest(document, name) {
      number = Int(found.pointee.page_num) - 1
      poppler_dest_free(found)
    }
    namedPages[key] = number
    return number
  }
}

extension PDFDocument {
  func content(of index: Int) throws(PressFault) -> PageContent {
    try withPage(index) { page in
      var width = 0.0
      var height = 0.0
      poppler_page_get_size(page, &width, &height)
      guard width > 0, height > 0 else { return PageContent() }
      let size = (width: width, height: height)
      var content = Self.words(of: page, size, limits, isOwn: isOwn)
      addLinks(of: page, size, to: &content)
      return content
    }
  }

  /// Returns the text of a page, with a box for each word.
  private static func words(
    of page: OpaquePointer,
    _ size: (width: Double, height: Double),
    _ limits: PressLimits,
    isOwn: Bool
  ) -> PageContent {
    var letters = RightToLeftText.letters(of: page, size)
    if isOwn { letters = VerticalText.ordered(letters, height: size.height) }
    letters += FormFields.letters(of: page, height: size.height)
    letters = RightToLeftText.ordered(letters, isOwn: isOwn)
    var builder = WordBuilder(size, limits)
    for letter in letters where !builder.add(letter.scalar, letter.place) { break }
    return builder.content()
  }

  private func addLinks(
    of page: OpaquePointer,
    _ size: (width: Double, height: Double),
    to content: inout PageContent
  ) {
    let links = poppler_page_get_link_mapping(page)
    defer { poppler_page_free_link_mapping(links) }
    var next = links
    while let link = next {
      next = link.pointee.next
      guard let mapping = link.pointee.data?.assumingMemoryBound(to: PopplerLinkMapping.self),
        let action = mapping.pointee.action, let target = target(of: action)
      else { continue }
      guard content.links.count < limits.content.links else {
        content.cut = true
        return
      }
      // Unlike those of words, these vertical coordinates begin at the lower edge.
      let area = mapping.pointee.area
      let box = Box(
        x0: area.x1 / size.width,
        y0: 1 - area.y2 / size.height,
        x1: area.x2 / size.width,
        y1: 1 - area.y1 / size.height
      )
      content.links.append(LinkBox(box: box, target: target))
    }
  }

  private func target(of action: UnsafeMutablePointer<PopplerAction>) -> LinkBox.Target? {
    if action.pointee.type == POPPLER_ACTION_URI {
      let address = action.pointee.uri.uri.map { String(cString: $0) } ?? ""
      return PressText.isAddress(address) ? .uri(address) : nil
    }
    return page(of: action).map { .page($0) }
  }

  func outline() throws(PressFault) -> [OutlineEntry] {
    guard let root = poppler_index_iter_new(document) else { return [] }
    defer { poppler_index_iter_free(root) }
    var entries: [OutlineEntry] = []
    collect(root, depth: 0, &entries)
    return entries
  }

  /// Adds the entries of a level and its sublevels, up to the limits.
  private func collect(_ level: OpaquePointer, depth: Int, _ entries: inout [OutlineEntry]) {
    repeat {
      guard entries.count < limits.content.outlineEntries else { return }
      if let action = poppler_index_iter_get_action(level) {
        let title = action.pointee.any.title.map { String(cString: $0) } ?? ""
        entries.append(
          OutlineEntry(
            depth: depth,
            title: PressText.line(title, PressText.entry),
            page: page(of: action)
          )
        )
        poppler_action_free(action)
      }
      if depth + 1 < limits.content.outlineDepth, let child = poppler_index_iter_get_child(level) {
        collect(child, depth: depth + 1, &entries)
        poppler_index_iter_free(child)
      }
    } while poppler_index_iter_next(level) != 0
  }

  func rendition(of index: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes {
    try withPage(index) { page throws(PressFault) in
      var width = 0.0
      var length = 0.0
      poppler_page_get_size(page, &width, &length)
      guard limits.document.allowsPage(width: width, height: length) else {
        throw .pageTooLarge(index)
      }
      let size = OutputSize(width: width, height: length, fitting: height, limits)
      let encoder = PageEncoder(effort: effort, page: index)
      if hasScans, let photograph = try photograph(index, size, encoder) { return photograph }
      try checkFonts(of: page, index)
      guard let bitmap = Bitmap(size) else { throw .neededTooMuchMemory(page: index) }
      let isDrawn = bitmap.draw { context in
        cairo_scale(context, Double(size.width) / width, Double(size.height) / length)
        poppler_page_render(page, context)
      }
      guard isDrawn else { throw .pageDamaged(index) }
      var hasWhole = false
      let contents = encoder.contents(of: bitmap) {
        let images = Self.images(on: page)
        hasWhole = images.contains { $0.x2 - $0.x1 > 0.9 * width && $0.y2 - $0.y1 > 0.9 * length }
        return !images.isEmpty
      }
      if hasWhole, contents != .text, !hasScans,
        let photograph = try photograph(index, size, encoder)
      {
        hasScans = true
        return photograph
      }
      return try encoder.encode(bitmap, as: contents)
    }
  }

  /// Reports that most letters of a page would be boxes, or missing.
  private func checkFonts(of page: OpaquePointer, _ index: Int) throws(PressFault) {
    guard !missingFonts.isEmpty, namesFonts else { return }
    let letters = Self.owned(poppler_page_get_text(page)).unicodeScalars.filter {
      $0.properties.isAlphabetic
    }
    let missing = letters.filter { letter in
      InstalledFonts.Language(letter).map(missingFonts.contains) ?? false
    }
    if missing.count * 2 > letters.count { throw .fontMissing(page: index) }
  }

  /// Returns a picture of a page that is one JPEG; nil for any other page.
  private func photograph(
    _ index: Int,
    _ size: OutputSize,
    _ encoder: PageEncoder
  ) throws(PressFault) -> RenditionBytes? {
    let file = objects.flatMap {
      ScannedPage.photograph($0, page: index, atMost: limits.archive.entryBytes)
    }
    guard let file, max(file.width, file.height) <= limits.picture.side else { return nil }
    return try file.rendition(size, encoder)
  }

  /// Returns the areas of the images on a page, in points.
  ///
  /// Processes the page's drawing operations once more.
  private static func images(on page: OpaquePointer) -> [PopplerRectangle] {
    let mapping = poppler_page_get_image_mapping(page)
    defer { poppler_page_free_image_mapping(mapping) }
    var areas: [PopplerRectangle] = []
    var next = mapping
    while let image = next {
      next = image.pointee.next
      let data = image.pointee.data?.assumingMemoryBound(to: PopplerImageMapping.self)
      if let data { areas.append(data.pointee.area) }
    }
    return areas
  }
}

extension DocumentLimits {
  /// Returns whether a page of this size, in points, can be shown.
  func allowsPage(width: Double, height: Double) -> Bool {
    guard width >= 1, height >= 1 else { return false }
    let longer = max(width, height)
    return longer <= Double(pageSide) && longer <= min(width, height) * Double(pageAspect)
  }
}
