internal import CPoppler

/// The letters of a page whose lines run from top to bottom, in reading order.
///
/// Poppler takes such a page for one that is turned, and reads each line from its end. The lines
/// follow one another from right to left.
enum VerticalText {
  typealias Letter = (scalar: Unicode.Scalar, place: PopplerRectangle?)

  /// A line of text.
  private struct Line {
    var letters: [Letter]
    /// The middle of the line across, and its upper end.
    let middle, top: Double
    let isVertical: Bool

    init(_ letters: [Letter]) {
      let places = letters.compactMap(\.place)
      middle = places.reduce(0) { $0 + ($1.x1 + $1.x2) / 2 } / Double(max(1, places.count))
      top = places.map(\.y1).min() ?? 0
      var (down, up, across) = (0, 0, 0)
      for (one, next) in zip(places, places.dropFirst()) {
        let step = next.y1 + next.y2 - one.y1 - one.y2
        if abs(step) <= 2 * abs(next.x1 + next.x2 - one.x1 - one.x2) {
          across += one.isSame(as: next) ? 0 : 1
        } else if step > 0 {
          down += 1
        } else {
          up += 1
        }
      }
      isVertical = down + up > across
      self.letters = isVertical && up > down ? Self.reversed(letters) : letters
    }

    /// Returns letters in reverse order, except those that share a place, as the parts of a
    /// ligature do.
    private static func reversed(_ letters: [Letter]) -> [Letter] {
      var groups: [[Letter]] = []
      for letter in letters {
        if let last = groups.last?.last?.place, let place = letter.place, last.isSame(as: place) {
          groups[groups.count - 1].append(letter)
        } else {
          groups.append([letter])
        }
      }
      return groups.reversed().flatMap { $0 }
    }
  }

  /// Sorts lines, which are in order from right to left, within each column: the middles of its
  /// lines differ by the shapes of their letters.
  private static func sortedInColumns(_ lines: [Line]) -> [Line] {
    var columns: [[Line]] = []
    for line in lines {
      if let start = columns.last?.first, start.middle - line.middle < 4 {
        columns[columns.count - 1].append(line)
      } else {
        columns.append([line])
      }
    }
    return columns.flatMap { $0.sorted { $0.top < $1.top } }
  }

  /// Returns the letters of a page in reading order, or as they are if its lines run across.
  static func ordered(_ letters: [Letter]) -> [Letter] {
    let parts = letters.split(omittingEmptySubsequences: true) { $0.scalar == "\n" }
    let lines = parts.map { Line(Array($0)) }
    let vertical = lines.filter(\.isVertical)
    let count = vertical.reduce(0) { $0 + $1.letters.count }
    guard count * 2 > letters.count else { return letters }
    // Heads and numbers of pages run across, above and below the others.
    let first = vertical.map(\.top).min() ?? 0
    let across = lines.filter { !$0.isVertical && $0.letters.count > 1 }
    // A column of one letter has no direction.
    let columns = (vertical + lines.filter { !$0.isVertical && $0.letters.count == 1 })
      .sorted { $0.middle > $1.middle }
    let ordered =
      across.filter { $0.top <= first } + Self.sortedInColumns(columns)
      + across.filter { $0.top > first }
    return Array(ordered.map(\.letters).joined(separator: [(scalar: "\n", place: nil)]))
  }
}

extension PopplerRectangle {
  /// Returns whether two rectangles have the same edges.
  fileprivate func isSame(as other: Self) -> Bool {
    x1 == other.x1 && y1 == other.y1 && x2 == other.x2 && y2 == other.y2
  }
}
