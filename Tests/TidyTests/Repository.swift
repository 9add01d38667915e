import Foundation

/// A text file of the repository.
struct TextFile: Sendable {
  /// The path from the top of the repository.
  let path: String

  /// The lines, without their line ends.
  let lines: [String]

  /// Whether the last line is ended, as every line should be.
  let endsWithNewline: Bool
}

/// The files of the repository that people write.
enum Repository {
  /// The top of the repository, two folders above this one.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Folders of things made or fetched, not written.
  private static let skipped: Set<String> = [
    ".build", ".git", ".venv", "__pycache__", "out", "node_modules", "fonts",
  ]

  /// Endings of the files held to the rules of text; those without one are scripts.
  private static let endings: Set<String> = [
    "swift", "c", "h", "js", "mjs", "css", "html", "py", "md", "",
  ]

  /// The names of what lies directly in the repository.
  static func topLevel() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
  }

  /// The paths of all files under a folder, or the file itself, sorted.
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

  /// The size of a file in bytes.
  static func size(of path: String) throws -> Int {
    try Data(contentsOf: root.appending(path: path)).count
  }

  /// Whether a path is a file and not a folder.
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
    return TextFile(path: path, lines: lines, endsWithNewline: endsWithNewline)
  }

  /// All written text: code, pages, scripts and articles, not licence texts and data.
  static func texts() throws -> [TextFile] {
    var paths = ["Sources", "Tests", "Web", "Scripts", ".ci"].flatMap(Self.paths(under:))
    paths += ["Package.swift", "README.md", "CHANGELOG.md"].filter(isFile)
    return
      try paths
      .filter { endings.contains(($0 as NSString).pathExtension) }
      .filter { !($0 as NSString).lastPathComponent.hasPrefix("LICENSE") }
      .map(read)
  }

  /// The Swift sources under a folder.
  static func swift(under folder: String) throws -> [TextFile] {
    try paths(under: folder).filter { $0.hasSuffix(".swift") }.map(read)
  }
}

extension TextFile {
  /// The ending of the file's name, empty for a script.
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

  /// The places, as path and line number, of the lines that satisfy a condition.
  func places(where isHit: (String) -> Bool) -> [String] {
    zip(1..., lines).filter { isHit($0.1) }.map { "\(path):\($0.0)" }
  }
}
