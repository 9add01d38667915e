internal import CArchive
internal import Glibc
internal import PressProtocol

/// The file of an archive, which can be gone through several times.
struct ArchiveFile {
  let descriptor: Int32
  /// The bytes of the file.
  let size: Int
  let format: DocumentFormat

  init(_ descriptor: Int32, size: Int, format: DocumentFormat) {
    self.descriptor = descriptor
    self.size = size
    self.format = format
  }
}

/// One way through an archive, from its first entry to its last, with an eye on the limits.
final class ArchivePass {
  /// A regular file in the archive.
  struct Entry {
    /// Its place among all entries, the same on each way through.
    let ordinal: Int
    /// Its name, byte for byte: in any encoding, or empty.
    ///
    /// Never a path.
    let name: [UInt8]
    /// The bytes it says it unpacks to; it may lie.
    let size: Int

    /// The name to show, with a mark for what is not UTF-8.
    var title: String { String(decoding: name, as: UTF8.self) }
  }

  private let file: ArchiveFile
  private let limits: PressLimits
  private let archive: OpaquePointer
  private var ordinal = -1
  /// The bytes unpacked so far; those of skipped entries as these say.
  private var unpacked = 0

  init(_ file: ArchiveFile, _ limits: PressLimits) throws(PressFault) {
    guard let archive = archive_read_new() else { throw .neededTooMuchMemory(page: nil) }
    self.file = file
    self.limits = limits
    self.archive = archive
    switch file.format {
    case .rar:
      archive_read_support_format_rar(archive)
      archive_read_support_format_rar5(archive)
    case .sevenZip: archive_read_support_format_7zip(archive)
    case .tar:
      archive_read_support_format_tar(archive)
      archive_read_support_filter_gzip(archive)
      archive_read_support_filter_bzip2(archive)
      archive_read_support_filter_xz(archive)
      archive_read_support_filter_zstd(archive)
    default: archive_read_support_format_zip(archive)
    }
    lseek(file.descriptor, 0, SEEK_SET)
    guard archive_read_open_fd(archive, file.descriptor, 65_536) == ARCHIVE_OK else {
      throw refusal()
    }
  }

  deinit { archive_read_free(archive) }

  /// Goes on to the next regular file; links, folders and the like are passed over.
  /// - Returns: `nil` at the end.
  func next() throws(PressFault) -> Entry? {
    while true {
      var header: OpaquePointer?
      let status = archive_read_next_header(archive, &header)
      if status == ARCHIVE_EOF { return nil }
      // A warning is about a name in another encoding, or the like.
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header else { throw failure() }
      ordinal += 1
      guard ordinal < limits.entries else { throw .tooManyEntries(limit: limits.entries) }
      guard archive_entry_is_encrypted(header) == 0 else { throw .encryptedArchive(file.format) }
      guard archive_entry_filetype(header) & 0o170000 == 0o100000,
        archive_entry_hardlink(header) == nil, archive_entry_symlink(header) == nil
      else { continue }
      let size = archive_entry_size_is_set(header) != 0 ? Int(archive_entry_size(header)) : 0
      return Entry(ordinal: ordinal, name: Self.name(of: header), size: max(0, size))
    }
  }

  private static func name(of header: OpaquePointer) -> [UInt8] {
    // As stored first: a name in an unknown encoding has no other form.
    guard let name = archive_entry_pathname(header) ?? archive_entry_pathname_utf8(header) else {
      return []
    }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// Reads the first bytes of the entry.
  func head(of entry: Entry, _ count: Int) throws(PressFault) -> [UInt8] {
    let head = try read(entry, upTo: count)
    // The rest is unpacked too where an archive has no way around it.
    try self.count(max(0, entry.size - head.count), entry)
    return head
  }

  /// Reads the rest of the entry after its head.
  func rest(of entry: Entry) throws(PressFault) -> [UInt8] {
    try read(entry, upTo: limits.entryBytes + 1)
  }

  /// Reads the whole entry.
  func contents(of entry: Entry) throws(PressFault) -> [UInt8] {
    guard entry.size <= limits.entryBytes else {
      throw .entryTooLarge(name: entry.title, limit: limits.entryBytes)
    }
    let bytes = try read(entry, upTo: limits.entryBytes + 1)
    guard bytes.count <= limits.entryBytes else {
      throw .entryTooLarge(name: entry.title, limit: limits.entryBytes)
    }
    return bytes
  }

  private func read(_ entry: Entry, upTo count: Int) throws(PressFault) -> [UInt8] {
    var bytes: [UInt8] = []
    // The size is a hint only: no room is made for a promise.
    bytes.reserveCapacity(min(count, entry.size, 1 << 20))
    var chunk = [UInt8](repeating: 0, count: min(count, 1 << 18))
    while bytes.count < count {
      let wanted = min(chunk.count, count - bytes.count)
      let got = archive_read_data(archive, &chunk, wanted)
      if got == 0 { break }
      // A bad checksum is a warning, and most of an image can still be shown.
      if got == Int(ARCHIVE_WARN) || got == Int(ARCHIVE_RETRY) { break }
      guard got > 0 else { throw failure() }
      try self.count(got, entry)
      bytes += chunk[..<got]
    }
    return bytes
  }

  /// Counts bytes that were unpacked, and stops an archive that is mostly air.
  private func count(_ bytes: Int, _ entry: Entry) throws(PressFault) {
    unpacked = unpacked.addingReportingOverflow(bytes).overflow ? .max : unpacked + bytes
    guard unpacked <= limits.archiveBytes else {
      throw .archiveTooLarge(limit: limits.archiveBytes)
    }
    if unpacked > limits.ratioFreeBytes, unpacked / limits.ratio > file.size {
      throw .ratio(name: entry.title, limit: limits.ratio)
    }
  }

  /// What the error of libarchive means for an archive that was opened.
  private func failure() -> PressFault {
    if archive_read_has_encrypted_entries(archive) == 1 { return .encryptedArchive(file.format) }
    return meaning(of: errorText)
  }

  /// What the error of libarchive means for what could not be opened.
  ///
  /// Nothing but the error is asked for: until a format was chosen, libarchive's pointer to it is
  /// that behind the last one it tried, and it would call what it finds there.
  private func refusal() -> PressFault {
    let text = errorText
    if file.format == .tar, text.contains("unrecognized") {
      return .unsupported("a packed file without a tar archive in it")
    }
    return meaning(of: text)
  }

  private var errorText: String {
    archive_error_string(archive).map { String(cString: $0).lowercased() } ?? ""
  }

  private func meaning(of text: String) -> PressFault {
    if text.contains("encrypt") || text.contains("passphrase") {
      return .encryptedArchive(file.format)
    }
    if text.contains("support") || text.contains("volume") || text.contains("solid") {
      return .unsupportedArchive(file.format)
    }
    return .damaged(file.format)
  }
}
