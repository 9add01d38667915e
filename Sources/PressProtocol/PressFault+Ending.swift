extension PressFault {
  /// Returns the fault that the end of a press indicates.
  ///
  /// - Parameters:
  ///   - signal: The signal that ended it; `nil` if it exited.
  ///   - diagnostics: The last lines of its standard error.
  ///   - page: The page that it was working on, counted from 0; nil if there was none.
  /// - Returns: The fault to report.
  package static func ending(signal: Int32?, diagnostics: String, page: Int?) -> PressFault {
    // SIGXCPU has this number on every Linux except MIPS.
    if signal == 24 { return .tookTooLong(page: page) }
    let signs = ["failed to allocate", "bad_alloc", "out of memory", "Cannot allocate memory"]
    if signs.contains(where: { contains(diagnostics, $0) }) {
      return .neededTooMuchMemory(page: page)
    }
    return .stopped(page: page)
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let text = Array(text.utf8)
    let part = Array(part.utf8)
    guard text.count >= part.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start..<(start + part.count)].elementsEqual(part)
    }
  }
}
