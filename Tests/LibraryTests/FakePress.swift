import Foundation
import Press
import PressProtocol
import Synchronization

@testable import Library

/// A document for a fake press: lines that describe its contents.
///
/// The kinds of lines: `title`, `author`, `language`, `direction`, `password`, `fault`, `page WIDTH
/// HEIGHT LABEL`, `outline DEPTH PAGE TITLE`, `text PAGE WORDS`, `link PAGE TARGET`, and for an
/// archive `image WIDTH HEIGHT PAGE NAME`, with the width 0 for a damaged image, `double PAGE` and
/// `beside NAME`. `apart` says that wide pages take no spreads, `series NUMBER NAME` names a
/// series, `package` makes the document a description of another, and `turned` makes an image a
/// WebP of 400 x 300 that must be turned.
/// A book that must be laid out has `laid LINE` for each line of the document of its pages, and
/// `large LINE` for each line of that of large print.
struct FakeDocument {
  var lines: [String] = []

  init(_ seed: String = "", pages: Int = 0) {
    if !seed.isEmpty { lines.append("seed \(seed)") }
    lines += (0..<pages).map { _ in "page 300 400" }
  }

  init(texts: [String]) {
    self.init(pages: texts.count)
    for (page, text) in texts.enumerated() { lines.append("text \(page) \(text)") }
  }

  func with(_ line: String) -> FakeDocument {
    var copy = self
    copy.lines.append(line)
    return copy
  }

  var bytes: [UInt8] { Array(lines.joined(separator: "\n").utf8) }
}

/// Reads fake documents on the calling thread and counts the requests.
final class FakePress: Printing {
  struct State: Sendable {
    var opened: [String] = []
    var pagesRead = 0
    var layouts = 0
    /// Faults for the next documents that are opened.
    var faults: [PressFault] = []
    /// Faults for the next pages whose text is requested.
    var contentFaults: [PressFault] = []
    /// The number of headers in each request.
    var headerRequests: [Int] = []
    /// A fault for a request for headers.
    var headerFault: @Sendable ([[UInt8]]) -> PressFault? = { _ in nil }
    /// Called before each image of an archive, with its number.
    var beforeImage: (@Sendable (Int) -> Void)?
  }

  let state = Mutex(State())

  var openedCount: Int { state.withLock { $0.opened.count } }

