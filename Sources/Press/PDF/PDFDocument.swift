internal import CPoppler
internal import Glibc
internal import PressProtocol

/// A PDF, read by Poppler.
final class PDFDocument: Document {
  let document: OpaquePointer
  let limits: PressLimits
  let facts: DocumentFacts
  /// The pages of named destinations that were looked up; -1 means none.
  private var namedPages: [String: Int] = [:]

  /// Opens the document at a descriptor, which stays open for another attempt.
  init(_ descriptor: Int32, password: String, _ limits: PressLimits) throws(PressFault) {
    self.limits = limits
    let document = try Self.open(descriptor, password: password)
    self.document = document
    do throws(PressFault) {
      facts = try Self.facts(of: document, limits)
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
  private static func attempts(_ password: String) -> [String?] {
    if password.isEmpty { return [nil] }
    if password.utf8.allSatisfy({ $0 < 0x80 }) { return [password] }
    let bytes = String(String.UnicodeScalarView(password.utf8.map { Unicode.Scalar($0) }))
    return [password, bytes]
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

  private static func facts(
    of document: OpaquePointer,
    _ limits: PressLimits
  ) throws(PressFault) -> DocumentFacts {
    let count = Int(poppler_document_get_n_pages(document))
    guard count > 0 else { throw .noPages(.pdf) }
    // Checked before the pages are read: a file of 24 MB can have 300,000.
    guard count <= limits.document.pages else {
      throw .tooManyPages(count, limit: limits.document.pages)
    }
    Confinement.allow(seconds: limits.time.openingSeconds(pages: count))
    var known = DocumentFacts(
      format: .pdf,
      title: GText.taken(poppler_document_get_title(document)),
      author: GText.taken(poppler_document_get_author(document)),
      pages: (0..<count).map { facts(of: $0, in: document, limits) }
    )
    let packet = XMP(GText.taken(poppler_document_get_metadata(document)))
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
    let label = GText.taken(poppler_page_get_label(page))
    let sides = 1...Double(limits.document.pageSide)
    return PageFacts(
      width: width.isFinite ? min(max(width, sides.lowerBound), sides.upperBound) : 595,
      height: height.isFinite ? min(max(height, sides.lowerBound), sides.upperBound) : 842,
      label: label == "\(index + 1)" ? "" : label
    )
  }

  /// Calls a closure with a page.
  func withPage<T>(
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
  func page(of action: UnsafeMutablePointer<PopplerAction>) -> Int? {
    guard action.pointee.type == POPPLER_ACTION_GOTO_DEST,
      let destination = action.pointee.goto_dest.dest
    else { return nil }
    var number = Int(destination.pointee.page_num) - 1
    if destination.pointee.type == POPPLER_DEST_NAMED, let name = destination.pointee.named_dest {
      number = page(named: name)
    }
    return facts.pages.indices.contains(number) ? number : nil
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

/// Texts allocated by GLib.
enum GText {
  /// Copies a text and frees it; empty if there is none.
  static func taken(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
