import Foundation
import Testing

@Suite("Structure")
struct StructureTests {
  static let pureTargets = [
    "Geometry", "Motion", "Bookwork", "Scene", "Staging", "Wire", "Rooms", "PressProtocol",
  ]

  /// The libraries that a pure target may use: its fellows, and C's mathematics.
  static let pureImports = Set(pureTargets + ["Glibc", "Musl"])

  @Test("a pure target imports no Foundation and nothing impure", arguments: pureTargets)
  func pureImports(_ target: String) throws {
    let files = try Repository.swift(under: "Sources/\(target)")
    #expect(!files.isEmpty)
    for file in files {
      #expect(Set(file.imports).subtracting(Self.pureImports) == [], "\(file.path)")
    }
  }

  @Test("a pure target reads no clock, opens no file and starts no thread", arguments: pureTargets)
  func pureCalls(_ target: String) throws {
    let calls = [
      "clock_gettime(", "gettimeofday(", "ContinuousClock", "SuspendingClock", "fopen(",
      "pthread_create(", "Task {", "Task.detached", "SystemRandomNumberGenerator", "getenv(",
    ]
    let hits = try Repository.swift(under: "Sources/\(target)").flatMap { file in
      file.places { line in calls.contains { line.contains($0) } }
    }
    #expect(hits == [])
  }

  @Test("only the server and the headless reader import libwebsockets")
  func interop() throws {
    let allowed = ["Sources/WebServer/", "Sources/HeadlessReader/"]
    let strays = try (Repository.swift(under: "Sources") + Repository.swift(under: "Tests"))
      .filter { file in !allowed.contains { file.path.hasPrefix($0) } }
      .filter { $0.imports.contains("CLibwebsockets") }
    #expect(strays.map(\.path) == [])
  }

  @Test("only the library imports SQLite and libcrypto, and neither shows in its interface")
  func databaseInterop() throws {
    let files = try Repository.swift(under: "Sources") + Repository.swift(under: "Tests")
    let strays = files.filter { file in
      !file.path.hasPrefix("Sources/Library/")
        && !file.imports.allSatisfy { !["CSQLite", "CCrypto"].contains($0) }
    }
    #expect(strays.map(\.path) == [])
    let shown = files.flatMap { file in
      file.places { $0.hasPrefix("public import CSQLite") || $0.hasPrefix("public import CCrypto") }
    }
    #expect(shown == [])
  }

  @Test("libwebsockets never shows in a public interface")
  func hiddenInterop() throws {
    let shown = try Repository.swift(under: "Sources").flatMap { file in
      file.places { $0.hasPrefix("public import CLibwebsockets") }
    }
    #expect(shown == [])
  }

  @Test("the web server and the domain do not know each other")
  func separateServer() throws {
    let domain = Set(Self.pureTargets + ["Library", "Recording"])
    for file in try Repository.swift(under: "Sources/WebServer") {
      #expect(domain.isDisjoint(with: file.imports), "\(file.path)")
    }
    for target in domain {
      for file in try Repository.swift(under: "Sources/\(target)") {
        #expect(!file.imports.contains("WebServer"), "\(file.path)")
      }
    }
  }

