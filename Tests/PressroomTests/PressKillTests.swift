import Foundation
import Glibc
import PressProtocol
import TestDocuments
import TestVectors
import Testing

@testable import Library
@testable import Pressroom

extension PressesTests {
  /// Kills presses from outside at any moment while they are busy.
  @Suite("Killed presses")
  struct PressKillTests {
    private static let isLong = ProcessInfo.processInfo.environment["LECTERN_LONG_TESTS"] == "1"

    @Test("every request is answered, and no file, process or descriptor is left behind")
    func standIn() async {
      await #expect(processExitsWith: .success) {
        try PressesTests.PressKillTests.kill("stand-in-press")
      }
    }

    @Test("every request to the real press is answered, and nothing is left behind")
    func real() async {
      await #expect(processExitsWith: .success) {
        try PressesTests.PressKillTests.kill("lectern-press")
      }
    }

    /// Runs in a separate process, because other tests also start processes and open pipes.
    private static func kill(_ program: String) throws {
      let books = TemporaryFolder()
      let pictures = TemporaryFolder()
      let before = Belongings(folder: books.path)
      let answers = Answers()
      let cache = try RenditionCache(folder: pictures.path, bytesMax: 200_000)
      let seed = UInt64.random(in: 0..<1_000_000)
      var random = SplitMix64(seed: seed)
      var asked = 0
      var kills = 0
      do {
        var limits = ScheduleLimits()
        limits.retention = 0
        let room = try Pressroom(press: TestProgram.path(program), limits: limits)
        let others = Set(before.children)
        let paths = try (0..<4).map { book in
          try books.write(
            "book\(book)",
            program == "stand-in-press" ? "pages 40\nslow 2\nbig 5000" : SamplePDF.text(pages: 40)
          )
        }
        let start = Date()
        while isLong ? Date().timeIntervalSince(start) < 60 : kills < 25 {
          for _ in 0..<8 {
            let number = asked
            asked += 1
            let book = Int.random(in: 0..<4, using: &random)
            let page = Int.random(in: 0..<40, using: &random)
            let key = RenditionKey(book: "\(book)", page: page, size: .thumb, revision: 1)
            let completion = answers.completion(number)
            room.print(
              job(paths[book], page),
              priority: PrintPriority.allCases.randomElement(using: &random) ?? .visible
            ) { answer in
              if case .success(let rendition) = answer { _ = try? cache.store(rendition, for: key) }
              completion(answer)
            }
          }
          try answers.wait(4)
          // Only presses count: earlier children belong to other tests.
          let presses = Belongings(folder: books.path).children.filter { !others.contains($0) }
          if let victim = presses.randomElement(using: &random) {
            Glibc.kill(victim, SIGKILL)
            kills += 1
          }
          try answers.wait(4)
        }
        room.stop()
      }
      let all = answers.all
      try #require(all.count == asked, "seed \(seed)")
      try #require(all.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
      let good = all.values.count { if case .success = $0[0] { true } else { false } }
      let allowed = all.values.compactMap { answer -> PressFault? in
        if case .failure(let fault) = answer[0] { fault } else { nil }
      }
      // Two kills may affect both attempts at one job; no other failure is allowed.
      try #require(
        allowed.allSatisfy { if case .stopped = $0 { true } else { false } },
        "\(allowed)"
      )
      try #require(good > all.count / 2, "seed \(seed)")
      try #require(pictures.files().count == cache.count)
      try #require(pictures.files().allSatisfy { !$0.contains(".tmp-") })
      try #require(Belongings(folder: books.path) == before, "seed \(seed)")
    }
  }
}
