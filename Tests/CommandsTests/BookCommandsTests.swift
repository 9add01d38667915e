import Foundation
import Testing

@testable import Server

@Suite("lectern list, remove and bin", .timeLimit(.minutes(10)))
struct BookCommandsTests {
  let folder: SampleFolder
  let source: SampleFolder

  init() throws {
    folder = try SampleFolder(books: [[5]])
    source = try SampleFolder(books: [[2, 3]])
  }

  private var data: String { folder.root.path + "/data" }

  private func lectern(_ words: [String]) throws -> (code: Int32, output: String) {
    try run(lecternProgram, words + ["--data", data])
  }

  /// The lines of a list, each as its fields.
  private func books(_ words: [String]) throws -> [[String]] {
    let (code, output) = try lectern(words)
    #expect(code == 0, "\(output)")
    return output.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test("a backup is made while a server runs, and restored elsewhere")
  func backup() throws {
    let shelf = source.library + "/Shelf 0"
    #expect(try lectern(["import", shelf + "/Book 0"]).code == 0)
    let server = try ServingThread(folder) { $0.storage.data = data }
    // The server reads its own folder meanwhile.
    while try books(["list"]).count < 2 {}
    defer { withExtendedLifetime(server) {} }
    let file = folder.root.path + "/backup.tar"
    let made = try lectern(["backup", file])
    #expect(made.code == 0 && made.output.hasSuffix("backup.tar, 1 MiB\n"), "\(made.output)")
    let again = try lectern(["backup", file])
    #expect(again.code == 1 && again.output.contains("exists; name another file"))
    let used = try lectern(["restore", file])
    #expect(used.code == 1 && used.output.contains("in use by another Lectern server"))
    let other = folder.root.path + "/other"
    let restored = try run(lecternProgram, ["restore", file, "--data", other])
    #expect(restored.code == 0 && restored.output.hasPrefix("Lectern \(Version.number), "))
    #expect(restored.output.contains(": 2 books"))
    let listed = try run(lecternProgram, ["list", "--data", other]).output
    let own = try lectern(["list"]).output
    #expect(listed.contains("Book 0") && listed == own)
  }

  @Test("a book is listed, removed, brought back and erased, also while a server runs")
  func removed() throws {
    #expect(try lectern(["list"]).code == 1)
    let shelf = source.library + "/Shelf 0"
    #expect(try lectern(["import", shelf + "/Book 0", shelf + "/Book 1"]).code == 0)
    let listed = try books(["list"])
    #expect(
      listed.map { Array($0.dropFirst()) } == [
        ["ready", "imported", "2", "Book 0"], ["ready", "imported", "3", "Book 1"],
      ]
    )
    let id = listed[0][0]
    #expect(try lectern(["remove", id, "nobody"]).code == 1)
    #expect(try books(["list"]) == [listed[1]])
    #expect(try books(["bin"]) == [[id, "deleted", "imported", "2", "Book 0"]])
    let json = try lectern(["bin", "--json"]).output
    let parsed = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(parsed?.count == 1 && parsed?[0]["id"] as? String == id)
    #expect(parsed?[0]["deleted"] as? Double ?? 0 > 1e9)
    #expect(try lectern(["bin", "--restore", id]).code == 0)
    #expect(try books(["list"]) == listed && books(["bin"]).isEmpty)

    let server = try ServingProcess(folder, ["--data", data])
    #expect(try lectern(["remove", id]).code == 0)
    let end = Date(timeIntervalSinceNow: 30)
    while try server.books().contains(id), Date() < end {}
    #expect(try !server.books().contains(id) && server.books().contains(listed[1][0]))
    server.process.terminate()
    server.process.waitUntilExit()
    #expect(try lectern(["bin", "--empty"]).output == "1 book was erased\n")
    #expect(try books(["bin"]).isEmpty)
    #expect(try lectern(["bin", "--empty", "--restore", id]).code == 2)
    #expect(try lectern(["remove"]).code == 2)
  }
}
