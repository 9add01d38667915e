internal import Bytes
internal import Motion

/// The cover of a book that cannot be read: a torn sheet, or one with a padlock, with the title.
///
/// With it, the book stands on the shelf like any other. One drawing is for readers of every
/// language, so that the page says the reason.
struct PaperCover {
  /// The size of its page, in its own units.
  static let size = Size(width: 400, height: 600)
  static let colours = SpineColours(cloth: Colour(0xB5AA90), lettering: Colour(0x3B362C))

  private let title: String
  private let state: BookState

  init(_ row: Book) {
    title = row.title
    state = row.status.state
  }

  /// A tag that changes with anything that is drawn.
  var tag: String { ContentTag.tag("\(title)\u{1}\(state)".utf8) }

  /// The whole document, which is well-formed for any title.
  var svg: String {
    let isLocked = state == .locked
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="400" height="600" viewBox="0 0 400 600">
      <rect width="400" height="600" fill="#b5aa90"/>
      <path d="\(isLocked ? Self.whole : Self.torn)" transform="translate(3 5)" fill="#857b64"/>
      <path d="\(isLocked ? Self.whole : Self.torn)" fill="#efe8d8"/>
      <g font-family="EB Garamond,EBGaramond12,Iowan Old Style,Palatino Linotype,Palatino,Georgia,\
      serif" font-style="italic" font-size="32" text-anchor="middle" fill="#3b362c">

      """
    for (index, line) in Self.lines(title, ems: 8.5, most: 5).enumerated() {
      text += "<text x=\"200\" y=\"\(140 + 40 * index)\">\(Markup.escaped(line))</text>\n"
    }
    return text + "</g>\n" + (isLocked ? Self.padlock : "") + "</svg>\n"
  }

  private static let whole = "M44 44H356V556H44Z"
  private static let torn = "M44 44H356V470L318 496L276 440L228 486L196 462L140 508L92 452L44 480Z"

  private static let padlock =
    "<g fill=\"none\" stroke=\"#6f664f\" stroke-width=\"5\">"
    + "<path d=\"M180 438V422a20 20 0 0 1 40 0V438\"/>"
    + "<rect x=\"168\" y=\"438\" width=\"64\" height=\"46\" rx=\"5\" fill=\"#6f664f\"/></g>\n"

  /// Breaks a text into lines of a maximum length in ems; text that does not fit ends in an
  /// ellipsis.
  private static func lines(_ text: String, ems room: Double, most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0.0
    func isFull() -> Bool { lines.count >= most }
    for word in text.split(whereSeparator: \.isWhitespace) where !isFull() {
      // Text without spaces is broken at the end of the line.
      for piece in pieces(word, ems: room) where !isFull() {
        let length = SpineLettering.ems(piece)
        if !line.isEmpty, used + 0.25 + length > room {
          lines.append(line)
          (line, used) = ("", 0)
          if isFull() { break }
        }
        line += (line.isEmpty ? "" : " ") + piece
        used += length + 0.25
      }
    }
    if isFull() {
      lines[most - 1] += "…"
    } else if !line.isEmpty {
      lines.append(line)
    }
    return lines
  }

  private static func pieces(_ word: Substring, ems room: Double) -> [String] {
    var pieces = [""]
    var used = 0.0
    for letter in word {
      let length = SpineLettering.ems(String(letter))
      if used + length > room, used > 0 {
        pieces.append("")
        used = 0
      }
      pieces[pieces.count - 1].append(letter)
      used += length
    }
    return pieces
  }
}
