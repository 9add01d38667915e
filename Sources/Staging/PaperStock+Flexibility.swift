internal import Scene

extension BookOutline {
  /// How far the leaves of the book bend: 1 for paper, 0 for rigid leaves.
  var flexibility: Double { 1 }
}

extension Stage {
  /// How far the leaves of the taken book bend: 1 for paper, 0 for rigid leaves.
  var flexibility: Double {
    dragRule == .scroll ? 0 : taken.place.map { library[$0].flexibility } ?? 0
  }
}
