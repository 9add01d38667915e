internal import Foundation

/// The program that opens documents.
package enum PressProgram {
  /// Returns the path of the program, which is in the same folder as this one, or installed.
  package static func path() throws(StartError) -> String {
    let places = InstalledFolders.places(of: "lectern-press")
    guard let path = places.first(where: FileManager.default.isExecutableFile) else {
      throw .failed(
        "\(places[0]) is missing, and nothing else opens documents; build it beside lectern"
      )
    }
    return path
  }
}
