import Foundation
import Testing

/// A response of a server with its head.
struct Reply {
  var status: Int
  var head: String
  var body: String

  func field(_ name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}

extension ServingThread {
  /// Requests a path with curl.
  /// - Parameters:
  ///   - path: The path, with its query.
  ///   - words: Further options of curl.
  ///   - key: The library's key to send.
  ///   - other: Another port of the server.
  /// - Returns: The response.
  /// - Throws: An error if there is no response.
  func ask(
    _ path: String,
    _ words: [String] = [],
    key: String? = nil,
    port other: Int? = nil
  ) throws -> Reply {
    let bearer = key.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
    let (code, output) = try run(
      "/usr/bin/env",
      ["curl", "-s", "-i"] + words + bearer + ["http://127.0.0.1:\(other ?? port)\(path)"]
    )
    #expect(code == 0)
    // Text read from a pipe keeps its line ends.
    let end = try #require(output.range(of: "\r\n\r\n"))
    let head = String(output[..<end.lowerBound])
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Reply(status: status ?? 0, head: head, body: String(output[end.upperBound...]))
  }
}
