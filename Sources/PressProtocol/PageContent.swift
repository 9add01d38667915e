/// The text of a page, with the boxes of its words and links.
package struct PageContent: Equatable, Sendable {
  /// The text in reading order.
  package var text: String
  /// The words of the text, in its order.
  package var words: [WordBox]
  /// The links, in the document's order.
  package var links: [LinkBox]
  /// Whether something was omitted because the page exceeds the limits.
  package var cut: Bool

  /// Creates the content of a page.
  package init(text: String = "", words: [WordBox] = [], links: [LinkBox] = [], cut: Bool = false) {
    (self.text, self.words, self.links, self.cut) = (text, words, links, cut)
  }
}

/// A rectangle on a page: fractions of its width and height, from its upper left corner.
///
/// Stored in units of 1/65,535, finer than a pixel of any rendition.
package struct Box: Hashable, Sendable {
  /// The edges in units of 1/65,535 of the page; left <= right and top <= bottom.
  package let left, top, right, bottom: UInt16

  /// Creates a box from fractions, which are put in order and clamped to the page.
  package init(x0: Double, y0: Double, x1: Double, y1: Double) {
    self.init(
      left: Box.quantised(x0),
      top: Box.quantised(y0),
      right: Box.quantised(x1),
      bottom: Box.quantised(y1)
    )
  }

  /// Creates a box from units of 1/65,535, which are put in order.
  package init(left: UInt16, top: UInt16, right: UInt16, bottom: UInt16) {
    self.left = min(left, right)
    self.top = min(top, bottom)
    self.right = max(left, right)
    self.bottom = max(top, bottom)
  }

  /// The left edge as a fraction of the page's width.
  package var x0: Double { Double(left) / 65_535 }
  /// The upper edge as a fraction of the page's height.
  package var y0: Double { Double(top) / 65_535 }
  /// The right edge as a fraction of the page's width.
  package var x1: Double { Double(right) / 65_535 }
  /// The lower edge as a fraction of the page's height.
  package var y1: Double { Double(bottom) / 65_535 }

  private static func quantised(_ fraction: Double) -> UInt16 {
    // A value that is not a number becomes 0.
    fraction > 0 ? UInt16((min(1, fraction) * 65_535).rounded()) : 0
  }
}

/// A word, with its position in the text and its box on the page.
package struct WordBox: Equatable, Sendable {
  /// The start of the word in the UTF-8 of the page's text.
  package var start: Int
  /// Its length in bytes of UTF-8.
  package var length: Int
  /// Its box on the page.
  package var box: Box

  /// Creates a word.
  package init(start: Int, length: Int, box: Box) {
    (self.start, self.length, self.box) = (start, length, box)
  }
}

/// A link on a page.
package struct LinkBox: Equatable, Sendable {
  /// The target of a link.
  package enum Target: Equatable, Sendable {
    /// A page of the same document, counted from 0.
    case page(Int)
    /// An external address, as written and unchecked.
    case uri(String)
  }

  /// The box on the page.
  package var box: Box
  /// The target.
  package var target: Target

  /// Creates a link.
  package init(box: Box, target: Target) { (self.box, self.target) = (box, target) }
}