  @Test("every event of the log and every metric is explained in the article Operations")
  func operations() throws {
    let article = try Repository.read("Sources/Commands/Commands.docc/Operations.md").lines
    let words = Set(article.flatMap { $0.split(separator: "`").map(String.init) })
    let named = Set(words.map { String($0.prefix { $0 != "{" }) })
    let code = try Repository.swift(under: "Sources")
      .filter { !$0.path.hasPrefix("Sources/Benchmarks/") }
      .flatMap(\.lines).joined(separator: "\n")
    let events = code.matches(of: /LogEvent\("([a-z.]+)"/).map { String($0.output.1) }
    let metrics = code.matches(of: /"lectern_([a-z_]+)"/).map { String($0.output.1) }
    #expect(events.count > 20 && metrics.count > 20)
    #expect(Set(events).count == events.count)
    #expect(Set(events + metrics).subtracting(named) == [])
    let rows = article.filter { $0.hasPrefix("| `") && $0.contains(".") && !$0.contains("_total") }
    let told = rows.flatMap { row in row.matches(of: /`([a-z]+\.[a-z]+)`/).map(\.output.1) }
    #expect(Set(told.map(String.init)).subtracting(events) == [])
  }

  @Test("only what touches the outside logs")
  func logging() throws {
    for target in Self.pureTargets {
      for file in try Repository.swift(under: "Sources/\(target)") {
        #expect(!file.imports.contains("Telemetry"), "\(file.path)")
      }
    }
  }

  @Test("tests are written with Swift Testing only")
  func oneTestLibrary() throws {
    let others = try Repository.swift(under: "Tests").filter { $0.imports.contains("XCTest") }
    #expect(others.map(\.path) == [])
  }

  @Test("the top level holds the fixed names, and dotfiles")
  func topLevel() throws {
    let fixed: Set = [
      "Package.swift", "Sources", "Tests", "Web", "Scripts", "README.md", "LICENSE", "CHANGELOG.md",
    ]
    let strays = try Repository.topLevel().filter { !$0.hasPrefix(".") && !fixed.contains($0) }
    #expect(strays == [])
  }

  @Test("every script can be run, says how, and stops at the first error")
  func scripts() throws {
    let paths = Repository.paths(under: "Scripts").filter { path in
      (path as NSString).pathExtension.isEmpty && !path.hasPrefix("Scripts/deploy/")
    }
    #expect(!paths.isEmpty)
    for path in paths + [".ci/run"] {
      let full = Repository.root.appending(path: path).path
      #expect(FileManager.default.isExecutableFile(atPath: full), "\(path)")
      let lines = try Repository.read(path).lines
      #expect(lines.first == "#!/usr/bin/env bash", "\(path)")
      #expect(lines.dropFirst().first?.hasPrefix("# ") == true, "\(path)")
      #expect(lines.contains("set -euo pipefail"), "\(path)")
    }
  }

  /// Files of the page by their paths: what index.html, its styles and the modules that main.js
  /// imports come to, since all of these are loaded before the first picture.
  static func loadedAtStart() throws -> Set<String> {
    let index = try Repository.read("Web/index.html").lines.joined(separator: "\n")
    let named = index.matches(of: /(?:src|href)="\/((?:js|css)\/[^"]+)"/)
    var loaded: Set = ["Web/index.html"]
    var waiting = named.map { "Web/" + $0.output.1 }
    while let path = waiting.popLast() {
      guard loaded.insert(path).inserted, path.hasSuffix(".js") else { continue }
      let code = try Repository.read(path).lines.joined(separator: "\n")
      let folder = (path as NSString).deletingLastPathComponent
      waiting += code.matches(of: /from '(\.\.?\/[^']+)'/).map {
        (folder + "/" + $0.output.1 as NSString).standardizingPath
      }
    }
    return loaded
  }

  @Test("what the page loads before its first picture is under 61.5 KB, its fonts apart")
  func startSize() throws {
    let start = try Self.loadedAtStart()
    #expect(start.contains("Web/js/wire.js") && start.contains("Web/css/lectern.css"))
    let bytes = try start.reduce(0) { try $0 + Repository.size(of: $1) }
    #expect(bytes < 61_500, "\(bytes) bytes: \(start.sorted())")
  }

  /// What is fetched after the first picture, by whom it is for.
  enum Later: String, CaseIterable {
    case beside, together, demo, controls

    init(_ path: String) {
      let always = ["Web/js/input.js", "Web/js/together/wire.js"]
      if always.contains(path) || path.hasPrefix("Web/js/beside/") {
        self = .beside
      } else if path == "Web/css/together.css" || path.hasPrefix("Web/js/together/") {
        self = .together
      } else if ["Web/demo.html", "Web/js/demo.js", "Web/css/demo.css"].contains(path) {
        self = .demo
      } else {
        self = .controls
      }
    }

    var limit: Int {
      switch self {
      case .beside: 56_000
      case .together: 76_000
      case .demo: 16_000
      case .controls: 118_000
      }
    }
  }

  @Test("what the page loads later stays small as well", arguments: Later.allCases)
  func laterSize(_ part: Later) throws {
    let start = try Self.loadedAtStart()
    let paths = ["Web/js", "Web/css", "Web/demo.html"].flatMap(Repository.paths(under:))
    let bytes = try paths.filter { !start.contains($0) && Later($0) == part }
      .reduce(0) { try $0 + Repository.size(of: $1) }
    #expect(bytes < part.limit, "\(part): \(bytes) bytes")
  }
}
