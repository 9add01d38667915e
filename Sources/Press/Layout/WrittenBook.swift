internal import Bytes
internal import PressProtocol

/// The parts of a book that is not an EPUB, from which the files of one are made.
struct WrittenBook {
  /// A part of the book that begins on a page of its own.
  struct Chapter {
    /// The title in the table of contents; empty if it is not there.
    var title = ""
    /// The body as XHTML.
    var body = ""
    /// Entries of the table of contents in it, each with its id in the body.
    var sections: [(title: String, id: String)] = []
  }

  var title = ""
  var author = ""
  var language = ""
  /// The chapters; the file of each is ``name(ofChapter:)``.
  var chapters: [Chapter] = []
  /// The style sheet of all chapters.
  var style = ""
  /// Pictures by the names of their files.
  var pictures: [String: [UInt8]] = [:]
  /// The name of the picture on the cover; empty if there is none.
  var cover = ""

  private static let name = "book.opf"

  static func name(ofChapter index: Int) -> String { "\(index).xhtml" }

  /// Returns the book as the files of an EPUB; nil if it has no chapters.
  func publication(_ format: DocumentFormat) -> Publication? {
    guard !chapters.isEmpty else { return nil }
    var files = pictures
    for (index, chapter) in chapters.enumerated() {
      files[Self.name(ofChapter: index)] = Array(document(chapter).utf8)
    }
    files["contents.xhtml"] = Array(contents.utf8)
    guard let root = XMLElement(Array(package.utf8)) else { return nil }
    return Publication(files, EPUBPackage(root, path: Self.name, format: format))
  }

  private func document(_ chapter: Chapter) -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml"><head><title>\(escaped(chapter.title))</title>
    <style>\(style)</style></head><body>\(chapter.body)</body></html>
    """
  }

  private var package: String {
    let items = chapters.indices.map { index in
      let name = Self.name(ofChapter: index)
      return "<item id=\"c\(index)\" href=\"\(name)\" media-type=\"application/xhtml+xml\"/>"
    }
    let spine = chapters.indices.map { "<itemref idref=\"c\($0)\"/>" }
    let front =
      cover.isEmpty ? "" : "<item id=\"v\" properties=\"cover-image\" href=\"\(escaped(cover))\"/>"
    return """
      <package><metadata><title>\(escaped(title))</title><creator>\(escaped(author))</creator>
      <language>\(escaped(language))</language></metadata><manifest>\(items.joined())\(front)
      <item id="nav" properties="nav" href="contents.xhtml"/></manifest>
      <spine>\(spine.joined())</spine></package>
      """
  }

  private var contents: String {
    let lines = chapters.enumerated().filter { !$0.element.title.isEmpty }.map { index, chapter in
      let name = Self.name(ofChapter: index)
      let inner = chapter.sections.map { section in
        "<li><a href=\"\(name)#\(escaped(section.id))\">\(escaped(section.title))</a></li>"
      }
      let list = inner.isEmpty ? "" : "<ol>\(inner.joined())</ol>"
      return "<li><a href=\"\(name)\">\(escaped(chapter.title))</a>\(list)</li>"
    }
    return "<html><body><nav type=\"toc\"><ol>\(lines.joined())</ol></nav></body></html>"
  }

  private func escaped(_ text: String) -> String { Markup.escaped(text) }
}