  private func lines(_ path: String, _ kind: String) throws(PressFault) -> [[String]] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unreadable(name: path, reason: "no such file")
    }
    var found: [[String]] = []
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.first == kind { found.append(Array(words.dropFirst())) }
    }
    return found
  }

  /// The lines of the document of laid-out pages; nil for a book that has none.
  private func laidOut(
    _ path: String,
    _ size: TypeSize = .standard
  ) throws(PressFault) -> [[String]]? {
    let laid = try lines(path, size == .large ? "large" : "laid")
    return laid.isEmpty ? nil : laid
  }

  private func word(_ path: String, _ kind: String) throws(PressFault) -> String {
    try lines(path, kind).first?.joined(separator: " ") ?? ""
  }

  func facts(of path: String, password: String) throws(PressFault) -> DocumentFacts {
    let fault = state.withLock { state -> PressFault? in
      state.opened.append(path)
      return state.faults.isEmpty ? nil : state.faults.removeFirst()
    }
    if let fault { throw fault }
    if try word(path, "fault") == "damaged" { throw .damaged(.pdf) }
    let needed = try word(path, "password")
    if !needed.isEmpty, needed != password {
      throw password.isEmpty ? .encrypted : .wrongPassword
    }
    let images = try lines(path, "image")
    let pages = try lines(path, "page").map { words in
      PageFacts(
        width: Double(words[0]) ?? 1,
        height: Double(words[1]) ?? 1,
        label: words.count > 2 ? words[2] : ""
      )
    }
    if let laid = try laidOut(path) {
      var facts = DocumentFacts(
        format: .epub,
        title: try word(path, "title"),
        author: try word(path, "author"),
        language: try word(path, "language")
      )
      (facts.needsExtraction, facts.isLaidOut) = (true, true)
      facts.pages = laid.filter { $0.first == "page" }.map { words in
        PageFacts(width: Double(words[1]) ?? 1, height: Double(words[2]) ?? 1)
      }
      return facts
    }
    let series = try lines(path, "series").first.map { words in
      Series(name: words.dropFirst().joined(separator: " "), number: words[0])
    }
    if pages.isEmpty, images.isEmpty, try !lines(path, "package").isEmpty {
      var facts = DocumentFacts(format: .text, title: try word(path, "title"))
      (facts.author, facts.series) = (try word(path, "author"), series)
      return facts
    }
    if pages.isEmpty, images.isEmpty { throw .damaged(.pdf) }
    let direction = try word(path, "direction")
    var facts = DocumentFacts(
      format: images.isEmpty ? .pdf : .zip,
      title: try word(path, "title"),
      author: try word(path, "author"),
      language: try word(path, "language"),
      direction: direction == "rtl" ? .rightToLeft : direction == "ltr" ? .leftToRight : nil,
      pages: pages,
      needsExtraction: !images.isEmpty,
      besides: try lines(path, "beside").map { $0.joined(separator: " ") }
    )
    facts.series = series
    facts.hasSpreads = try lines(path, "apart").isEmpty ? nil : false
    return facts
  }

  func outline(of path: String, password: String) throws(PressFault) -> [OutlineEntry] {
    try lines(path, "outline").map { words in
      OutlineEntry(
        depth: Int(words[0]) ?? 0,
        title: words.dropFirst(2).joined(separator: " "),
        page: Int(words[1])
      )
    }
  }

  func content(
    of path: String,
    password: String,
    page: Int
  ) throws(PressFault) -> PageContent {
    let fault = state.withLock { state -> PressFault? in
      state.pagesRead += 1
      return state.contentFaults.isEmpty ? nil : state.contentFaults.removeFirst()
    }
    if let fault { throw fault }
    guard FileManager.default.fileExists(atPath: path) else {
      throw .unreadable(name: path, reason: "no such file")
    }
    let words = try lines(path, "text").first { Int($0[0]) == page }?.dropFirst() ?? []
    var content = PageContent()
    for (index, word) in words.enumerated() {
      let start = content.text.utf8.count
      content.text += word + " "
      let left = 0.1 * Double(index % 8)
      let top = 0.05 * Double(index / 8)
      let box = Box(x0: left, y0: top, x1: left + 0.08, y1: top + 0.02)
      content.words.append(WordBox(start: start, length: word.utf8.count, box: box))
    }
    for link in try lines(path, "link") where Int(link[0]) == page {
      let box = Box(x0: 0.1, y0: 0.2, x1: 0.3, y1: 0.4)
      let target = Int(link[1]).map { LinkBox.Target.page($0) } ?? .uri(link[1])
      content.links.append(LinkBox(box: box, target: target))
    }
    return content
  }

  func extract(
    from path: String,
    password: String,
    size: TypeSize,
    sink: (Asset) -> Bool
  ) throws(PressFault) -> DocumentFacts {
    if let laid = try laidOut(path, size) {
      state.withLock { $0.layouts += 1 }
      let text = laid.map { $0.joined(separator: " ") }.joined(separator: "\n")
      let image = ImageFacts(format: .png, width: 1, height: 1)
      let asset = Asset(page: 0, name: "layout.pdf", bytes: Array(text.utf8), facts: image)
      guard sink(asset) else { throw .closing }
      return try facts(of: path, password: password)
    }
    var pages: [Int: PageFacts] = [:]
    for (number, words) in try lines(path, "image").enumerated() {
      state.withLock(\.beforeImage)?(number)
      let (width, height) = (Int(words[0]) ?? 1, Int(words[1]) ?? 1)
      let page = Int(words[2]) ?? 0
      pages[page] = PageFacts(width: Double(max(1, width)), height: Double(max(1, height)))
      let asset = Asset(
        page: page,
        name: words.count > 3 ? words[3] : "",
        bytes: width > 0 ? Array("image \(words)".utf8) + [0xFF, 0xD9] : [],
        facts: ImageFacts(format: .jpeg, width: width, height: height),
        fault: width > 0 ? nil : .imageDamaged(name: words.dropFirst(3).joined(separator: " "))
      )
      guard sink(asset) else { throw .closing }
    }
    var facts = try self.facts(of: path, password: password)
    for words in try lines(path, "double") { Int(words[0]).map { pages[$0]?.isDouble = true } }
    facts.pages = pages.keys.sorted().compactMap { pages[$0] }
    return facts
  }

  func imageFacts(of path: String) throws(PressFault) -> ImageFacts {
    if try !lines(path, "turned").isEmpty {
      var facts = ImageFacts(format: .webp, width: 400, height: 300)
      facts.isTurned = true
      return facts
    }
    guard try word(path, "tiff") == "yes" else { throw .imageDamaged(name: "") }
    return ImageFacts(format: .tiff, width: 300, height: 400)
  }

  func headers(of heads: [[UInt8]]) throws(PressFault) -> [Result<ImageHeader, ImageFault>] {
    let fault = state.withLock { state -> PressFault? in
      state.headerRequests.append(heads.count)
      return state.headerFault(heads)
    }
    if let fault { throw fault }
    return heads.map { head in Result { () throws(ImageFault) in try ImageHeaders.read(head) } }
  }

  func colours(of drawing: [UInt8]) -> [UInt32] { SVGColours.fills(drawing) }
}
