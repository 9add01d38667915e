internal import CQPDF
internal import Glibc
internal import PressProtocol

/// Joins the PDFs of the parts of a book, lets links lead from one to another, and adds the table
/// of contents.
final class Binder {
  /// A place in the bound book.
  private struct Place {
    /// The page, counted from 0.
    let page: Int
    /// The coordinates in the page's own units; nil for its top.
    var point: (x: Double, y: Double)?
  }

  /// A part that was added.
  private struct Part {
    let document: qpdf_data
    /// The bytes that its streams are read from until the book is written.
    let bytes: UnsafeMutableBufferPointer<CChar>
    /// The name of its file in the archive.
    let name: String
    let pages: Range<Int>
  }

  private let book: qpdf_data
  private var parts: [Part] = []
  /// Where the ids of each file are, by the names in the archive; the empty id is its start.
  private var places: [EPUBPackage.Target: Place] = [:]
  /// The number of pages so far.
  private(set) var pageCount = 0
  /// The size of each page in points.
  private(set) var sizes: [(width: Double, height: Double)] = []

  init() throws(PressFault) {
    guard let book = qpdf_init() else { throw .neededTooMuchMemory(page: nil) }
    self.book = book
    qpdf_set_suppress_warnings(book, QPDF_TRUE)
    qpdf_silence_errors(book)
    qpdf_empty_pdf(book)
  }

  deinit {
    var handle: qpdf_data? = book
    qpdf_cleanup(&handle)
    for part in parts {
      var document: qpdf_data? = part.document
      qpdf_cleanup(&document)
      part.bytes.deallocate()
    }
  }

