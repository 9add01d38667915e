internal import CDjVu
internal import CPoppler
internal import Glibc
internal import PressProtocol

/// A DjVu document in one file, read by DjVuLibre.
final class DjVuDocument: Document {
  private let context: OpaquePointer
  private let document: OpaquePointer
  private let limits: PressLimits
  let pageCount: Int

  /// The resolution of a document that states none, in dots per inch.
  private static let usualResolution = 300

  /// Decodes the structure of a document.
  init(_ bytes: [UInt8], _ limits: PressLimits) throws(PressFault) {
    guard let context = ddjvu_context_create("lectern-press") else {
      throw .neededTooMuchMemory(page: nil)
    }
    guard let document = ddjvu_document_create(context, nil, 1) else {
      ddjvu_context_release(context)
      throw .neededTooMuchMemory(page: nil)
    }
    (self.context, self.document, self.limits) = (context, document, limits)
    pageCount = Self.decode(bytes, document, context)
    guard pageCount > 0 else { throw .damaged(.djvu) }
    guard pageCount <= limits.document.pages else {
      throw .tooManyPages(pageCount, limit: limits.document.pages)
    }
  }

  deinit {
    ddjvu_job_release(ddjvu_document_job(document))
    ddjvu_context_release(context)
  }

  /// Returns the number of pages; 0 for a document that cannot be decoded.
  private static func decode(
    _ bytes: [UInt8],
    _ document: OpaquePointer,
    _ context: OpaquePointer
  ) -> Int {
    let done = wait(context, until: { isOver(ddjvu_document_job(document)) }) { message in
      guard message.m_any.tag == DDJVU_NEWSTREAM, message.m_newstream.streamid == 0 else { return }
      bytes.withUnsafeBytes { buffer in
        ddjvu_stream_write(
          document,
          0,
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt(buffer.count)
        )
      }
      ddjvu_stream_close(document, 0, 0)
    }
    guard done, ddjvu_job_status(ddjvu_document_job(document)) == DDJVU_JOB_OK else { return 0 }
    return Int(ddjvu_document_get_pagenum(document))
  }

  private static func isOver(_ job: OpaquePointer?) -> Bool {
    ddjvu_job_status(job).rawValue >= DDJVU_JOB_OK.rawValue
  }

  /// Handles messages until a condition holds; the limit of CPU time ends a document that never
  /// does.
  /// - Returns: Whether it holds.
  @discardableResult
  private static func wait(
    _ context: OpaquePointer,
    until isDone: () -> Bool,
    _ handle: (ddjvu_message_t) -> Void = { _ in }
  ) -> Bool {
    while !isDone() {
      guard let message = ddjvu_message_wait(context) else { return false }
      // The document asks for other files if its pages are not in this one.
      let stream = message.pointee.m_newstream.streamid
      if message.pointee.m_any.tag == DDJVU_NEWSTREAM, stream > 0 {
        ddjvu_stream_close(message.pointee.m_any.document, stream, 1)
      }
      handle(message.pointee)
      ddjvu_message_pop(context)
    }
    return true
  }

  // MARK: Facts

  var kind: DocumentFacts { DocumentFacts(format: .djvu) }

  func facts() throws(PressFault) -> DocumentFacts {
    DocumentFacts(format: .djvu, pages: (0..<pageCount).map(size)).fit
  }

  /// Returns the size of a page in points; one that cannot be read has that of A4.
  private func size(of page: Int) -> PageFacts {
    guard let info = info(of: page) else { return PageFacts(width: 595, height: 842) }
    let scale = 72 / Double(info.dpi > 0 ? Int(info.dpi) : Self.usualResolution)
    let sides = 1...Double(limits.document.pageSide)
    func side(_ pixels: Int32) -> Double {
      min(max(Double(pixels) * scale, sides.lowerBound), sides.upperBound)
    }
    return PageFacts(width: side(info.width), height: side(info.height))
  }

  private func info(of page: Int) -> ddjvu_pageinfo_t? {
    var info = ddjvu_pageinfo_t()
    var status = DDJVU_JOB_NOTSTARTED
    Self.wait(context) {
      status = ddjvu_document_get_pageinfo_imp(
        document,
        Int32(page),
        &info,
        UInt32(MemoryLayout<ddjvu_pageinfo_t>.size)
      )
      return status.rawValue >= DDJVU_JOB_OK.rawValue
    }
    return status == DDJVU_JOB_OK && info.width > 0 && info.height > 0 ? info : nil
  }

  // MARK: Pictures

  func rendition(of page: Int, height: Int, effort: Effort) throws(PressFault) -> RenditionBytes {
    let facts = size(of: page)
    guard limits.document.allowsPage(width: facts.width, height: facts.height) else {
      throw .pageTooLarge(page)
    }
    let size = OutputSize(width: facts.width, height: facts.height, fitting: height, limits)
    guard let bitmap = Bitmap(size) else { throw .neededTooMuchMemory(page: page) }
    guard let job = ddjvu_page_create_by_pageno(document, Int32(page)) else {
      throw .pageDamaged(page)
    }
    defer { ddjvu_job_release(ddjvu_page_job(job)) }
    Self.wait(context) { Self.isOver(ddjvu_page_job(job)) }
    guard ddjvu_job_status(ddjvu_page_job(job)) == DDJVU_JOB_OK, draw(job, into: bitmap) else {
      throw .pageDamaged(page)
    }
    return try PageEncoder(effort: effort, page: page).encode(bitmap, hasImages: { true })
  }

