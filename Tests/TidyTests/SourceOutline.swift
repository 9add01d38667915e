/// The types and functions of a Swift source, as far as counting needs them.
///
/// The outline follows braces and parentheses, and recognises comments and strings, but nothing
/// else of the language.
struct SourceOutline {
  /// A function or an initializer.
  struct Function {
    let name: String
    /// The line of its opening brace, from 1.
    let line: Int
    /// The lines from its opening brace to its closing one, both included.
    let length: Int
  }

  /// The number of stored properties that each type declares, by the type's path.
  private(set) var storedProperties: [String: Int] = [:]
  private(set) var functions: [Function] = []

  private enum Kind: Equatable {
    case type(String)
    /// A protocol, whose functions have no bodies.
    case requirements
    case function(String)
    /// The block of a property without a value: it is stored only if the block observes it.
    case accessors(names: Int)
    case other
  }

  private struct Block {
    let kind: Kind
    let line: Int
    /// The unfinished statement at the beginning of the block.
    let statement: Statement
  }

  private struct Statement {
    var text = ""
    /// The number of open parentheses and brackets.
    var depth = 0
  }

  private var blocks: [Block] = []
  private var statement = Statement()

  /// Outlines a source.
  init(_ text: String) {
    var line = 1
    for character in CodeText(text) {
      take(character, line: line)
      if character == "\n" { line += 1 }
    }
  }

  private mutating func take(_ character: Character, line: Int) {
    switch character {
    case "{": open(line: line)
    case "}": close(line: line)
    case "\n" where statement.depth == 0 && !continues: finish()
    case ";" where statement.depth == 0: finish()
    default:
      if "([".contains(character) { statement.depth += 1 }
      if ")]".contains(character) { statement.depth -= 1 }
      if !statement.text.isEmpty || !character.isWhitespace { statement.text.append(character) }
    }
  }

  private mutating func open(line: Int) {
    let declaration = Declaration(statement.text)
    var kind = Kind.other
    if statement.depth == 0 {
      switch declaration.keyword {
      case "struct", "class", "actor", "enum", "extension": kind = .type(declaration.name)
      case "protocol": kind = .requirements
      case "func", "init": kind = .function(declaration.name)
      case "var" where isInType && !declaration.hasValue && !declaration.isStatic:
        kind = .accessors(names: declaration.boundNames)
      case "var", "let": break
      default: finish()
      }
    }
    blocks.append(Block(kind: kind, line: line, statement: statement))
    statement = Statement()
  }

  private mutating func close(line: Int) {
    finish()
    guard let block = blocks.popLast() else { return }
    switch block.kind {
    case .function(let name):
      let length = line - block.line + 1
      functions.append(Function(name: name, line: block.line, length: length))
    case .other: statement = block.statement
    default: break
    }
  }

  /// Ends a statement, and counts it if it declares stored properties.
  private mutating func finish() {
    let declaration = Declaration(statement.text)
    if case .accessors(let names) = blocks.last?.kind {
      let word = statement.text.prefix { $0.isLetter }
      if blocks.count > 1, word == "didSet" || word == "willSet" {
        note(names, in: blocks.dropLast())
      }
    } else if isInType, ["var", "let"].contains(declaration.keyword), !declaration.isStatic {
      note(declaration.boundNames, in: blocks[...])
    }
    statement = Statement()
  }

  /// Whether the end of a line does not end the statement, because a body may follow.
  private var continues: Bool {
    blocks.last?.kind != .requirements
      && !["", "var", "let"].contains(Declaration(statement.text).keyword)
  }

  private var isInType: Bool {
    if case .type = blocks.last?.kind { true } else { false }
  }

  private mutating func note(_ count: Int, in blocks: ArraySlice<Block>) {
    let path = blocks.compactMap { if case .type(let name) = $0.kind { name } else { nil } }
    storedProperties[path.joined(separator: "."), default: 0] += count
  }
}

