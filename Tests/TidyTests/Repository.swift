import Foundation

/// A text file of the repository.
struct TextFile: Sendable {
  /// The path from the root of the repository.
  let path: String

  /// The whole text.
  let text: String

  /// The lines, without line ends.
  let lines: [String]

  /// Whether the last line has a line end.
  let endsWithNewline: Bool
}

/// The hand-written files of the repository.
enum Repository {
  /// The root of the repository, two folders above this one.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Folders of generated or downloaded files, and of inputs for parsers.
  private static let skipped: Set<String> = [
    ".build", ".git", ".venv", "__pycache__", "out", "node_modules", "fonts", "Corpus",
  ]

  /// Extensions of the files to which the text rules apply; scripts have none.
  private static let endings: Set<String> = [
    "swift", "c", "h", "js", "mjs", "css", "html", "py", "md", "",
  ]

  /// The names of the entries at the root of the repository.
  static func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }

  /// Returns the paths of all files in a folder, or the file itself, sorted.
  static func paths(under folder: String) -> [String] {
    let start = root.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
    var found: [String] = []
    while let path = walk.nextObject() as? String {
      if skipped.contains((path as NSString).lastPathComponent) {
        walk.skipDescendants()
      } else if isFile(folder + "/" + path) {
        found.append(folder + "/" + path)
      }
    }
    return found.sorted()
  }

  /// Returns the size of a file in bytes.
  static func size(of path: String) throws -> Int {
    try Data(contentsOf: root.appending(path: path)).count
  }

  /// Returns whether a path is a file and not a folder.
  static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let full = root.appending(path: path).path
    return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
      && !isFolder.boolValue
  }

  /// Reads a text file.
  static func read(_ path: String) throws -> TextFile {
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let endsWithNewline = lines.last?.isEmpty ?? true
    if endsWithNewline { lines.removeLast() }
    return TextFile(path: path, text: text, lines: lines, endsWithNewline: endsWithNewline)
  }

  /// Returns all hand-written text: code, pages, scripts and articles, without licences and data.
  static func texts() throws -> [TextFile] {
    var paths = ["Sources", "Tests", "Web", "Scripts", ".ci", ".github"].flatMap(Self.paths(under:))
    paths += ["Package.swift", "README.md", "CHANGELOG.md"].filter(isFile)
    return
      try paths
      .filter { endings.contains(($0 as NSString).pathExtension) }
      .filter { !($0 as NSString).lastPathComponent.hasPrefix("LICENSE") }
      .map(read)
  }

  /// Returns the Swift sources in a folder.
  static func swift(under folder: String) throws -> [TextFile] {
    try paths(under: folder).filter { $0.hasSuffix(".swift") }.map(read)
  }
}

extension TextFile {
  /// The extension of the file's name, empty for a script.
  var ending: String { (path as NSString).pathExtension }

  /// The modules that a Swift file imports.
  var imports: [String] {
    lines.compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let keyword = words.firstIndex(of: "import"), keyword <= 2 else { return nil }
      let before = words[..<keyword]
      guard before.allSatisfy({ Self.importPrefixes.contains($0) }) else { return nil }
      let after = words[(keyword + 1)...].filter { !Self.importKinds.contains($0) }
      return after.first?.split(separator: ".").first.map(String.init)
    }
  }

  private static let importPrefixes: Set<String> = [
    "public", "package", "internal", "private", "fileprivate", "@testable", "@preconcurrency",
  ]

  private static let importKinds: Set<String> = [
    "struct", "class", "enum", "func", "protocol", "var", "let", "typealias",
  ]

  /// Returns the path and line number of each line that satisfies a condition.
  func places(where isHit: (String) -> Bool) -> [String] {
    zip(1..., lines).filter { isHit($0.1) }.map { "\(path):\($0.0)" }
  }

  /// Returns the path and line number of each import that lets a module be part of an interface.
  func placesThatShow(_ module: String) -> [String] {
    places { line in
      ["public", "package"].contains { line.hasPrefix("\($0) import \(module)") }
    }
  }

  /// Returns the path and line number of each line that contains one of the words.
  func places(ofAny words: [String]) -> [String] {
    // Most files contain none, and bytes are compared fastest.
    let contained = words.filter { strstr(text, $0) != nil }
    if contained.isEmpty { return [] }
    return places { line in contained.contains { line.contains($0) } }
  }
}
