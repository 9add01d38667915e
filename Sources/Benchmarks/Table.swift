internal import Foundation

/// The table that is printed, a line at a time.
enum Table {
  static func row(_ figure: String, asked: String = "", _ measured: String) {
    print("| \(figure) | \(asked) | \(measured) |")
    // A pipe holds lines back; the last figures take seconds.
    fflush(nil)
  }

  static func number(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}

extension Array where Element: Comparable {
  /// The middle one; of an even number, the higher.
  var median: Element { sorted()[count / 2] }
}

/// The time of one turn of some work, in seconds.
func secondsEach(turns: Int, _ work: (Int) -> Void) -> Double {
  let clock = ContinuousClock()
  let time = clock.measure { for turn in 0..<turns { work(turn) } }
  return (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    / Double(turns)
}
