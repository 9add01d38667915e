/// The names of the rooms that one reader owns: the first, and one for each further window.
///
/// A window that opens while another one of the same reader is connected has a stage of its own.
/// Its room has the name of the reader's first room and the window's number, such as
/// "amber-heron-48217-2". The name alone shows whose room it is, so that it can be opened again
/// after a restart and on another machine, and nothing further is stored.
enum OwnRoom {
  /// The maximum number of rooms of one reader; another window shares the last one.
  static let countMax = 9

  /// Returns the name of the room after another one of the same reader; nil after the last one.
  static func next(after name: String) -> String? {
    guard let (first, number) = numbered(name) else { return "\(name)-2" }
    return number < countMax ? "\(first)-\(number + 1)" : nil
  }

  /// Returns the name of a reader's first room for the name of any of the reader's rooms.
  static func first(of name: String) -> String { numbered(name)?.first ?? name }

  /// Splits the name of a room for a further window; nil for any other name.
  private static func numbered(_ name: String) -> (first: String, number: Int)? {
    guard let digit = name.last?.wholeNumberValue, (2...countMax).contains(digit),
      name.last?.isASCII == true
    else { return nil }
    let rest = name.dropLast()
    guard rest.last == "-", rest.count > 1 else { return nil }
    return (String(rest.dropLast()), digit)
  }
}
