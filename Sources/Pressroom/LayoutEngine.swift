internal import Glibc

/// The program that lays out EPUBs: Chromium's headless shell, which is installed separately.
package enum LayoutEngine {
  /// The path of the program, as Debian installs it.
  package static let program = "/usr/lib/chromium/chromium-headless-shell"
  /// The package of Debian that contains it.
  package static let package = "chromium-headless-shell"

  /// Whether the program is installed now.
  package static var isInstalled: Bool { access(program, X_OK) == 0 }

  /// The arguments for a press, which may need the program.
  static var arguments: [String] { isInstalled ? ["--engine=\(program)"] : [] }
}
