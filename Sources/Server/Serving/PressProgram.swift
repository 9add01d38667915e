internal import Foundation

/// The program that opens documents.
package enum PressProgram {
  /// Returns the path of the program, which is in the same folder as this one.
  package static func path() throws(StartError) -> String {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    let path = folder.appendingPathComponent("lectern-press").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw .failed("\(path) is missing, and nothing else opens documents; build it beside lectern")
    }
    return path
  }
}
