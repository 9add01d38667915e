internal import PressProtocol

/// The package document of an EPUB on its own, as programs keep it beside a book of any format: it
/// has facts, and no pages.
final class PackageDocument: Document {
  /// The maximum size of the file, in bytes.
  static let bytesMax = 8 << 20

  let kind: DocumentFacts
  let pageCount = 0

  /// Reads the facts.
  init(_ bytes: [UInt8]) throws(PressFault) {
    guard let package = XMLElement(bytes), package.name == "package" else {
      throw .damaged(.text)
    }
    kind = EPUBPackage(package, path: "", format: .text).facts.fit
  }

  func facts() throws(PressFault) -> DocumentFacts { kind }
}
