internal import PressProtocol

/// Detects the kind of a file from its first bytes, whatever its name is.
enum Magic {
  /// The number of bytes that are examined.
  static let headBytes = 1_024

  /// Returns the kind of a file from its first ``headBytes`` bytes or fewer.
  static func kind(of head: ArraySlice<UInt8>) -> Source.Kind {
    if image(head) != nil { return .image }
    if starts(head, "AT&TFORM") { return .djvu }
    if let format = archive(head) { return .archive(format) }
    if starts(head, "BOOKMOBI", at: 60) || starts(head, "TEXtREAd", at: 60) { return .mobi }
    if isMarkup(head), find("<FictionBook", in: head) { return .fictionBook }
    if isMarkup(head), find("<package", in: head), find("idpf.org/2007/opf", in: head) {
      return .package
    }
    // Other data may precede it.
    if find("%PDF-", in: head) { return .pdf }
    return TextDecoder.isText(head) ? .text : .unknown
  }

  /// Returns the kind of an archive.
  static func archive(_ head: ArraySlice<UInt8>) -> DocumentFormat? {
    if starts(head, "PK\u{3}\u{4}") || starts(head, "PK\u{5}\u{6}") || starts(head, "PK00PK") {
      // The name of the first entry begins at byte 30, and its contents follow.
      return starts(head, "mimetypeapplication/epub+zip", at: 30) ? .epub : .zip
    }
    if starts(head, "Rar!\u{1A}\u{7}") { return .rar }
    if starts(head, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]) { return .sevenZip }
    if starts(head, "ustar", at: 257) { return .tar }
    // Compressed as a whole: gzip, bzip2, xz, zstd. Only a tar archive is accepted inside.
    let packed: [[UInt8]] = [
      [0x1F, 0x8B, 0x08], [0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A],
      [0x28, 0xB5, 0x2F, 0xFD],
    ]
    return packed.contains { starts(head, $0) } ? .tar : nil
  }

  /// Returns the kind of an image.
  static func image(_ head: ArraySlice<UInt8>) -> ImageFormat? {
    if starts(head, [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if starts(head, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts(head, "RIFF"), starts(head, "WEBP", at: 8) { return .webp }
    if starts(head, "GIF87a") || starts(head, "GIF89a") { return .gif }
    if starts(head, [0x49, 0x49, 0x2A, 0]) || starts(head, [0x4D, 0x4D, 0, 0x2A]) { return .tiff }
    if let format = boxed(head) { return format }
    if starts(head, "ftyp", at: 4) { return isoMedia(head) }
    return isSVG(head) ? .svg : nil
  }

  /// Recognizes JPEG XL and JPEG 2000, with or without a container.
  private static func boxed(_ head: ArraySlice<UInt8>) -> ImageFormat? {
    if starts(head, [0xFF, 0x0A]) { return .jpegXL }
    if starts(head, [0xFF, 0x4F, 0xFF, 0x51]) { return .jpeg2000 }
    guard starts(head, [0, 0, 0, 0x0C]), head.dropFirst(8).starts(with: [0x0D, 0x0A, 0x87, 0x0A])
    else { return nil }
    if starts(head, "JXL ", at: 4) { return .jpegXL }
    return starts(head, "jP  ", at: 4) ? .jpeg2000 : nil
  }

  private static func isoMedia(_ head: ArraySlice<UInt8>) -> ImageFormat? {
    if starts(head, "avif", at: 8) || starts(head, "avis", at: 8) { return .avif }
    let brands = ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"]
    guard brands.contains(where: { starts(head, $0, at: 8) }) else { return nil }
    // The brand mif1 does not determine the codec, but the brands after it do.
    return find("avif", in: head.prefix(64)) ? .avif : .heif
  }

  private static func isSVG(_ head: ArraySlice<UInt8>) -> Bool {
    isMarkup(head) && find("<svg", in: head)
  }

  /// Whether a text begins with an element or a declaration.
  private static func isMarkup(_ head: ArraySlice<UInt8>) -> Bool {
    let text = starts(head, [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head
    return text.first { $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
  }

  private static func starts(_ head: ArraySlice<UInt8>, _ text: String, at offset: Int = 0) -> Bool
  {
    head.dropFirst(offset).starts(with: text.utf8)
  }

  private static func starts(_ head: ArraySlice<UInt8>, _ bytes: [UInt8]) -> Bool {
    head.starts(with: bytes)
  }

  private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: text.utf8) }
  }
}
