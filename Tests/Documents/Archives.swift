internal import CArchive
internal import Glibc

/// Archives for tests.
package enum Archives {
  /// The formats that can be written.
  package enum Format: CaseIterable, Sendable {
    case zip
    case sevenZip
    case tar
    case packedTar
    case rar
  }

  /// An entry of an archive.
  package struct Entry: Sendable {
    /// The name as raw bytes.
    package var name: [UInt8]
    /// The contents.
    package var bytes: [UInt8]
    /// The target, if it is a symbolic link.
    package var link: String?

    /// Creates a file.
    package init(_ name: String, _ bytes: [UInt8]) { self.init(name: Array(name.utf8), bytes) }

    /// Creates a file whose name is not UTF-8.
    package init(name: [UInt8], _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }

    /// Creates a symbolic link.
    package init(_ name: String, link: String) {
      self.init(name, [])
      self.link = link
    }
  }

  /// Returns a comic whose pages have 300 x 400 pixels, each of one colour, from blue to red.
  package static func comic(pages: Int, format: Format = .zip, info: String? = nil) -> [UInt8] {
    var entries = (1...pages).map { page in
      Entry(
        "Page \(page).png",
        Images.png(width: 300, height: 400, red: UInt8(truncatingIfNeeded: 255 * page / pages))
      )
    }
    if let info { entries.append(Entry("ComicInfo.xml", Array(info.utf8))) }
    return make(entries, format)
  }

  /// Returns archives that no password opens: an encrypted 7z, and an encrypted RAR.
  package static func locked() -> (sevenZip: [UInt8], rar: [UInt8]) {
    (SevenZip.locked("Page 1.png"), RAR.locked())
  }

  /// Returns an archive with entries in their order; a ZIP archive can have a password.
  package static func make(
    _ entries: [Entry],
    _ format: Format = .zip,
    password: String? = nil
  ) -> [UInt8] {
    guard format != .rar else { return RAR.make(entries) }
    let archive = archive_write_new()
    defer { archive_write_free(archive) }
    switch format {
    case .sevenZip: archive_write_set_format_7zip(archive)
    case .tar, .packedTar: archive_write_set_format_pax_restricted(archive)
    default: archive_write_set_format_zip(archive)
    }
    if format == .packedTar { archive_write_add_filter_gzip(archive) }
    if let password {
      archive_write_set_options(archive, "zip:encryption=aes256")
      archive_write_set_passphrase(archive, password)
    }
    // Room for incompressible data and for headers.
    let room = entries.reduce(1 << 16) { $0 + $1.bytes.count + $1.name.count + 4_096 }
    var used = 0
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
      archive_write_open_memory(archive, buffer.baseAddress, room, &used)
      for entry in entries { write(entry, to: archive) }
      archive_write_close(archive)
      initialized = used
    }
  }

  private static func write(_ entry: Entry, to archive: OpaquePointer?) {
    let header = archive_entry_new()
    defer { archive_entry_free(header) }
    archive_entry_set_pathname(header, entry.name.map(CChar.init(bitPattern:)) + [0])
    archive_entry_set_perm(header, 0o644)
    if let link = entry.link {
      archive_entry_set_filetype(header, 0o120000)
      archive_entry_set_symlink(header, link)
    } else {
      archive_entry_set_filetype(header, 0o100000)
      archive_entry_set_size(header, Int64(entry.bytes.count))
    }
    archive_write_header(archive, header)
    if entry.link == nil { archive_write_data(archive, entry.bytes, entry.bytes.count) }
  }

  /// Returns an EPUB.
  ///
  /// - Parameters:
  ///   - pages: The body of each page.
  ///   - metadata: Elements of the metadata.
  ///   - progression: Attributes of the spine.
  ///   - manifest: Further items of the manifest.
  ///   - files: Additional files.
  /// - Returns: The file.
  package static func epub(
    pages: [String],
    metadata: String = "",
    progression: String = "",
    manifest: String = "",
    files: [Entry] = []
  ) -> [UInt8] {
    let items = pages.indices.map { "<item id=\"p\($0)\" href=\"text/p\($0).xhtml\"/>" }
    let spine = pages.indices.map { "<itemref idref=\"p\($0)\"/>" }
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <metadata>\(metadata)</metadata><manifest>\(items.joined())\(manifest)
      <item id="nav" properties="nav" href="nav.xhtml"/></manifest>
      <spine \(progression)>\(spine.joined())</spine></package>
      """
    let container = """
      <container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="OPS/book.opf"/></rootfiles></container>
      """
    let texts = pages.enumerated().map { index, body in
      Entry("OPS/text/p\(index).xhtml", Array("<html><body>\(body)</body></html>".utf8))
    }
    return make(
      [
        Entry("mimetype", Array("application/epub+zip".utf8)),
        Entry("META-INF/container.xml", Array(container.utf8)),
        Entry("OPS/book.opf", Array(package.utf8)),
      ] + texts + files
    )
  }
}
