import CEscapes
import Foundation
import TestDocuments
import Testing

// A sanitizer makes its own system calls and has no memory limit.
@Suite(
  "A compromised press",
  .enabled(if: ProcessInfo.processInfo.environment["LECTERN_SANITIZER"] == nil)
)
struct ConfinementTests {
  private static let attempts = (0..<escape_count()).map { String(cString: escape_name($0)) }

  /// The errors of the filter, Landlock and the limits; any other error would come from an attempt
  /// that the kernel carried out.
  private static let refusals = [EPERM, EACCES, ENOSYS, ENOTTY]

  /// Returns the result of an attempt in a process of its own; nil if the attempt ended the
  /// process.
  private static func result(
    of attempt: String,
    _ document: [UInt8]?,
    spare: Int32? = nil
  ) throws -> String? {
    try results(of: attempt, document, spare: spare)?[attempt]
  }

  /// Returns the results of what one process attempts; nil if an attempt ended the process.
  private static func results(
    of attempt: String,
    _ document: [UInt8]?,
    spare: Int32? = nil
  ) throws -> [String: String]? {
    let folder = FileManager.default.temporaryDirectory.path
    let end = try PressProcess(document, [attempt, folder], program: "escape-press", spare: spare)
      .end()
    if end.signal == SIGSYS { return nil }
    try #require((end.signal, end.code) == (nil, 0), "\(end)")
    let lines = end.errors.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    return Dictionary(lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
  }

  // What is refused changes nothing, so that one process can make all attempts.
  private static let withPDF = Result { try results(of: "every-attempt", PDFs.book(pages: 1)) }
  // The attempts only need some document; one of unknown format loads the same libraries.
  private static let withImages = Result { try results(of: "every-attempt", Vectors.jpeg) }

  private static func isRefused(
    _ attempt: String,
    _ document: [UInt8],
    _ results: Result<[String: String]?, any Error>
  ) throws {
    if attempt.hasPrefix("killed-for-") {
      #expect(try result(of: attempt, document) == nil)
    } else {
      let result = try results.get()?[attempt]
      let code = result.flatMap { Int32($0) }
      #expect(code.map(refusals.contains) == true, "\(attempt): \(result ?? "no result")")
    }
  }

  @Test("is denied every attempt with a PDF", arguments: attempts)
  func isRefused(_ attempt: String) throws {
    try Self.isRefused(attempt, PDFs.book(pages: 1), Self.withPDF)
  }

  @Test("is denied every attempt with the libraries for images", arguments: attempts)
  func isRefusedWithImages(_ attempt: String) throws {
    try Self.isRefused(attempt, Vectors.jpeg, Self.withImages)
  }

  @Test(
    "can still list fonts and query its descriptors",
    arguments: ["list-fonts", "stat-fonts", "stat-descriptor"]
  )
  func isAllowed(_ action: String) throws {
    #expect(try Self.result(of: action, PDFs.book(pages: 1)) == "succeeded")
    #expect(try Self.result(of: action, nil) == "succeeded")
  }

  @Test("can use the threads of its libraries, as often as necessary")
  func threads() throws {
    #expect(try Self.result(of: "use-24-threads", nil) == "succeeded")
    #expect(try Self.result(of: "use-threads-again-and-again", nil) == "succeeded")
    #expect(try Self.result(of: "use-no-thread", PDFs.book(pages: 1)) == "succeeded")
  }

  @Test("has no inherited descriptor")
  func descriptors() throws {
    #expect(try Self.result(of: "spare-descriptor", nil, spare: 17) == "\(EBADF)")
    #expect(try Self.result(of: "spare-descriptor", PDFs.book(pages: 1), spare: 17) == "\(EBADF)")
  }
}
