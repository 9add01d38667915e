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
    /// No file, or an unknown kind.
    case unknown
  }

  /// The descriptor, if there is a document.
  private let descriptor: Int32?
  /// The kind of the file.
  let kind: Kind
  /// The size of the file, for messages.
  private let size: Int

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

  /// Opens the document.
  func open(password: String, _ limits: PressLimits) throws(PressFault) -> any Document {
    guard let descriptor else { throw .badRequest("there is no document at descriptor 3") }
    guard size <= limits.document.bytes else {
      throw .fileTooLarge(bytes: size, limit: limits.document.bytes)
    }
    switch kind {
    case .pdf: return try PDFDocument(descriptor, password: password, limits)
    case .archive(let format):
      return try ArchiveDocument(ArchiveFile(descriptor, size: size, format: format), limits)
    case .image: return try ImageDocument(try wholeFile(descriptor, limits), limits)
    case .djvu: throw .djvu
    case .unknown: throw .unsupported(size == 0 ? "emptyFile" : "unknownFile")
    }
  }

  private func wholeFile(_ descriptor: Int32, _ limits: PressLimits) throws(PressFault) -> [UInt8] {
    guard size <= limits.archive.entryBytes else {
      throw .entryTooLarge(name: "The image", limit: limits.archive.entryBytes)
    }
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
