import Testing

@testable import Commands
@testable import Server

@Suite("Standard folders")
struct StandardFoldersTests {
  @Test("the standard data folder is below $XDG_DATA_HOME, $HOME or the home of the user")
  func standardFolder() {
    let unknown = StandardFolders.below([:])
    #expect(unknown.hasPrefix("/") && unknown.hasSuffix("/.local/share/lectern"))
    #expect(StandardFolders.below(["HOME": "/h"]) == "/h/.local/share/lectern")
    #expect(StandardFolders.below(["HOME": "/h", "XDG_DATA_HOME": "/x"]) == "/x/lectern")
    #expect(StandardFolders.below(["HOME": "h", "XDG_DATA_HOME": ""]) == unknown)
  }
}
