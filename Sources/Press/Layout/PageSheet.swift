internal import Bytes
internal import PressProtocol

/// The style sheets of pages: that of flowing text, and that of pages with a fixed size.
struct PageSheet {
  /// The size of a page in inches.
  let width, height: Double
  /// The margins in inches.
  private let inner, outer, top, bottom: Double

  init(_ size: TypeSize) {
    (width, height) = (size.page.width / 72, size.page.height / 72)
    // The margins grow with the page, so that both sizes have the same proportions.
    let scale = width / 6
    (inner, outer, top, bottom) = (0.8 * scale, 0.7 * scale, 0.8 * scale, 0.9 * scale)
  }

  /// The size of the text area in CSS pixels.
  var area: (width: Double, height: Double) {
    ((width - inner - outer) * 96, (height - top - bottom) * 96)
  }

  /// Returns the rows of a page in points, from its top, that have text; heads and numbers are
  /// above and below.
  static func textRows(ofPage height: Double) -> ClosedRange<Double> {
    for sheet in TypeSize.allCases.map(PageSheet.init) where abs(height - sheet.height * 72) < 1 {
      return sheet.top * 72...(height - sheet.bottom * 72)
    }
    return 0...max(0, height)
  }

  /// The texts at the top of pages.
  struct Heads {
    var book = ""
    var chapter = ""
  }

  /// Returns the sheet of a chapter of flowing text.
  /// - Parameters:
  ///   - pages: The number of pages before the chapter.
  ///   - heads: The texts at the top of its pages.
  ///   - isMirrored: Whether the book is read from right to left.
  ///   - startsLeft: Whether the first page is a left one.
  ///   - startsMirrored: Whether the engine takes the first page for a left one.
  /// - Returns: The sheet, which follows those of the book.
  func flowing(
    after pages: Int,
    _ heads: Heads,
    isMirrored: Bool,
    startsLeft: Bool,
    startsMirrored: Bool
  ) -> String {
    // The engine counts sides from the start of this chapter.
    let (left, right) = startsLeft == startsMirrored ? ("left", "right") : ("right", "left")
    let margins = { (near: Double, far: Double) in
      "margin:\(top)in \(far)in \(bottom)in \(near)in"
    }
    let leftHead = Self.quoted(isMirrored ? heads.chapter : heads.book)
    let rightHead = Self.quoted(isMirrored ? heads.book : heads.chapter)
    return """
      @namespace epub 'http://www.idpf.org/2007/ops';
      @page{size:\(width)in \(height)in}
      @page{
        @bottom-center{content:counter(page);\(Self.font("10pt"));padding-bottom:.12in}
      }
      @page :\(left){
        \(margins(outer, inner))!important;
        @top-center{content:\(leftHead);\(Self.headStyle)}
      }
      @page :\(right){
        \(margins(inner, outer))!important;
        @top-center{content:\(rightHead);\(Self.headStyle)}
      }
      @page :first{@top-center{content:none}}
      html{counter-reset:page \(pages)!important}
      \(body)
      """
  }

  private static let headStyle =
    "\(font("italic 10pt"));white-space:nowrap;overflow:hidden;padding-top:.1in"

  /// Returns the declaration of our type in a size.
  ///
  /// The italic of the family `EB Garamond` has empty Cyrillic and Greek letters. Heads and numbers
  /// would run from top to bottom in a text that does.
  private static func font(_ size: String) -> String {
    "font:\(size) 'EB Garamond 12','EB Garamond',serif;writing-mode:horizontal-tb"
  }

  /// What keeps the text of any book on its pages.
  private var body: String {
    """
      html,body{
        position:static!important;float:none!important;width:auto!important;height:auto!important;
        min-width:0!important;min-height:0!important;
        max-width:none!important;max-height:none!important;
        margin:0!important;padding:0!important;overflow:visible!important;columns:auto!important;
        transform:none!important;
      }
      img,svg,video,object,canvas{
        max-width:100%!important;max-height:\(area.height - 4)px!important;object-fit:contain;
        break-inside:avoid;
      }
      div,p,section,article,aside,header,footer,main,figure,blockquote,ul,ol,dl{
        max-width:100%!important;
      }
      pre{white-space:pre-wrap!important}
      body{overflow-wrap:break-word;orphans:2;widows:2}
      h1,h2,h3,h4,h5,h6{break-after:avoid;break-inside:avoid;hyphens:none!important}
      figure,tr{break-inside:avoid}
      audio,video:not([poster]){display:none!important}
      epub|case:not([required-namespace='http://www.w3.org/1998/Math/MathML']){display:none}
      epub|case[required-namespace='http://www.w3.org/1998/Math/MathML']~epub|default{display:none}
      epub|trigger{display:none}
      mbp-pagebreak{display:block;break-after:page}
    """
  }

