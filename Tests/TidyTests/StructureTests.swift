import Foundation
import Testing

@Suite("Structure")
struct StructureTests {
  static let pureTargets = [
    "Bytes", "Rates", "Notices", "Motion", "Scene", "Staging", "Wire", "Fabric", "Gateway", "Rooms",
    "PressProtocol",
  ]

  /// The libraries that a pure target may import: other pure targets, and mathematics in C.
  // Synchronization is allowed because several threads assign numbers; a lock starts no thread and
  // reads no clock.
  static let pureImports = Set(pureTargets + ["Glibc", "Musl", "Synchronization"])

  @Test("a pure target imports neither Foundation nor an impure target", arguments: pureTargets)
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
      file.places(ofAny: calls)
    }
    #expect(hits == [])
  }

  // The compiler drops the bodies of functions with package access, so that they are neither
  // inlined nor specialized in other modules.
  @Test("what is inlinable is public")
  func inlinable() throws {
    let calls = ["@inlinable package", "@inlinable @inline(__always) package"]
    let hits = try Repository.swift(under: "Sources").flatMap { $0.places(ofAny: calls) }
    #expect(hits == [])
  }

  @Test("the architecture article names only types that exist")
  func article() throws {
    let path = "Sources/Commands/Commands.docc/Architecture.md"
    let article = try Repository.read(path).lines.joined()
    let named = Set(article.matches(of: /``(\w+)``/).map { String($0.1) })
    let kinds = ["struct ", "class ", "enum ", "protocol "]
    let declared = try Repository.swift(under: "Sources").flatMap { file in
      file.lines.filter { line in kinds.contains { line.contains($0) } }.flatMap { line in
        line.matches(of: /(?:struct|class|enum|protocol) (\w+)/).map { String($0.1) }
      }
    }
    #expect(named.count > 50 && named.subtracting(declared) == [])
  }

  @Test("only the server and the headless reader import libwebsockets")
  func interop() throws {
    let allowed = ["Sources/WebServer/", "Sources/HeadlessReader/"]
    let strays = try (Repository.swift(under: "Sources") + Repository.swift(under: "Tests"))
      .filter { file in !allowed.contains { file.path.hasPrefix($0) } }
      .filter { $0.imports.contains("CLibwebsockets") }
    #expect(strays.map(\.path) == [])
  }

  @Test(
    "SQLite, libcrypto and libcurl are imported by the targets that wrap them only",
    arguments: [
      ("CSQLite", ["Library"]), ("CCrypto", ["Commands", "Library", "SharedStore"]),
      ("CCurl", ["SharedStore"]),
    ]
  )
  func databaseInterop(_ library: String, _ targets: [String]) throws {
    let files = try Repository.swift(under: "Sources") + Repository.swift(under: "Tests")
    let strays = files.filter { file in
      !targets.contains { file.path.hasPrefix("Sources/\($0)/") } && file.imports.contains(library)
    }
    #expect(strays.map(\.path) == [])
    #expect(files.flatMap { $0.placesThatShow(library) } == [])
  }

  @Test("only the bus over NATS imports its client, which is not part of its interface")
  func natsInterop() throws {
    let files = try Repository.swift(under: "Sources") + Repository.swift(under: "Tests")
    let users = files.filter { $0.imports.contains("CNATS") }
    #expect(!users.isEmpty && users.allSatisfy { $0.path.hasPrefix("Sources/FabricNATS/") })
    #expect(users.flatMap { $0.placesThatShow("CNATS") } == [])
  }

  @Test("libwebsockets is not part of an interface")
  func hiddenInterop() throws {
    let shown = try Repository.swift(under: "Sources").flatMap {
      $0.placesThatShow("CLibwebsockets")
    }
    #expect(shown == [])
  }

  @Test("the web server and the domain are independent")
  func separateServer() throws {
    let domain = Set(Self.pureTargets + ["Library", "Recording"]).subtracting(["Bytes", "Rates"])
    for file in try Repository.swift(under: "Sources/WebServer") {
      #expect(domain.isDisjoint(with: file.imports), "\(file.path)")
    }
    for target in domain {
      for file in try Repository.swift(under: "Sources/\(target)") {
        #expect(!file.imports.contains("WebServer"), "\(file.path)")
      }
    }
  }

  @Test("the article Monitoring explains every event of the log and every metric")
  func operations() throws {
    let article = try Repository.read("Sources/Commands/Commands.docc/Monitoring.md").lines
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

  @Test("pure targets do not log")
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

  @Test("the root contains the fixed names and dotfiles only")
  func topLevel() throws {
    let fixed: Set = [
      "Package.swift", "Sources", "Tests", "Web", "Scripts", "README.md", "LICENSE", "CHANGELOG.md",
    ]
    let strays = try Repository.topLevel().filter { !$0.hasPrefix(".") && !fixed.contains($0) }
    #expect(strays == [])
  }

  @Test("every script is executable, documents its usage, and stops at the first error")
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
}
