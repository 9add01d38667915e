internal import PressProtocol

/// The key of a collection: a folder of the library, or a name that books were imported under.
enum Shelf {
  /// Where imported books go that nobody said a collection for.
  static let imported = own("Imported")

  static func folder(_ relative: String) -> String { "dir:" + relative }
  static func own(_ title: String) -> String { "own:" + title }

  static func isFolder(_ key: String) -> Bool { key.hasPrefix("dir:") }

  /// The name for good, as addresses have it.
  static func publicID(_ key: String) -> String {
    String(ContentTag.hash(key.utf8), radix: 36)
  }

  /// The title; that of the library's own folder is its name.
  static func title(_ key: String, root: String?) -> String {
    let name = String(key.dropFirst(4))
    guard isFolder(key) else { return name }
    guard !name.isEmpty else {
      return root?.split(separator: "/").last.map { Titles.ofFolder(String($0)) } ?? "Library"
    }
    return name.split(separator: "/").map { Titles.ofFolder(String($0)) }
      .joined(separator: " / ")
  }

  /// The library's own folder first, then its folders, then what was imported.
  static func precedes(_ a: String, _ b: String) -> Bool {
    guard isFolder(a) == isFolder(b) else { return isFolder(a) }
    return NaturalOrder(String(a.dropFirst(4))) < NaturalOrder(String(b.dropFirst(4)))
  }
}

/// Titles for what has only a name.
enum Titles {
  /// The title a folder's name gives: `02-reading-room` is “Reading room”.
  static func ofFolder(_ name: String) -> String {
    let words = name.map { $0 == "_" || $0 == "-" ? " " : $0 }
    let number = words.prefix { $0.isNumber || $0 == " " || $0 == "." }
    let rest = number.last == " " ? words.dropFirst(number.count) : words[...]
    let text = String(rest).split(separator: " ").joined(separator: " ")
    guard let first = text.first else { return name }
    return first.uppercased() + text.dropFirst()
  }

  /// The title a file's name gives: `war_and_peace.pdf` is “war and peace”.
  ///
  /// Numbers stay: of a series they may be all that tells its volumes apart.
  static func ofFile(_ name: String) -> String {
    let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name[...] }
    let words = (stem ?? name[...]).split { $0 == "_" || $0.isWhitespace || $0.isNewline }
    return words.isEmpty ? name : words.joined(separator: " ")
  }
}
