internal import Scene

extension PaperStock {
  /// How far a leaf bends: 1 for paper, 0 for a rigid leaf.
  var flexibility: Double {
    switch self {
    case .paper: 1
    case .card: 0.45
    case .board: 0
    }
  }
}

extension Stage {
  /// How far the leaves of the taken book bend: 1 for paper, 0 for rigid leaves.
  var flexibility: Double {
    guard dragRule != .scroll, let place = taken.place else { return 0 }
    return library[place].stock.flexibility
  }
}
