internal import CPoppler

/// The letters of a page whose lines run from top to bottom, in reading order.
///
/// Poppler takes such a page for one that is turned, or whose lines run across, and returns its
/// letters in another order. Here the places of the letters decide: lines follow one another from
/// right to left.
enum VerticalText {
  typealias Letter = (scalar: Unicode.Scalar, place: PopplerRectangle?)

  /// A letter and its place, in points from the upper left.
  private struct Placed {
    let scalar: Unicode.Scalar
    let place: PopplerRectangle

    /// Whether it is seen.
    var isMark: Bool { !scalar.properties.isWhitespace }
    /// The left edge.
    var across: Double { place.x1 }
    /// The middle: the parts of one glyph, which have one place, keep their order.
    var down: Double { (place.y1 + place.y2) / 2 }
    /// The width; 0 for all but the last part of a glyph.
    var width: Double { abs(place.x2 - place.x1) }
    /// How far the next letter is, at the least.
    var step: Double { min(width, abs(place.y2 - place.y1)) }
  }

  /// Returns the letters of a page that was laid out here in reading order, or as they are if its
  /// lines run across; O(n log n).
  /// - Parameters:
  ///   - letters: The letters as Poppler orders them.
  ///   - height: The height of the page in points.
  /// - Returns: The same letters, with a line feed after each line.
  static func ordered(_ letters: [Letter], height: Double) -> [Letter] {
    let area = PageSheet.textRows(ofPage: height)
    var (head, foot): ([Letter], [Letter]) = ([], [])
    var text: [Placed] = []
    for letter in letters {
      guard let place = letter.place, letter.scalar != "\n" else { continue }
      let placed = Placed(scalar: letter.scalar, place: place)
      if placed.down < area.lowerBound {
        head.append(letter)
      } else if placed.down > area.upperBound {
        foot.append(letter)
      } else {
        text.append(placed)
      }
    }
    guard isVertical(text.filter(\.isMark)) else { return letters }
    let lines = lines(of: text).map { line in line.map { Letter($0.scalar, $0.place) } }
    let parts = ([head] + lines + [foot]).filter { !$0.isEmpty }
    return Array(parts.joined(separator: [Letter("\n", nil)]))
  }

  /// Whether more letters have another one close below them than close beside them.
  private static func isVertical(_ text: [Placed]) -> Bool {
    let step = median(text.map(\.step).filter { $0 > 0 })
    guard step > 0 else { return false }
    let letters = text.filter { $0.across.isFinite && $0.down.isFinite }
    return neighbours(letters, step, along: \.down, from: \.across)
      > neighbours(letters, step, along: \.across, from: \.down)
  }

  /// Returns how many letters have another one about a step further along a direction, and at the
  /// same place across it.
  private static func neighbours(
    _ letters: [Placed],
    _ step: Double,
    along direction: KeyPath<Placed, Double>,
    from other: KeyPath<Placed, Double>
  ) -> Int {
    let sorted = letters.sorted { one, next in
      let (a, b) = ((one[keyPath: other] / step).rounded(), (next[keyPath: other] / step).rounded())
      return a == b ? one[keyPath: direction] < next[keyPath: direction] : a < b
    }
    return zip(sorted, sorted.dropFirst()).reduce(0) { count, pair in
      let ahead = pair.1[keyPath: direction] - pair.0[keyPath: direction]
      let beside = abs(pair.1[keyPath: other] - pair.0[keyPath: other])
      return count + (beside < 0.3 * step && (0.3 * step...1.25 * step).contains(ahead) ? 1 : 0)
    }
  }

  /// Returns lines from right to left, each from top to bottom, and after the last one the readings
  /// beside them: between the lines they would part words.
  private static func lines(of text: [Placed]) -> [[Placed]] {
    let size = median(text.filter(\.isMark).map(\.width).filter { $0 > 0 })
    func isReading(_ letter: Placed) -> Bool { letter.width > 0 && letter.width < 0.7 * size }
    let readings = text.filter { isReading($0) && $0.isMark }
    return columns(text.filter { !isReading($0) }, size) + columns(readings, size)
  }

  private static func columns(_ letters: [Placed], _ size: Double) -> [[Placed]] {
    var columns: [[Placed]] = []
    for letter in letters.sorted(by: { $0.across > $1.across }) {
      if let first = columns.last?.first, first.across - letter.across < 0.6 * size {
        columns[columns.count - 1].append(letter)
      } else {
        columns.append([letter])
      }
    }
    return columns.map { $0.sorted { $0.down < $1.down } }
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
