import Foundation
import Glibc
import PressProtocol
import Telemetry
import TestDocuments
import TestLogs
import Testing

@testable import Pressroom

extension PressesTests {
  /// A press that its document has compromised sends anything, for as long as it likes.
  @Suite("Limits of a press's replies")
  struct PressBoundsTests {
    let folder = TemporaryFolder()

    /// Extracts an archive of the fake press.
    /// - Returns: How the extraction ended, and the bytes of the images.
    private func extract(
      _ orders: String
    ) throws -> (end: PressFault?, images: Int, bytes: Int, log: [CapturedLog.Line]) {
      let captured = try CapturedLog()
      let room = try Pressroom.standIn(log: captured.log)
      defer { room.stop() }
      var images = 0
      var bytes = 0
      var end: PressFault?
      do {
        let session = try room.session(try folder.write("\(UUID())", orders))
        try session.extract { asset in
          images += 1
          bytes += asset.bytes.count
        }
      } catch let fault as PressFault {
        end = fault
      }
      return (end, images, bytes, captured.lines(of: "press.killed"))
    }

    @Test("an archive whose images respect the limits is extracted")
    func good() throws {
      let all = try extract("entries 30 1000000")
      #expect(all.end == nil && all.images == 30 && all.bytes == 30_000_000)
    }

    @Test("a press is killed when its images exceed the limit for an archive of that size")
    func bytes() throws {
      let limits = PressLimits()
      let all = try extract("entries 5000 8000000")
      #expect(all.end == .archiveTooLarge(limit: limits.archive.ratioFreeBytes))
      #expect(all.bytes <= limits.archive.ratioFreeBytes)
    }

    @Test(
      "a press is killed when it sends endless images, an image twice, or endless facts",
      arguments: ["entries 100000 1", "entries 9 1\ntwice 4", "entries 9 1\nbabble"]
    )
    func senseless(_ orders: String) throws {
      let all = try extract(orders)
      #expect(all.end == .stopped(page: nil))
      #expect(all.images <= PressLimits().document.pages)
      #expect(all.log.count == 1 && all.log[0]["cause"]?.isEmpty == false)
    }

    @Test("a press is killed at the first bytes of a reply that is too long")
    func length() throws {
      let room = try Pressroom.standIn()
      defer { room.stop() }
      let path = try folder.write("long", "pages 9\nbig 80000000")
      let answers = Answers()
      room.print(job(path, 1), priority: .visible, completion: answers.completion(1))
      try answers.wait(1)
      #expect(throws: PressFault.stopped(page: 1)) { try answers[1].first?.get() }
    }

    @Test("a press is killed when it writes too many diagnostics")
    func complaints() throws {
      let captured = try CapturedLog()
      let room = try Pressroom.standIn(log: captured.log)
      defer { room.stop() }
      let path = try folder.write("loud", "pages 9\nshout")
      let answers = Answers()
      room.print(job(path, 1), priority: .visible, completion: answers.completion(1))
      try answers.wait(1)
      #expect(throws: PressFault.stopped(page: 1)) { try answers[1].first?.get() }
      let lines = captured.lines(of: "press.killed")
      #expect(!lines.isEmpty && lines.allSatisfy { $0["cause"] == "it wrote too many diagnostics" })
      // Its diagnostics are one line without characters that move a cursor.
      #expect(lines.allSatisfy { $0["said"]?.contains("help") == true })
      let raw = captured.text.split(separator: "\n")
      #expect(raw.count == lines.count)
      #expect(raw.allSatisfy { $0.utf8.count < 2_000 && !$0.contains("\u{1B}") })
    }

    @Test("its titles are truncated and cannot change the direction of text")
    func title() throws {
      let room = try Pressroom.standIn()
      defer { room.stop() }
      let facts = try room.session(try folder.write("title", "pages 1\nboast 400000")).facts
      #expect(facts.title.count == PressText.title.characters)
      #expect(facts.title.utf8.count <= PressText.title.bytes)
      #expect(facts.title.hasSuffix("…"))
      #expect(!facts.title.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    }
  }
}
