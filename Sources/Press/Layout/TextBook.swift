internal import Bytes
internal import CMarkdown
internal import PressProtocol

/// A book that is one file of plain text or Markdown.
struct TextBook {
  let publication: Publication

  private typealias Chapter = WrittenBook.Chapter

  /// The maximum size of a text in bytes; the longest novels have a tenth of it.
  static let bytesMax = 32 << 20

  /// Reads a text; nil if it is empty.
  init?(_ bytes: [UInt8]) {
    let text = TextDecoder.text(bytes)
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    let isMarkdown = Self.isMarkdown(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var book = WrittenBook()
    book.chapters = isMarkdown ? Self.markdown(lines) : Self.plain(lines)
    if isMarkdown {
      book.title = book.chapters.first { !$0.title.isEmpty }?.title ?? ""
    } else {
      book.title = Self.field("Title", lines) ?? ""
      book.author = Self.field("Author", lines) ?? ""
    }
    book.style = """
      .lines{text-indent:0;text-align:start;margin:.6em 0 .6em 1.5em}
      pre{font-size:.85em}p+p.lines{text-indent:0}
      """
    guard let publication = book.publication(.text) else { return nil }
    self.publication = publication
  }

  // MARK: Chapters

  /// Whether a text has marks of Markdown: headings, lists and links at the starts of lines.
  private static func isMarkdown(_ text: String) -> Bool {
    text.split(separator: "\n").prefix(2000).contains { line in
      line.prefixMatch(of: /#{1,6} \S/) != nil || line.prefixMatch(of: /\[[^\]]+\]\([^)]+\)/) != nil
        || line.hasPrefix("```")
    }
  }

  private static func markdown(_ lines: [Substring]) -> [Chapter] {
    var parts: [[Substring]] = [[]]
    var isCode = false
    for line in lines {
      if line.hasPrefix("```") || line.hasPrefix("~~~") { isCode.toggle() }
      let begins = !isCode && (line.hasPrefix("# ") || line.hasPrefix("## "))
      if begins, parts[parts.count - 1].contains(where: { !$0.isEmpty }) { parts.append([]) }
      parts[parts.count - 1].append(line)
    }
    return parts.map { part in
      let heading = part.first { !$0.isEmpty }.map(String.init) ?? ""
      let title = heading.hasPrefix("#") ? heading.drop { $0 == "#" || $0 == " " } : ""
      return Chapter(title: String(title), body: html(part.joined(separator: "\n")))
    }
  }

  private static func html(_ markdown: String) -> String {
    var output: [UInt8] = []
    let input = Array(markdown.utf8)
    withUnsafeMutablePointer(to: &output) { output in
      _ = input.withUnsafeBytes { buffer in
        md_html(
          buffer.baseAddress?.assumingMemoryBound(to: MD_CHAR.self),
          MD_SIZE(clamping: buffer.count),
          { text, count, output in
            guard let text, let output else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            output.assumingMemoryBound(to: [UInt8].self).pointee += bytes
          },
          output,
          lectern_markdown,
          UInt32(MD_HTML_FLAG_XHTML)
        )
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The length from which a line is taken for one of prose that was broken by a program.
  private static let proseMin = 45

  private static func plain(_ lines: [Substring]) -> [Chapter] {
    var chapters = [Chapter()]
    for paragraph in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }) {
      let lines = paragraph.map { String($0).trimmed }
      if lines.count <= 2, isHeading(lines[0]) {
        let title = lines.joined(separator: " ")
        chapters.append(Chapter(title: title, body: "<h2>\(escaped(title))</h2>"))
        continue
      }
      // Lines that are short on purpose, as those of a poem, stay apart.
      let isProse = lines.dropLast().allSatisfy { $0.utf8.count >= proseMin }
      let text = lines.map(escaped).joined(separator: isProse ? " " : "<br/>")
      chapters[chapters.count - 1].body +=
        isProse ? "<p>\(text)</p>" : "<p class=\"lines\">\(text)</p>"
    }
    return chapters.filter { !$0.body.isEmpty }
  }

  /// The words with which headings of chapters begin, before their number or name.
  private static let headings: Set = [
    "chapter", "part", "book", "kapitel", "teil", "buch", "chapitre", "partie", "capítulo",
    "capitolo", "parte", "hoofdstuk", "глава", "часть",
  ]

  private static func isHeading(_ line: String) -> Bool {
    guard line.count <= 60 else { return false }
    let first = line.lowercased().prefix { $0.isLetter }
    return headings.contains(String(first)) && first.count < line.count
      || line.wholeMatch(of: /[IVXLC]{1,8}\.?/) != nil
  }

  /// Returns a field at the start of a file of Project Gutenberg.
  private static func field(_ name: String, _ lines: [Substring]) -> String? {
    lines.prefix(40).first { $0.hasPrefix(name + ":") }
      .map { String($0.dropFirst(name.count + 1)).trimmed }
  }

  private static func escaped(_ text: String) -> String { Markup.escaped(text) }
}