  /// The types of other scripts in the style of books; the system would choose ones for screens.
  private static let serifs = [
    "Noto Serif Hebrew", "Noto Serif Armenian", "Noto Serif Georgian",
    "Noto Serif Devanagari", "Noto Serif Thai", "Noto Serif Ethiopic",
  ].map { "'\($0)'" }.joined(separator: ",")

  /// The languages whose marks stand too high or too low for lines that fit Latin letters.
  private static let tall = languages([
    "hi", "mr", "ne", "sa", "bn", "as", "pa", "gu", "or", "ta", "te", "kn", "ml", "si", "th", "lo",
    "km", "my", "bo", "dz", "am", "ti", "vi",
  ])
  private static let arabic = languages(["ar", "fa", "ur", "ps", "sd", "ug", "ckb"])

  private static func languages(_ tags: [String]) -> String {
    ":is(" + tags.map { ":lang(\($0))" }.joined(separator: ",") + ")"
  }

  /// The type of a book that chooses none; it comes before the sheets of the book.
  static let base = """
    html{font:11pt/1.35 'EB Garamond 12','EB Garamond',\(serifs),serif}
    \(tall){line-height:normal}
    \(arabic){line-height:1.6}
    body{text-align:justify;hyphens:manual}
    p{margin:0}
    p+p{text-indent:1.2em}
    h1{font-size:1.6em;font-weight:400;text-align:center;margin:1.6em 0 1em}
    h2{font-size:1.3em;font-weight:400;text-align:center;margin:1.4em 0 .8em}
    h3,h4,h5,h6{font-size:1.05em;text-align:start;margin:1.2em 0 .5em}
    blockquote{margin:.8em 1.5em}
    a{color:inherit;text-decoration:none}
    """

  /// Returns the sheet of a page with a fixed size in CSS pixels.
  static func fixed(width: Double, height: Double) -> String {
    """
    @page{size:\(width)px \(height)px!important;margin:0!important}
    html,body{width:\(width)px!important;height:\(height)px!important;overflow:hidden!important}
    body{margin:0;position:relative}
    """
  }

  /// The size of a page in CSS pixels.
  var pixels: (width: Double, height: Double) { (width * 96, height * 96) }

  /// Returns the text of a page with one picture, as large as the page permits.
  func picture(_ name: String) -> String {
    Self.picture(name, width: pixels.width, height: pixels.height)
  }

  /// Returns the text of a page, of a size in CSS pixels, with one picture as large as it permits.
  static func picture(_ name: String, width: Double, height: Double) -> String {
    """
    <html xmlns="http://www.w3.org/1999/xhtml"><head><style>
    @page{size:\(width)px \(height)px;margin:0}
    body{margin:0;height:\(height)px;overflow:hidden}
    img{width:100%;height:100%;object-fit:contain;display:block}
    </style></head><body><img src="/\(Engine.escaped(name))" alt=""/></body></html>
    """
  }

  /// Returns the text of a page that says why a part of the book is not shown.
  func missing(_ name: String, type: String) -> String {
    let reason = type.isEmpty ? "It cannot be read." : "Its type is \(type)."
    return """
      <html xmlns="http://www.w3.org/1999/xhtml"><head><style>
      @page{size:\(width)in \(height)in;margin:1in}
      body{font:12pt/1.4 'EB Garamond 12','EB Garamond',serif;text-align:center;padding-top:2.5in}
      p{overflow-wrap:anywhere;margin:.4em 0}
      </style></head><body><p>This part of the book cannot be shown.</p>
      <p><i>\(Markup.escaped(name))</i></p><p>\(Markup.escaped(reason))</p></body></html>
      """
  }

  /// Returns a text as a string of CSS.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 || scalar == "<" {
        result += "\\" + String(scalar.value, radix: 16) + " "
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
