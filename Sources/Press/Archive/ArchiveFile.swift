internal import CArchive
internal import CPoppler
internal import Glibc
internal import PressProtocol

/// The file of an archive, which can be read in several passes.
struct ArchiveFile {
  let descriptor: Int32
  /// The size of the file in bytes.
  let size: Int
  let format: DocumentFormat
  /// The password of its entries; empty if it has none or it is unknown.
  let password: String

  init(_ descriptor: Int32, size: Int, format: DocumentFormat, password: String = "") {
    (self.descriptor, self.size, self.format) = (descriptor, size, format)
    self.password = password
  }

  /// The fault of an encrypted entry: libarchive decrypts those of ZIP only.
  var lock: PressFault {
    switch format {
    case .zip, .epub: password.isEmpty ? .encrypted : .wrongPassword
    case .pdf, .rar, .sevenZip, .tar, .image, .djvu, .text, .mobi, .fictionBook:
      .encryptedArchive(format)
    }
  }
}

/// One pass over an archive, from its first entry to its last, which enforces the limits.
final class ArchivePass {
  /// A regular file in the archive.
  struct Entry {
    /// Its position among all entries, the same in each pass.
    let ordinal: Int
    /// Its name as raw bytes in any encoding; may be empty.
    ///
    /// Never use it as a path.
    let name: [UInt8]
    /// The unpacked size that it claims, in bytes; it may be wrong.
    let size: Int

    /// The name to show, with replacement characters for bytes that are not UTF-8.
    var title: String { String(decoding: name, as: UTF8.self) }
  }

  private let file: ArchiveFile
  private let limits: PressLimits
  private let archive: OpaquePointer
  private var ordinal = -1
  /// The number of bytes unpacked so far; for skipped entries, as they claim.
  private var unpacked = 0

  init(_ file: ArchiveFile, _ limits: PressLimits) throws(PressFault) {
    guard let archive = archive_read_new() else { throw .neededTooMuchMemory(page: nil) }
    (self.file, self.limits, self.archive) = (file, limits, archive)
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
    // A password that was typed in another form than the one that locked the archive opens it too.
    for password in [file.password, Self.composed(file.password)] where !password.isEmpty {
      archive_read_add_passphrase(archive, password)
    }
    lseek(file.descriptor, 0, SEEK_SET)
    guard archive_read_open_fd(archive, file.descriptor, 65_536) == ARCHIVE_OK else {
      throw refusal()
    }
  }

  deinit { archive_read_free(archive) }

  /// Returns a text with letters and their marks composed (NFC).
  private static func composed(_ text: String) -> String {
    guard let bytes = g_utf8_normalize(text, -1, G_NORMALIZE_NFC) else { return text }
    defer { g_free(bytes) }
    return String(cString: bytes)
  }

  /// Advances to the next regular file and skips links, folders and other entries.
  /// - Returns: `nil` at the end.
  func next() throws(PressFault) -> Entry? {
    while true {
      var header: OpaquePointer?
      let status = archive_read_next_header(archive, &header)
      if status == ARCHIVE_EOF { return nil }
      // A warning is about a name in another encoding, for example.
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let header else { throw failure() }
      ordinal += 1
      guard ordinal < limits.archive.entries else {
        throw .tooManyEntries(limit: limits.archive.entries)
      }
      guard archive_entry_is_encrypted(header) == 0 || file.lock == .wrongPassword else {
        throw file.lock
      }
      guard archive_entry_filetype(header) & 0o170000 == 0o100000,
        archive_entry_hardlink(header) == nil, archive_entry_symlink(header) == nil
      else { continue }
      let size = archive_entry_size_is_set(header) != 0 ? Int(archive_entry_size(header)) : 0
      return Entry(ordinal: ordinal, name: Self.name(of: header), size: max(0, size))
    }
  }

  private static func name(of header: OpaquePointer) -> [UInt8] {
    // The stored form comes first, because a name in an unknown encoding has no other form.
    guard let name = archive_entry_pathname(header) ?? archive_entry_pathname_utf8(header) else {
      return []
    }
    return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// Reads the first bytes of the entry.
  func head(of entry: Entry, _ count: Int) throws(PressFault) -> [UInt8] {
    let head = try read(entry, upTo: count)
    // In some archives, skipping the rest also means unpacking it.
    try self.count(max(0, entry.size - head.count), entry)
    return head
  }

  /// Reads the rest of the entry after its head.
  func rest(of entry: Entry) throws(PressFault) -> [UInt8] {
    try read(entry, upTo: limits.archive.entryBytes + 1)
  }

  /// Reads the whole entry.
  func contents(of entry: Entry) throws(PressFault) -> [UInt8] {
    guard entry.size <= limits.archive.entryBytes else {
      throw .entryTooLarge(name: entry.title, limit: limits.archive.entryBytes)
    }
    let bytes = try read(entry, upTo: limits.archive.entryBytes + 1)
    guard bytes.count <= limits.archive.entryBytes else {
      throw .entryTooLarge(name: entry.title, limit: limits.archive.entryBytes)
    }
    return bytes
  }

  private func read(_ entry: Entry, upTo count: Int) throws(PressFault) -> [UInt8] {
    var bytes: [UInt8] = []
    // The size is only a hint, so no memory is reserved for a false claim.
    bytes.reserveCapacity(min(count, entry.size, 1 << 20))
    var chunk = [UInt8](repeating: 0, count: min(count, 1 << 18))
    while bytes.count < count {
      let wanted = min(chunk.count, count - bytes.count)
      let got = archive_read_data(archive, &chunk, wanted)
      if got == 0 { break }
      // A bad checksum is a warning; most of an image can still be shown.
      if got == Int(ARCHIVE_WARN) || got == Int(ARCHIVE_RETRY) { break }
      guard got > 0 else { throw failure() }
      try self.count(got, entry)
      bytes += chunk[..<got]
    }
    return bytes
  }

  /// Counts unpacked bytes and stops an archive that expands too much.
  private func count(_ bytes: Int, _ entry: Entry) throws(PressFault) {
    unpacked = unpacked.addingReportingOverflow(bytes).overflow ? .max : unpacked + bytes
    guard unpacked <= limits.archive.bytes else {
      throw .archiveTooLarge(limit: limits.archive.bytes)
    }
    if unpacked > limits.archive.ratioFreeBytes, unpacked / limits.archive.ratio > file.size {
      throw .ratio(name: entry.title, limit: limits.archive.ratio)
    }
  }

  /// Returns the fault for an error of libarchive in an archive that was opened.
  private func failure() -> PressFault {
    if archive_read_has_encrypted_entries(archive) == 1 { return file.lock }
    return meaning(of: errorText)
  }

  /// Returns the fault for an error of libarchive in a file that could not be opened.
  ///
  /// Calls no function except the one for the error. Until a format is chosen, libarchive's pointer
  /// to it is one element past the last format that it tried, and other functions would use
  /// whatever is there.
  private func refusal() -> PressFault {
    let text = errorText
    if file.format == .tar, text.contains("unrecognized") {
      return .unsupported("packedFile")
    }
    return meaning(of: text)
  }

  private var errorText: String {
    archive_error_string(archive).map { String(cString: $0).lowercased() } ?? ""
  }

  private func meaning(of text: String) -> PressFault {
    if text.contains("encrypt") || text.contains("passphrase") {
      return file.lock
    }
    if text.contains("support") || text.contains("volume") || text.contains("solid") {
      return .unsupportedArchive(file.format)
    }
    return .damaged(file.format)
  }
}
