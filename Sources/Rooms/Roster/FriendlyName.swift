/// The names of people that have not given one.
enum FriendlyName {
  private static let names = [
    "Otter", "Heron", "Badger", "Wren", "Hare", "Fox", "Owl", "Swift", "Marten", "Finch", "Seal",
    "Lynx", "Robin", "Mole", "Crane", "Beaver", "Lark", "Hedgehog", "Stoat", "Plover", "Newt",
    "Vole", "Kestrel", "Toad",
  ]

  /// Finds the first name that is not taken; in the ninth round the first is "Otter 9".
  /// - Parameters:
  ///   - place: A number of names from the first one on that are taken; it is increased to the
  ///     place of the returned one, so that each of many newcomers costs little.
  ///   - isTaken: Whether a name is taken.
  /// - Returns: The name.
  static func fresh(from place: inout Int, isTaken: (String) -> Bool) -> String {
    while true {
      let (name, round) = (names[place % names.count], place / names.count + 1)
      let full = round == 1 ? name : "\(name) \(round)"
      if !isTaken(full) { return full }
      place += 1
    }
  }

  /// The maximum length of a name, in characters.
  private static let charactersMax = 40

  /// Returns a name as it is shown: one line, without characters that are invisible or that turn
  /// the direction of the text around.
  static func cleaned(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: continue
      // The joiner of emoji is the one invisible character that names need.
      case .format where scalar != "\u{200D}": continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    let words = text.split(separator: " ").joined(separator: " ")
    return String(words.prefix(charactersMax))
  }
}
