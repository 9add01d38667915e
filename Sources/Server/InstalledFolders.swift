package import Foundation

/// Where the files of an installed program are, relative to the program.
///
/// A program in `PREFIX/bin` has its page in `PREFIX/share/lectern` and its press in
/// `PREFIX/lib/lectern`.
package enum InstalledFolders {
  /// The program itself.
  package static var program: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  }

  private static var prefix: URL {
    program.deletingLastPathComponent().deletingLastPathComponent()
  }

  /// The places of a program that belongs to this one: in the same folder, or installed.
  static func places(of name: String) -> [String] {
    [program.deletingLastPathComponent(), prefix.appendingPathComponent("lib/lectern")].map {
      $0.appendingPathComponent(name).path
    }
  }

  /// The folder of the page's files.
  package static var shared: String { prefix.appendingPathComponent("share/lectern").path }

  /// The configuration file of an installed program; nil if there is none, or if the program is not
  /// installed.
  package static var configuration: String? {
    let folder = program.deletingLastPathComponent()
    guard folder.lastPathComponent == "bin",
      FileManager.default.fileExists(atPath: shared + "/index.html")
    else { return nil }
    let root = prefix.path == "/usr" ? "" : prefix.path
    let file = root + "/etc/lectern/lectern.conf"
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }
}
