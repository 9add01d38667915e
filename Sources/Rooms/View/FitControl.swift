internal import Scene
internal import Staging

/// How one member's window shows the pages of the flat book, and what it has shown of them.
struct FitControl: Sendable {
  /// What the member has chosen.
  var choice = Fit.whole
  /// The pages of the open spread.
  var pages = FitPlan.Pages()
  /// Whether a book was open when the stage last changed.
  var isOpen = false
  /// Whether the view has been fitted since the book was laid flat.
  var isInForce = false
  /// The page that a jump leads to; nil for the first one in the direction of a turn.
  var wanted: Framing.Page?
}
