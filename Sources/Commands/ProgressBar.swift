internal import Foundation
internal import Glibc
internal import Library

/// A progress bar on the standard error; it prints nothing if that is not a terminal.
///
/// Safety of `@unchecked`: a single import uses it at a time.
final class ProgressBar: @unchecked Sendable {
  private static let width = 28
  private let name: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown = ""

  init(name: String) { self.name = name.count > 40 ? name.prefix(39) + "…" : name }

  /// Shows the progress of an import.
  func show(_ progress: ImportProgress) {
    guard isTerminal else { return }
    let text = Self.text(progress, name: name)
    guard text != shown else { return }
    clear()
    shown = text
    write("\r" + text)
  }

  /// Clears the line.
  func clear() {
    guard !shown.isEmpty else { return }
    shown = ""
    write("\r\u{1B}[K")
  }

  /// Returns the line, such as `[#########...................] 33 % name`.
  static func text(_ progress: ImportProgress, name: String) -> String {
    switch progress {
    case .reading(let bytes, let all):
      let share = all > 0 ? min(max(Double(bytes) / Double(all), 0), 1) : 0
      let done = Int(share * Double(width))
      let bar = String(repeating: "#", count: done) + String(repeating: ".", count: width - done)
      return "[\(bar)] \(Int(share * 100)) % \(name)"
    case .opening: return "opening \(name)"
    case .extracting(let images): return "\(images) images out of \(name)"
    }
  }

  private func write(_ text: String) { Console.show(text) }
}
