internal import Geometry

/// The cover of a book that cannot be read: plain paper with its title and the reason.
///
/// With it, the book stands on the shelf like any other.
struct PaperCover {
  /// The size of its page, in its own units.
  static let size = Size(width: 400, height: 600)
  static let colours = SpineColours(cloth: Colour(0xD9D2C0), lettering: Colour(0x4A4438))

  private let title: String
  private let state: BookState
  private let reason: String

  init(_ row: BookRow) {
    title = row.shownTitle
    state = row.status.state
    reason = row.status.failure ?? "This book cannot be read."
  }

  /// A tag that changes with anything that is drawn.
  var tag: String { ContentTag.tag("\(title)\u{1}\(state)\u{1}\(reason)".utf8) }

  /// The whole document, which is well-formed for any title.
  var svg: String {
    let heading = Self.lines(title, ems: 11, most: 5)
    let words = Self.lines(reason, ems: 19, most: 7)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="400" height="600" viewBox="0 0 400 600">
      <rect width="400" height="600" fill="#e6dfce"/>
      <rect x="22" y="22" width="356" height="556" fill="none" stroke="#8b816b" stroke-width="1.5"/>
      <g font-family="EB Garamond,EBGaramond12,Iowan Old Style,Palatino Linotype,Palatino,Georgia,\
      serif" text-anchor="middle" fill="#3b362c">

      """
    for (index, line) in heading.enumerated() {
      text +=
        "<text x=\"200\" y=\"\(110 + 36 * index)\" font-size=\"30\">"
        + "\(Markup.escaped(line))</text>\n"
    }
    text += state == .locked ? Self.padlock : Self.tear
    for (index, line) in words.enumerated() {
      text +=
        "<text x=\"200\" y=\"\(430 + 23 * index)\" font-size=\"17\" font-style=\"italic\">"
        + "\(Markup.escaped(line))</text>\n"
    }
    return text + "</g></svg>\n"
  }

  private static let padlock =
    "<g fill=\"none\" stroke=\"#6f664f\" stroke-width=\"5\">"
    + "<path d=\"M180 338V322a20 20 0 0 1 40 0V338\"/>"
    + "<rect x=\"168\" y=\"338\" width=\"64\" height=\"46\" rx=\"5\" fill=\"#6f664f\"/></g>\n"

  private static let tear =
    "<path d=\"M120 344l26-16 24 22 28-26 26 24 28-22 28 16\" fill=\"none\" stroke=\"#6f664f\" "
    + "stroke-width=\"4\" stroke-linejoin=\"round\"/>\n"

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
