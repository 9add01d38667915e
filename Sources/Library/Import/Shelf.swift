internal import Bytes
internal import PressProtocol

/// The key of a collection: a folder of the library, or a name under which books were imported.
enum Shelf {
  /// The collection of imported books for which no collection was given.
  static let imported = own("Imported")

  static func folder(_ relative: String) -> String { "dir:" + relative }
  static func own(_ title: String) -> String { "own:" + title }

  /// Whether a text is the key of a collection.
  static func isKey(_ text: String) -> Bool {
    (text.hasPrefix("dir:") || text.hasPrefix("own:")) && text.utf8.count <= 4096
  }

  static func isFolder(_ key: String) -> Bool { key.hasPrefix("dir:") }

  /// Returns the permanent id, as used in addresses.
  static func publicID(_ key: String) -> String { String(FNV1a.hash(key.utf8), radix: 36) }

  /// Returns the title; for the library's own folder, its name.
  ///
  /// A process without a folder uses the title that the process with the folder has published.
  static func title(_ key: String, root: String?, published: [String: String] = [:]) -> String {
    if root == nil, let title = published[key] { return title }
    let name = String(key.dropFirst(4))
    guard isFolder(key) else { return name }
    guard !name.isEmpty else {
      return root?.split(separator: "/").last.map { Titles.ofFolder(String($0)) } ?? "Library"
    }
    return name.split(separator: "/").map { Titles.ofFolder(String($0)) }
      .joined(separator: " / ")
  }

  /// Orders the library's own folder first, then its subfolders, then imported collections.
  static func precedes(_ a: String, _ b: String) -> Bool {
    guard isFolder(a) == isFolder(b) else { return isFolder(a) }
    return NaturalOrder(String(a.dropFirst(4))) < NaturalOrder(String(b.dropFirst(4)))
  }
}

/// Derives titles from names.
enum Titles {
  /// Returns the title for the name of a folder: `02-reading-room` becomes “Reading room”.
  static func ofFolder(_ name: String) -> String {
    let words = name.map { $0 == "_" || $0 == "-" ? " " : $0 }
    let number = words.prefix { $0.isNumber || $0 == " " || $0 == "." }
    let rest = number.last == " " ? words.dropFirst(number.count) : words[...]
    let text = String(rest).split(separator: " ").joined(separator: " ")
    guard let first = text.first else { return name }
    return first.uppercased() + text.dropFirst()
  }

  /// Returns the title for the name of a file: `war_and_peace.pdf` becomes “war and peace”.
  ///
  /// Numbers stay, because they may distinguish the volumes of a series.
  static func ofFile(_ name: String) -> String {
    let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name[...] }
    let words = (stem ?? name[...]).split { $0 == "_" || $0.isWhitespace || $0.isNewline }
    return words.isEmpty ? name : words.joined(separator: " ")
  }

  // MARK: Titles in documents

  /// Titles that programs give to every document, in small letters and without a number at the end.
  private static let generic: Set<String> = [
    "untitled", "untitled document", "unbenannt", "sans titre", "sin título", "senza titolo",
    "no title", "title", "document", "dokument", "doc", "new document", "book", "buch", "layout",
    "slide", "folie", "diapositive", "presentation", "präsentation", "powerpoint presentation",
    "powerpoint-präsentation", "présentation powerpoint", "microsoft word", "page", "seite", "scan",
    "scanned document", "image", "print", "cover", "unknown", "none", "null", "default", "test",
  ]

  /// The endings of files from which documents are made or in which they are stored.
  private static let endings: Set<String> = [
    "doc", "docx", "odt", "rtf", "txt", "tex", "dvi", "ps", "pdf", "eps", "ppt", "pptx", "pps",
    "odp",
    "xls", "xlsx", "indd", "indb", "idml", "qxd", "qxp", "pmd", "p65", "fm", "pub", "cdr",
    "ai", "psd", "pages",
    "key",
    "htm", "html", "xhtml", "epub", "jpg", "jpeg", "png", "tif", "tiff", "wpd", "sxw", "md", "djvu",
  ]

  /// Whether a title of a document says more than the name of its file: it is not empty, not what a
  /// program gives to every document, and neither a file, a path nor an address.
  static func isMeaningful(_ title: String) -> Bool {
    // Some programs write the mark of UTF-16 before nothing, which is read as two letters.
    let small = title.replacing("þÿ", with: "").lowercased()
    guard small.contains(where: { $0.isLetter || $0.isNumber }) else { return false }
    let words = small.drop { !$0.isLetter }
    let end = words.lastIndex { !($0.isNumber || " -_.()#".contains($0)) }
    let name = end.map { words[...$0] } ?? ""
    // A number alone can be a title, such as 1984.
    if !name.isEmpty, generic.contains(String(name)) { return false }
    for program in ["word", "powerpoint", "excel", "publisher"]
    where small.hasPrefix("microsoft \(program) - ") { return false }
    for start in ["http://", "https://", "www.", "file:", "mailto:", "/"]
    where small.hasPrefix(start) { return false }
    if small.dropFirst().hasPrefix(":\\") || small.hasPrefix("\\\\") { return false }
    return !endings.contains(FileKinds.ending(of: small))
  }
}
