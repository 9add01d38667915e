internal import CPoppler
internal import PressProtocol

/// The files of an EPUB, as its pages request them.
final class Publication {
  /// A file and its media type.
  struct Resource {
    let type: String
    let bytes: [UInt8]
  }

  let package: EPUBPackage
  private let files: [String: [UInt8]]
  private let types: [String: String]
  /// The names of the files to show instead of pictures whose types are not supported.
  private let substitutes: [String: String]
  /// The keys of obfuscated fonts, and how many bytes each hides.
  private let masks: [String: (key: [UInt8], count: Int)]

  /// The maximum size of all files of a book, in bytes.
  static let bytesMax = 512 << 20

  /// Reads all files of a book into memory.
  convenience init(
    _ file: ArchiveFile,
    _ package: EPUBPackage,
    _ limits: PressLimits
  ) throws(PressFault) {
    var files: [String: [UInt8]] = [:]
    var total = 0
    let pass = try ArchivePass(file, limits)
    while let entry = try pass.next() {
      guard Self.isShown(entry.title) else { continue }
      let bytes = try pass.contents(of: entry)
      total += bytes.count
      guard total <= Self.bytesMax else { throw .archiveTooLarge(limit: Self.bytesMax) }
      files[entry.title] = bytes
    }
    self.init(files, package)
  }

  /// Creates a publication of files in memory.
  init(_ files: [String: [UInt8]], _ package: EPUBPackage) {
    (self.files, self.package) = (files, package)
    types = Dictionary(package.files.values.map { ($0.name, $0.type) }) { first, _ in first }
    let pictures = package.files.values.filter { $0.type.hasPrefix("image/") }
    substitutes = Dictionary(pictures.map { ($0.name, package.supported($0).name) }) { first, _ in
      first
    }
    masks = Self.masks(files["META-INF/encryption.xml"], package.identifier)
  }

  /// Sounds and films are not shown, and can be large.
  private static func isShown(_ name: String) -> Bool {
    let endings = ["mp3", "m4a", "mp4", "m4v", "webm", "ogg", "opus", "wav", "aac", "mov", "js"]
    return !endings.contains { name.lowercased().hasSuffix("." + $0) }
  }

  /// Returns a file by its name in the archive; nil if there is none.
  func resource(_ name: String) -> Resource? {
    let name = substitutes[name] ?? name
    guard var bytes = files[name] else { return nil }
    if let mask = masks[name], !mask.key.isEmpty {
      for index in 0..<min(mask.count, bytes.count) {
        bytes[index] ^= mask.key[index % mask.key.count]
      }
    }
    return Resource(type: type(of: name), bytes: bytes)
  }

  /// Returns the media type of a file: that which browsers need, whatever the book declares.
  func type(of name: String) -> String {
    let endings = [
      "css": "text/css", "xhtml": "application/xhtml+xml", "html": "application/xhtml+xml",
      "htm": "application/xhtml+xml", "svg": "image/svg+xml", "jpg": "image/jpeg",
      "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
      "ttf": "font/ttf", "otf": "font/otf", "woff": "font/woff", "woff2": "font/woff2",
    ]
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    let declared = types[name] ?? ""
    return declared.isEmpty || declared.contains("font") || declared == "application/octet-stream"
      ? endings[ending] ?? "application/octet-stream" : declared
  }

  /// Returns the keys with which the first bytes of fonts are obfuscated, by the fonts' names.
  private static func masks(
    _ encryption: [UInt8]?,
    _ identifier: String
  ) -> [String: (key: [UInt8], count: Int)] {
    guard let list = encryption.flatMap(XMLElement.init) else { return [:] }
    var masks: [String: (key: [UInt8], count: Int)] = [:]
    list.forEach { element in
      guard element.name == "EncryptedData" else { return }
      var address: String?
      element.forEach { if $0.name == "CipherReference" { address = $0.attributes["URI"] } }
      guard let name = address.flatMap({ EPUBPackage.resolve($0, from: "") }) else { return }
      switch element.first("EncryptionMethod")?.attributes["Algorithm"] {
      case "http://www.idpf.org/2008/embedding":
        masks[name] = (sha1(identifier.filter { !$0.isWhitespace }), 1_040)
      case "http://ns.adobe.com/pdf/enc#RC": masks[name] = (uuid(identifier), 1_024)
      default: break
      }
    }
    return masks
  }

  private static func sha1(_ text: String) -> [UInt8] {
    let checksum = g_checksum_new(G_CHECKSUM_SHA1)
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, Array(text.utf8), text.utf8.count)
    var bytes = [UInt8](repeating: 0, count: 20)
    var count = gsize(bytes.count)
    g_checksum_get_digest(checksum, &bytes, &count)
    return bytes
  }

  /// Returns the 16 bytes of a UUID in a text; none if it contains none.
  private static func uuid(_ text: String) -> [UInt8] {
    let digits = text.split(separator: ":").last?.filter(\.isHexDigit) ?? ""
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == 32 else { return [] }
    return stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) }
  }
}
