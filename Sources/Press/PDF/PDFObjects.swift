internal import CQPDF
internal import Glibc

/// The objects of a PDF, for what Poppler gives no access to; read by QPDF.
final class PDFObjects {
  let document: qpdf_data
  private let file: UnsafeMutableRawPointer
  private let size: Int

  /// The largest file that is mapped into the limited address space, in bytes.
  private static let sizeMax = 256 << 20

  /// Maps the file at a descriptor; nil if QPDF cannot read it as it is.
  init?(_ descriptor: Int32, password: String) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_size > 0, facts.st_size <= Self.sizeMax,
      let file = mmap(nil, Int(facts.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
      file != MAP_FAILED
    else { return nil }
    (self.file, size) = (file, Int(facts.st_size))
    guard let document = qpdf_init() else {
      munmap(file, Int(facts.st_size))
      return nil
    }
    self.document = document
    qpdf_set_suppress_warnings(document, QPDF_TRUE)
    qpdf_silence_errors(document)
    // Whatever needs repairs is left to Poppler.
    qpdf_set_attempt_recovery(document, QPDF_FALSE)
    let bytes = file.assumingMemoryBound(to: CChar.self)
    guard qpdf_read_memory(document, "document", bytes, UInt64(size), password) & 2 == 0 else {
      return nil
    }
  }

  deinit {
    var document: qpdf_data? = document
    qpdf_cleanup(&document)
    munmap(file, size)
  }

  /// Whether it is a form whose pages only Adobe's programs can make, from a description in XML.
  var isDynamicForm: Bool {
    let root = qpdf_get_root(document)
    let needsRendering = qpdf_oh_get_key(document, root, "/NeedsRendering")
    return qpdf_oh_is_bool(document, needsRendering) != 0
      && qpdf_oh_get_bool_value(document, needsRendering) != 0
      && qpdf_oh_has_key(document, key("/AcroForm", of: root), "/XFA") != 0
  }

  /// Frees the objects that were returned.
  func release() { qpdf_oh_release_all(document) }

  /// Returns a page; nil if there is none.
  func page(_ index: Int) -> qpdf_oh? {
    guard index < Int(qpdf_get_num_pages(document)) else { return nil }
    let page = qpdf_get_page_n(document, index)
    return qpdf_oh_is_dictionary(document, page) != 0 ? page : nil
  }

  /// Returns the value of a key; a null object if there is none, or if the object has no keys.
  func key(_ name: String, of object: qpdf_oh) -> qpdf_oh {
    qpdf_oh_get_key_if_dict(document, object, name)
  }

  /// Returns the value of a key of a page, or of the nodes above it; nil if there is none.
  func inherited(_ name: String, of page: qpdf_oh) -> qpdf_oh? {
    var node = page
    // The tree of a hostile document can be a circle.
    for _ in 0..<32 {
      let value = key(name, of: node)
      if qpdf_oh_is_null(document, value) == 0 { return value }
      node = key("/Parent", of: node)
      guard qpdf_oh_is_dictionary(document, node) != 0 else { return nil }
    }
    return nil
  }

  func isAbsent(_ name: String, in object: qpdf_oh) -> Bool {
    qpdf_oh_is_null(document, key(name, of: object)) != 0
  }

  func isName(_ object: qpdf_oh, _ names: String...) -> Bool {
    names.contains { qpdf_oh_is_name_and_equals(document, object, $0) != 0 }
  }

  /// Returns the numbers of an array; nil if it is no array of so many numbers.
  func numbers(_ object: qpdf_oh, count: Int) -> [Double]? {
    guard qpdf_oh_is_array(document, object) != 0,
      qpdf_oh_get_array_n_items(document, object) == Int32(count)
    else { return nil }
    let items = (0..<Int32(count)).map { qpdf_oh_get_array_item(document, object, $0) }
    guard items.allSatisfy({ qpdf_oh_is_number(document, $0) != 0 }) else { return nil }
    return items.map { qpdf_oh_get_numeric_value(document, $0) }
  }

  /// Returns the operators of a page; nil if they cannot be read, or are longer than a limit.
  func content(of page: qpdf_oh, atMost limit: Int) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = qpdf_oh_get_page_content_data(document, page, &bytes, &count)
    return taken(bytes, count, status, limit)
  }

  /// Returns the bytes of a stream as they are in the file, decrypted.
  func data(of stream: qpdf_oh, atMost limit: Int) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = qpdf_oh_get_stream_data(document, stream, qpdf_dl_none, nil, &bytes, &count)
    return taken(bytes, count, status, limit)
  }

  private func taken(
    _ bytes: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ status: QPDF_ERROR_CODE,
    _ limit: Int
  ) -> [UInt8]? {
    defer { free(bytes) }
    guard status & 2 == 0, let bytes, count <= limit else { return nil }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}
