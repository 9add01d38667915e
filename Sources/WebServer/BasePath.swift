/// The path below which a proxy serves the library, such as `/books`.
///
/// A proxy may remove the path from requests or leave it: the server answers to both.
package struct BasePath: Equatable, Sendable {
  /// The top of a host.
  package static let none = BasePath(text: "")

  /// The path without a slash at its end; empty at the top of a host.
  package let text: String

  /// The first parts of the server's own paths, which cannot be told from a base path.
  private static let own: Set = [
    "api", "b", "c", "css", "demo", "fonts", "icons", "js", "ledges", "library", "r", "ws",
  ]

  private init(text: String) { self.text = text }

  /// Parses a path of letters, digits and `-._~` between slashes, of which those at its start and
  /// end do not matter; nil if it is anything else, or begins as the server's own paths do.
  package init?(_ path: some StringProtocol) {
    let path = String(path)
    let parts = path.split(separator: "/")
    guard path.utf8.count <= 200, !path.contains("//"), parts.allSatisfy(Self.isPlain),
      parts.first.map({ !Self.own.contains(String($0)) }) ?? true
    else { return nil }
    text = parts.map { "/" + $0 }.joined()
  }

  private static func isPlain(_ part: Substring) -> Bool {
    part != "." && part != ".."
      && part.utf8.allSatisfy { $0.isLetterOrDigit || "-._~".utf8.contains($0) }
  }

  /// Returns a path as it is at the top of a host.
  func local(_ path: String) -> String {
    guard !text.isEmpty, path.hasPrefix(text + "/") else { return path }
    return String(path.dropFirst(text.count))
  }

  /// Whether a path is the base path without the slash, from which the page's links would lead
  /// astray.
  func isIncomplete(_ path: String) -> Bool { !text.isEmpty && path == text }

  /// Returns a page of the server, whose addresses begin at the top of a host, as one below the
  /// base path.
  package func rewritten(_ page: [UInt8]) -> [UInt8] {
    let text = String(decoding: page, as: UTF8.self)
    return Array(text.replacing("=\"/", with: "=\"\(self.text)/").utf8)
  }
}
