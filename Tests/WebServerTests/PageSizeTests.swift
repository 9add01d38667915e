import Foundation
import Testing

@testable import WebServer

/// The page's own limits, in bytes as sent: each file with gzip if that is smaller.
@Suite("The size of the page")
struct PageSizeTests {
  private static let web = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Web")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: web.appending(path: path), encoding: .utf8)
  }

  private static func bytesSent(_ path: String) throws -> Int {
    let bytes = try [UInt8](Data(contentsOf: web.appending(path: path)))
    return min(bytes.count, Gzip.compressed(bytes, level: 9)?.count ?? .max)
  }

  /// Returns the files that the page loads before the first picture: index.html, its styles, and
  /// the modules that main.js imports.
  private static func loadedAtStart() throws -> Set<String> {
    let index = try text("index.html")
    var loaded: Set = ["index.html"]
    var waiting = index.matches(of: /(?:src|href)="\/((?:js|css)\/[^"]+)"/).map { "\($0.output.1)" }
    while let path = waiting.popLast() {
      guard loaded.insert(path).inserted, path.hasSuffix(".js") else { continue }
      let folder = (path as NSString).deletingLastPathComponent
      waiting += try text(path).matches(of: /from '(\.\.?\/[^']+)'/).map {
        (folder + "/" + $0.output.1 as NSString).standardizingPath
      }
    }
    return loaded
  }

  @Test("before its first picture the page loads at most 31,350 bytes, without fonts")
  func start() throws {
    let start = try Self.loadedAtStart()
    #expect(start.isSuperset(of: ["js/wire.js", "js/words/start.js", "css/lectern.css"]))
    let sizes = try start.map { ($0, try Self.bytesSent($0)) }
    let bytes = sizes.reduce(0) { $0 + $1.1 }
    // The decoder is 700 bytes longer than one that does not derive entries, and each frame that
    // turns a leaf is 200 bytes shorter. The signal for ready takes 1,400, the cookie of passes and
    // the order in which images are wanted take 120, the words for places take 2,000, the path
    // below which the library is and the code in it take 500, and a covered window, which has no
    // animation frames, takes 680.
    #expect(bytes <= 31_350, "\(bytes) bytes: \(sizes.sorted { $0.1 > $1.1 })")
  }

  /// Files that are loaded after the first picture, by their purpose.
  enum Later: String, CaseIterable {
    case german, session, motion, together, demo, text, settings, windows, printing, controls
    case `continue`

    init(_ path: String) {
      let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
      if path.contains("/de/") {
        self = .german
      } else if path.contains("/session/") || ["input", "session"].contains(name)
        || path == "js/together/wire.js"
      {
        self = .session
      } else if path.contains("/motion") {
        self = .motion
      } else {
        self = Self.allCases.first { path.contains("/\($0)/") || name == "\($0)" } ?? .controls
        if ["light", "offline"].contains(name), self == .controls { self = .settings }
        if name == "print" { self = .printing }
      }
    }

    var limit: Int {
      switch self {
      case .german: 19_600
      // The screen that stays on while somebody reads takes 800 more than the one that stayed on
      // while others did.
      case .session: 27_900
      case .motion: 23_300
      case .together: 35_100
      case .demo: 6_000
      case .text: 20_500
      // What is missing without HTTPS takes 430.
      case .settings: 14_550
      case .windows: 2_500
      case .printing: 4_900
      // How far imports are takes 950, the path below which the library is takes 120, and smaller
      // parts for proxies that accept no larger ones take 110; connections that died unnoticed take
      // 200.
      case .controls: 75_380
      case .continue: 8_900
      }
    }
  }

  @Test("the files that the page loads later are also small", arguments: Later.allCases)
  func later(_ part: Later) throws {
    let start = try Self.loadedAtStart()
    var paths = ["demo.html"]
    for folder in ["js", "css"] {
      let walk = FileManager.default.enumerator(atPath: Self.web.appending(path: folder).path)
      while let path = walk?.nextObject() as? String {
        if path.contains(".") { paths.append(folder + "/" + path) }
      }
    }
    let sizes = try paths.filter { !start.contains($0) && Later($0) == part }
      .map { ($0, try Self.bytesSent($0)) }
    let bytes = sizes.reduce(0) { $0 + $1.1 }
    #expect(!sizes.isEmpty && bytes <= part.limit, "\(part): \(bytes) bytes")
  }
}
