internal import Glibc

/// A book on its way from open to closed, onto its back cover.
///
/// In the first half of the way, all leaves and the back board come to lie on the left. In the
/// second half the closed book turns over about its middle, and then lies like a book that has
/// closed onto its front cover. Between the halves, it lies on its face for a moment. With q, the
/// part of the way:
///
///     closure(q) = q + 8 q^2 - 12 q^3 up to 1/2, then 1
///     turn(q) = pi s(2 q - 1) from 1/2 on, with s(x) = 3 x^2 - 2 x^3
///
/// At its beginning the closure is as fast as that onto the front cover.
struct BackClosing: Equatable {
  /// How far the book is closed: 0 open, 1 with all leaves and the board on the left.
  private let closure: Double
  /// The angle by which the closed book has turned over, in radians.
  private let turn: Double

  /// Creates the closing at an openness; one outside 0...1 is that of a spring that overshoots.
  init(openness: Double) {
    let way = 1 - openness
    closure = way < 0 ? way : way < 0.5 ? way * (1 + way * (8 - 12 * way)) : 1
    let second = min(max(2 * way - 1, 0), 1)
    turn = .pi * second * second * (3 - 2 * second)
  }

  /// Returns the present elevation of paper that has a given elevation in the open book.
  ///
  /// In the closed book, the leaves have exactly the same one.
  func elevation(_ open: Double) -> Double {
    (closure == 1 ? .pi : open + (.pi - open) * closure) - turn
  }

  /// How far right of the middle of the closed book its spine is, in half-widths of a page.
  var side: Double { closure * cos(turn) }
}
