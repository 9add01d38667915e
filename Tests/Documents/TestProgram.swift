import Foundation

/// The programs that are built for tests.
package enum TestProgram {
  /// Returns the path of a program, which lies beside that of the tests.
  package static func path(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }
}
