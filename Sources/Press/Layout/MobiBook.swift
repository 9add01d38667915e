internal import CMobi
internal import Glibc
internal import PressProtocol

/// A book in a format of Mobipocket or Kindle, which libmobi turns into the files of an EPUB.
struct MobiBook {
  let publication: Publication

  private static let folder = "OEBPS/"

  /// Reads a book.
  /// - Throws: ``PressFault/protected`` if it has DRM, or why it cannot be read.
  init(_ bytes: [UInt8]) throws(PressFault) {
    guard let book = mobi_init() else { throw .neededTooMuchMemory(page: nil) }
    defer { mobi_free(book) }
    guard Self.load(bytes, into: book) else { throw .damaged(.mobi) }
    if mobi_is_encrypted(book) { throw .protected }
    guard let parts = mobi_init_rawml(book) else { throw .neededTooMuchMemory(page: nil) }
    defer { mobi_free_rawml(parts) }
    guard mobi_parse_rawml(parts, book) == MOBI_SUCCESS else { throw .damaged(.mobi) }
    let files = Self.files(parts.pointee)
    guard let list = files[Self.folder + "content.opf"], let root = XMLElement(list) else {
      throw .damaged(.mobi)
    }
    let package = EPUBPackage(root, path: Self.folder + "content.opf", format: .mobi)
    publication = Publication(files, package)
  }

  /// Reads the records of a book; the library copies them.
  private static func load(_ bytes: [UInt8], into book: UnsafeMutablePointer<MOBIData>) -> Bool {
    var bytes = bytes
    return bytes.withUnsafeMutableBytes { buffer in
      guard let file = fmemopen(buffer.baseAddress, buffer.count, "r") else { return false }
      defer { fclose(file) }
      return mobi_load_file(book, file) == MOBI_SUCCESS
    }
  }

  /// Returns the parts by the names that the library gives them in links and in the package.
  private static func files(_ book: MOBIRawml) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    // The first flow is the text itself, which the markup contains in parts.
    let lists = [("part", book.markup), ("flow", book.flow?.pointee.next)]
    for (kind, first) in lists {
      each(first) { files[name(kind, $0)] = bytes(of: $0) }
    }
    each(book.resources) { part in
      guard part.type != T_OPF else { return files[folder + "content.opf"] = bytes(of: part) }
      files[name("resource", part)] = bytes(of: part)
    }
    return files
  }

  private static func each(_ first: UnsafeMutablePointer<MOBIPart>?, _ work: (MOBIPart) -> Void) {
    var next = first
    while let part = next {
      work(part.pointee)
      next = part.pointee.next
    }
  }

  private static func name(_ kind: String, _ part: MOBIPart) -> String {
    let ending = withUnsafeBytes(of: mobi_get_filemeta_by_type(part.type).extension) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let number = String(part.uid)
    let zeros = String(repeating: "0", count: max(0, 5 - number.count))
    return "\(folder)\(kind)\(zeros)\(number).\(ending)"
  }

  private static func bytes(of part: MOBIPart) -> [UInt8] {
    Array(UnsafeBufferPointer(start: part.data, count: part.data == nil ? 0 : part.size))
  }
}