  /// Adds a part.
  /// - Parameters:
  ///   - pdf: The part as it was printed.
  ///   - name: The name of its file in the archive.
  ///   - anchors: The names by which the PDF knows ids of the file.
  /// - Returns: The number of its pages.
  /// - Throws: ``PressFault/engineFailed(_:)`` if it is no PDF.
  @discardableResult
  func add(_ pdf: [UInt8], of name: String, anchors: [String: String]) throws(PressFault) -> Int {
    guard let document = qpdf_init() else { throw .neededTooMuchMemory(page: nil) }
    qpdf_set_suppress_warnings(document, QPDF_TRUE)
    qpdf_silence_errors(document)
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: pdf.count)
    _ = bytes.initialize(from: pdf.lazy.map { CChar(bitPattern: $0) })
    guard qpdf_read_memory(document, name, bytes.baseAddress, UInt64(pdf.count), nil) & 2 == 0
    else {
      var failed: qpdf_data? = document
      qpdf_cleanup(&failed)
      bytes.deallocate()
      throw .engineFailed("pdf")
    }
    let count = Int(qpdf_get_num_pages(document))
    let start = pageCount
    var numbers: [Int32: Int] = [:]
    for index in 0..<max(0, count) {
      let page = qpdf_get_page_n(document, index)
      numbers[qpdf_oh_get_object_id(document, page)] = start + index
      qpdf_add_page(book, document, page, QPDF_FALSE)
      sizes.append(size(of: page, in: document))
    }
    pageCount += max(0, count)
    parts.append(Part(document: document, bytes: bytes, name: name, pages: start..<pageCount))
    note(anchors, in: document, name, start: start, numbers)
    return count
  }

  private func size(of page: qpdf_oh, in document: qpdf_data) -> (width: Double, height: Double) {
    let box = qpdf_oh_get_key(document, page, "/MediaBox")
    let sides = (0..<4).map { index in
      qpdf_oh_get_numeric_value(document, qpdf_oh_get_array_item(document, box, Int32(index)))
    }
    return (sides[2] - sides[0], sides[3] - sides[1])
  }

  /// Notes where the ids of a part are.
  private func note(
    _ anchors: [String: String],
    in document: qpdf_data,
    _ name: String,
    start: Int,
    _ numbers: [Int32: Int]
  ) {
    let whole = EPUBPackage.Target(name: name, fragment: "")
    if places[whole] == nil, start < pageCount { places[whole] = Place(page: start) }
    let list = qpdf_oh_get_key(document, qpdf_get_root(document), "/Dests")
    guard qpdf_oh_is_dictionary(document, list) != 0 else { return }
    for (id, anchor) in anchors {
      let target = qpdf_oh_get_key(document, list, "/" + anchor)
      guard qpdf_oh_is_array(document, target) != 0 else { continue }
      let page = qpdf_oh_get_array_item(document, target, 0)
      guard let number = numbers[qpdf_oh_get_object_id(document, page)] else { continue }
      let point = [2, 3].map { index in
        qpdf_oh_get_numeric_value(document, qpdf_oh_get_array_item(document, target, index))
      }
      // The links within a part name the anchor, all others the id.
      for fragment in [id, anchor] {
        places[EPUBPackage.Target(name: name, fragment: fragment)] = Place(
          page: number,
          point: (point[0], point[1])
        )
      }
    }
  }

  /// Lets a name lead to the place of a part.
  func add(_ alias: String, as name: String) {
    let (alias, part) = (
      EPUBPackage.Target(name: alias, fragment: ""), EPUBPackage.Target(name: name, fragment: "")
    )
    places[alias] = places[alias] ?? places[part]
  }

  private func place(of target: EPUBPackage.Target) -> Place? {
    places[target] ?? places[EPUBPackage.Target(name: target.name, fragment: "")]
  }

  // MARK: Links

  /// Lets the links of all parts lead to pages of the book.
  private func connect() {
    for part in parts {
      for number in part.pages {
        let page = qpdf_get_page_n(book, number)
        let list = qpdf_oh_get_key(book, page, "/Annots")
        guard qpdf_oh_is_array(book, list) != 0 else { continue }
        for index in 0..<qpdf_oh_get_array_n_items(book, list) {
          connect(qpdf_oh_get_array_item(book, list, index), in: part.name)
        }
      }
    }
  }

  private func connect(_ link: qpdf_oh, in name: String) {
    let destination = qpdf_oh_get_key(book, link, "/Dest")
    var target: EPUBPackage.Target?
    if qpdf_oh_is_name(book, destination) != 0 {
      let anchor = String(cString: qpdf_oh_get_name(book, destination)).dropFirst()
      target = EPUBPackage.Target(name: name, fragment: String(anchor))
    } else {
      let action = qpdf_oh_get_key(book, link, "/A")
      guard qpdf_oh_is_dictionary(book, action) != 0 else { return }
      let address = String(
        cString: qpdf_oh_get_utf8_value(book, qpdf_oh_get_key(book, action, "/URI"))
      )
      guard address.hasPrefix(Engine.root) else { return }
      target = EPUBPackage.Target("/" + address.dropFirst(Engine.root.count), in: name)
    }
    qpdf_oh_remove_key(book, link, "/A")
    qpdf_oh_remove_key(book, link, "/Dest")
    guard let place = target.flatMap({ place(of: $0) }) else { return }
    qpdf_oh_replace_key(book, link, "/Dest", array(to: place))
  }

  /// Returns the destination of a place.
  private func array(to place: Place) -> qpdf_oh {
    let array = qpdf_oh_new_array(book)
    qpdf_oh_append_item(book, array, qpdf_get_page_n(book, place.page))
    qpdf_oh_append_item(book, array, qpdf_oh_new_name(book, "/XYZ"))
    if let point = place.point {
      qpdf_oh_append_item(book, array, qpdf_oh_new_real_from_double(book, point.x, 2))
      qpdf_oh_append_item(book, array, qpdf_oh_new_real_from_double(book, point.y, 2))
    } else {
      qpdf_oh_append_item(book, array, qpdf_oh_new_null(book))
      qpdf_oh_append_item(book, array, qpdf_oh_new_null(book))
    }
    qpdf_oh_append_item(book, array, qpdf_oh_new_null(book))
    return array
  }

  /// Names the program by which ``PDFDocument`` recognizes its own pages.
  private func addProducer() {
    let facts = qpdf_make_indirect_object(book, qpdf_oh_new_dictionary(book))
    qpdf_oh_replace_key(
      book,
      facts,
      "/Producer",
      qpdf_oh_new_unicode_string(book, PDFDocument.ownProducer)
    )
    qpdf_oh_replace_key(book, qpdf_get_trailer(book), "/Info", facts)
  }

  // MARK: The table of contents

  private func addOutline(_ entries: [EPUBPackage.ContentsEntry]) {
    guard !entries.isEmpty else { return }
    let root = qpdf_make_indirect_object(book, qpdf_oh_new_dictionary(book))
    qpdf_oh_replace_key(book, root, "/Type", qpdf_oh_new_name(book, "/Outlines"))
    // The open levels, each with its last entry.
    var levels: [(parent: qpdf_oh, last: qpdf_oh?)] = [(root, nil)]
    for entry in entries {
      let depth = min(entry.depth, levels.count - 1)
      levels.removeLast(levels.count - 1 - depth)
      let item = qpdf_make_indirect_object(book, qpdf_oh_new_dictionary(book))
      let title = PressText.line(entry.title, PressText.entry)
      qpdf_oh_replace_key(book, item, "/Title", qpdf_oh_new_unicode_string(book, title))
      if let place = entry.target.flatMap({ place(of: $0) }) {
        qpdf_oh_replace_key(book, item, "/Dest", array(to: place))
      }
      let parent = levels[depth].parent
      qpdf_oh_replace_key(book, item, "/Parent", parent)
      if let last = levels[depth].last {
        qpdf_oh_replace_key(book, last, "/Next", item)
        qpdf_oh_replace_key(book, item, "/Prev", last)
      } else {
        qpdf_oh_replace_key(book, parent, "/First", item)
      }
      qpdf_oh_replace_key(book, parent, "/Last", item)
      levels[depth].last = item
      levels.append((item, nil))
    }
    qpdf_oh_replace_key(book, qpdf_get_root(book), "/Outlines", root)
  }

  /// Returns the bound book.
  func bound(_ contents: [EPUBPackage.ContentsEntry]) throws(PressFault) -> [UInt8] {
    connect()
    addOutline(contents)
    addProducer()
    guard qpdf_init_write_memory(book) & 2 == 0 else { throw .engineFailed("pdf") }
    // The same book has the same bytes on each machine.
    qpdf_set_static_ID(book, QPDF_TRUE)
    qpdf_set_object_stream_mode(book, qpdf_o_generate)
    guard qpdf_write(book) & 2 == 0, let start = qpdf_get_buffer(book) else {
      throw .engineFailed("pdf")
    }
    return Array(UnsafeBufferPointer(start: start, count: qpdf_get_buffer_length(book)))
  }
}
