internal import Foundation

/// The table of results, printed line by line.
enum Table {
  static func row(_ figure: String, asked: String = "", _ measured: String) {
    print("| \(figure) | \(asked) | \(measured) |")
    // A pipe buffers lines, and the last figures take seconds to measure.
    fflush(nil)
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

extension Array where Element: Comparable {
  /// The median; for an even number of elements, the higher of the two middle ones.
  var median: Element { sorted()[count / 2] }
}

/// Returns the time that one turn of some work takes, in seconds.
func secondsEach(turns: Int, _ work: (Int) -> Void) -> Double {
  let clock = ContinuousClock()
  let time = clock.measure { for turn in 0..<turns { work(turn) } }
  return (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    / Double(turns)
}