/// The beginning of a declaration.
private struct Declaration {
  /// The keyword of the declaration; empty if the text declares nothing.
  let keyword: Substring
  let name: String
  let isStatic: Bool
  private let rest: Substring

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "static", "lazy",
    "weak", "unowned", "mutating", "nonmutating", "override", "required", "convenience",
    "indirect", "nonisolated", "unsafe", "borrowing", "consuming", "class",
  ]
  private static let keywords: Set<Substring> = [
    "struct", "class", "actor", "enum", "extension", "protocol", "func", "init", "var", "let",
  ]

  init(_ text: String) {
    var rest = text[...]
    var isStatic = false
    while true {
      rest = rest.drop { $0.isWhitespace }
      let word = rest.prefix { $0.isLetter || $0 == "@" }
      let after = rest[word.endIndex...].drop { $0 == " " }
      let isModifier = Self.modifiers.contains(word) && !(word == "class" && Self.isName(after))
      guard isModifier || word.hasPrefix("@") else { break }
      isStatic = isStatic || word == "static" || word == "class"
      rest = rest[word.endIndex...].drop { $0.isLetter }
      if rest.first == "(" { rest = rest.drop { $0 != ")" }.dropFirst() }
    }
    let word = rest.prefix { $0.isLetter }
    keyword = Self.keywords.contains(word) ? word : ""
    self.rest = rest.dropFirst(keyword.count)
    self.isStatic = isStatic
    let name = self.rest.drop { $0 == " " || $0 == "?" }
      .prefix { !" (<:{\n".contains($0) }
    self.name = name.isEmpty ? String(keyword) : String(name)
  }

  /// Returns whether the text after `class` begins with a class's name, so that `class` is no
  /// modifier.
  private static func isName(_ text: Substring) -> Bool {
    let word = text.prefix { $0.isLetter }
    return !keywords.contains(word) && !modifiers.contains(word)
  }

  /// Whether the declaration has a value, and therefore no accessors.
  var hasValue: Bool { rest.contains("=") }

  /// The number of names that a property declaration binds.
  var boundNames: Int {
    var depth = 0
    var count = 0
    var expectsName = true
    for character in rest {
      switch character {
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      case "," where depth == 0: expectsName = true
      case "=" where depth == 0: expectsName = false
      default:
        guard expectsName, depth == 0, character.isLetter || character == "_" else { continue }
        (expectsName, count) = (false, count + 1)
      }
    }
    return count
  }
}

/// The characters of a Swift source that are code, without comments and with empty strings.
private struct CodeText: Sequence, IteratorProtocol {
  private let text: [Character]
  private var place = 0

  init(_ text: String) { self.text = Array(text) }

  mutating func next() -> Character? {
    while place < text.count {
      if starts(with: "//") {
        while place < text.count, text[place] != "\n" { place += 1 }
      } else if starts(with: "\"\"\"") {
        return skipString(to: "\"\"\"")
      } else if text[place] == "\"" {
        return skipString(to: "\"")
      } else if starts(with: "#\"") {
        return skipString(to: "\"#")
      } else {
        defer { place += 1 }
        return text[place]
      }
    }
    return nil
  }

  private func starts(with word: String) -> Bool {
    text[place...].prefix(word.count).elementsEqual(word)
  }

  /// Skips a string; the line ends inside it do not count, because no limit needs them.
  private mutating func skipString(to end: String) -> Character {
    place += end.count
    let isRaw = end.hasSuffix("#")
    while place < text.count, !starts(with: end) {
      if !isRaw, starts(with: "\\(") {
        skipInterpolation()
      } else {
        place += !isRaw && text[place] == "\\" ? 2 : 1
      }
    }
    place += end.count
    return "_"
  }

  private mutating func skipInterpolation() {
    place += 2
    var depth = 1
    while place < text.count, depth > 0 {
      if text[place] == "\"" {
        _ = skipString(to: "\"")
      } else {
        if text[place] == "(" { depth += 1 }
        if text[place] == ")" { depth -= 1 }
        place += 1
      }
    }
  }
}