  private func draw(_ page: OpaquePointer, into bitmap: Bitmap) -> Bool {
    var masks: [UInt32] = [0xFF_0000, 0xFF00, 0xFF]
    guard let format = ddjvu_format_create(DDJVU_FORMAT_RGBMASK32, 3, &masks) else { return false }
    defer { ddjvu_format_release(format) }
    ddjvu_format_set_row_order(format, 1)
    ddjvu_format_set_y_direction(format, 1)
    var area = ddjvu_rect_t(x: 0, y: 0, w: UInt32(bitmap.width), h: UInt32(bitmap.height))
    var part = area
    return bitmap.pixels.withMemoryRebound(to: CChar.self) { bytes in
      ddjvu_page_render(
        page,
        DDJVU_RENDER_COLOR,
        &area,
        &part,
        format,
        UInt(bitmap.width * 4),
        bytes.baseAddress
      ) != 0
    }
  }

  // MARK: Text

  func content(of page: Int) throws(PressFault) -> PageContent {
    guard let info = info(of: page) else { return PageContent() }
    var text = lectern_unread()
    Self.wait(context) {
      text = ddjvu_document_get_pagetext(document, Int32(page), "word")
      return text != lectern_unread()
    }
    defer { ddjvu_miniexp_release(document, text) }
    var builder = WordBuilder((Double(info.width), Double(info.height)), limits)
    add(text, to: &builder, height: Double(info.height))
    return builder.content()
  }

  /// Adds the words of a zone of a page: its kind, its box from the lower left, then its zones or
  /// its text.
  private func add(_ zone: miniexp_t?, to builder: inout WordBuilder, height: Double) {
    guard miniexp_consp(zone) != 0, miniexp_length(zone) >= 6 else { return }
    let edges = (1...4).map { Double(miniexp_to_int(miniexp_nth(Int32($0), zone))) }
    let box = PopplerRectangle(
      x1: edges[0],
      y1: height - edges[3],
      x2: edges[2],
      y2: height - edges[1]
    )
    var rest = miniexp_nth(5, zone)
    if miniexp_stringp(rest) != 0, let word = miniexp_to_str(rest) {
      for scalar in String(cString: word).unicodeScalars where !builder.add(scalar, box) { return }
      return
    }
    let kind = miniexp_to_name(miniexp_car(zone)).map { String(cString: $0) } ?? ""
    rest = zone
    for _ in 0..<5 { rest = miniexp_cdr(rest) }
    while miniexp_consp(rest) != 0 {
      add(miniexp_car(rest), to: &builder, height: height)
      rest = miniexp_cdr(rest)
      guard builder.add(kind == "line" ? " " : "\n", nil) else { return }
    }
  }

  func outline() throws(PressFault) -> [OutlineEntry] {
    var root = lectern_unread()
    Self.wait(context) {
      root = ddjvu_document_get_outline(document)
      return root != lectern_unread()
    }
    defer { ddjvu_miniexp_release(document, root) }
    var entries: [OutlineEntry] = []
    if miniexp_consp(root) != 0 { collect(miniexp_cdr(root), depth: 0, &entries) }
    return entries
  }

  /// Adds the entries of a level, each a title, an address, and the entries below it.
  private func collect(_ list: miniexp_t?, depth: Int, _ entries: inout [OutlineEntry]) {
    var rest = list
    while miniexp_consp(rest) != 0, entries.count < limits.content.outlineEntries {
      let entry = miniexp_car(rest)
      rest = miniexp_cdr(rest)
      guard miniexp_consp(entry) != 0, let title = miniexp_to_str(miniexp_car(entry)) else {
        continue
      }
      let address = miniexp_to_str(miniexp_cadr(entry)).map { String(cString: $0) } ?? ""
      entries.append(
        OutlineEntry(
          depth: depth,
          title: PressText.line(String(cString: title), PressText.entry),
          page: page(at: address)
        )
      )
      if depth + 1 < limits.content.outlineDepth {
        collect(miniexp_cddr(entry), depth: depth + 1, &entries)
      }
    }
  }

  /// Returns the page of an address such as `#12` or `#p0012.djvu`; nil if it leads elsewhere.
  private func page(at address: String) -> Int? {
    guard address.hasPrefix("#") else { return nil }
    let name = String(address.dropFirst())
    let found = Int(ddjvu_document_search_pageno(document, name))
    if (0..<pageCount).contains(found) { return found }
    return Int(name).flatMap { (1...pageCount).contains($0) ? $0 - 1 : nil }
  }
}
