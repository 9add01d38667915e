import Foundation
import FuzzedParsers
import Testing

@Suite("The inputs of fuzzers")
struct CorpusTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Corpus")

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("break no rule of their parser", arguments: FuzzedParser.allCases)
  func rules(_ parser: FuzzedParser) throws {
    let folder = Self.folder.appending(path: parser.rawValue)
    for name in try Self.names(in: folder) {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      #expect(throws: Never.self, "\(name)") { try parser.check(bytes) }
    }
  }

  @Test("are there for each parser, and are few and short")
  func folders() throws {
    #expect(try Self.names(in: Self.folder) == FuzzedParser.allCases.map(\.rawValue).sorted())
    for name in try Self.names(in: Self.folder) {
      let folder = Self.folder.appending(path: name)
      let names = try Self.names(in: folder)
      let sizes = try names.map { try Data(contentsOf: folder.appending(path: $0)).count }
      #expect(1...100 ~= names.count && sizes.reduce(0, +) <= 200_000, "\(name)")
    }
  }
}
