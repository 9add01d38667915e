internal import Bytes
internal import CMarkdown
internal import PressProtocol

/// A book that is one file of plain text or Markdown, as the files of an EPUB.
struct TextBook {
  let package: EPUBPackage
  /// The files by their names in the archive that the book would be.
  let files: [String: [UInt8]]

  /// A part of the book that begins with a heading.
  private struct Chapter {
    var title = ""
    /// The body of the chapter as XHTML.
    var body = ""
  }

  private static let name = "book.opf"
  /// The maximum size of a text in bytes; the longest novels have a tenth of it.
  static let bytesMax = 32 << 20

  /// Reads a text; nil if it is empty.
  init?(_ bytes: [UInt8]) {
    let text = TextDecoder.text(bytes)
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    let isMarkdown = Self.isMarkdown(text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let chapters = isMarkdown ? Self.markdown(lines) : Self.plain(lines)
    let title =
      isMarkdown ? chapters.first { !$0.title.isEmpty }?.title : Self.field("Title", lines)
    var files: [String: [UInt8]] = [:]
    for (index, chapter) in chapters.enumerated() {
      files["\(index).xhtml"] = Array(Self.document(chapter).utf8)
    }
    let author = isMarkdown ? nil : Self.field("Author", lines)
    files[Self.name] = Array(
      Self.package(chapters, title: title ?? "", author: author ?? "").utf8
    )
    files["contents.xhtml"] = Array(Self.contents(chapters).utf8)
    guard let root = files[Self.name].flatMap(XMLElement.init) else { return nil }
    (package, self.files) = (EPUBPackage(root, path: Self.name, format: .text), files)
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

  // MARK: Files

  private static func document(_ chapter: Chapter) -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title>\(escaped(chapter.title))</title>
    <style>.lines{text-indent:0;text-align:start;margin:.6em 0 .6em 1.5em}
    pre{font-size:.85em}p+p.lines{text-indent:0}</style></head><body>\(chapter.body)</body></html>
    """
  }

  private static func package(_ chapters: [Chapter], title: String, author: String) -> String {
    let items = chapters.indices.map { index in
      "<item id=\"c\(index)\" href=\"\(index).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }
    let spine = chapters.indices.map { "<itemref idref=\"c\($0)\"/>" }
    return """
      <package><metadata><title>\(escaped(title))</title><creator>\(escaped(author))</creator>
      </metadata><manifest>\(items.joined())
      <item id="nav" properties="nav" href="contents.xhtml"/></manifest>
      <spine>\(spine.joined())</spine></package>
      """
  }

  private static func contents(_ chapters: [Chapter]) -> String {
    let lines = chapters.enumerated().filter { !$0.element.title.isEmpty }.map { index, chapter in
      "<li><a href=\"\(index).xhtml\">\(escaped(chapter.title))</a></li>"
    }
    return """
      <html><body><nav type="toc"><ol>\(lines.joined())</ol></nav></body></html>
      """
  }

  private static func escaped(_ text: String) -> String { Markup.escaped(text) }
}

/// Decodes texts that do not say how they are encoded.
enum TextDecoder {
  /// The characters of Windows-1252 from 0x80 to 0x9F; 0 for those that it leaves out.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// Returns the text of a file in UTF-8, UTF-16 with a mark, or else Windows-1252, with line feeds
  /// at the ends of its lines.
  static func text(_ bytes: [UInt8]) -> String {
    let decoded: String
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isBig = bytes[0] == 0xFE
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBig ? first << 8 | second : second << 8 | first
      }
      decoded = String(decoding: units, as: UTF16.self)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      decoded = text
    } else {
      var text = String.UnicodeScalarView()
      for byte in bytes {
        let value = 0x80...0x9F ~= byte ? windows[Int(byte) - 0x80] : UInt32(byte)
        text.append(Unicode.Scalar(value) ?? " ")
      }
      decoded = String(text)
    }
    var text = String.UnicodeScalarView()
    for scalar in decoded.unicodeScalars where scalar != "\r" && scalar != "\u{FEFF}" {
      let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
      if scalar == "\u{C}" || scalar == "\u{B}" {
        text.append("\n")
      } else if !isControl {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// Whether the first bytes of a file are text: letters and line ends, and no other controls.
  static func isText(_ head: ArraySlice<UInt8>) -> Bool {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      return head.count >= 4
    }
    let isPlain = head.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0C, 0x0D].contains($0)
    }
    guard isPlain, let first = head.first(where: { $0 > 0x20 }) else { return false }
    // Markup and data, which are no books.
    return first != UInt8(ascii: "<") && first != UInt8(ascii: "{")
  }
}
