import Foundation
import Glibc
import Notices
import PressProtocol
import Telemetry
import TestDocuments
import TestLogs
import Testing

@testable import Pressroom

extension PressesTests {
  @Suite("Pressroom")
  struct PressroomTests {
    let folder = TemporaryFolder()
    let answers = Answers()

    @Test("pages of a document are rendered by one press, one after another")
    func prints() throws {
      let room = try Pressroom.standIn()
      let book = try folder.write("book", "pages 3")
      for page in 0..<3 {
        room.print(job(book, page), priority: .thumbnail, completion: answers.completion(page))
        try answers.wait(1)
      }
      let words = try (0..<3).map { try answers.words($0) }
      #expect(words.map { $0[1] } == ["0", "1", "2"])
      #expect(words.allSatisfy { $0[2] == "300" && $0[3] == "onDemand" })
      #expect(Set(words.map { $0[0] }).count == 1)
      room.stop()
    }

    @Test("a press has its document, three pipes, a minimal environment and nothing else")
    func bare() throws {
      let room = try Pressroom.standIn(change: { $0.press.document.pages = 77 })
      // This descriptor is open in this process but must not be in the press.
      let stray = open("/dev/null", O_RDONLY)
      defer { close(stray) }
      let session = try room.session(folder.write("book", "pages 1"))
      let text = try session.page(0).text.split(separator: "\n").map(String.init)
      #expect(text.first == "0,1,2,3")
      #expect(text.dropFirst().first == "LANG=C.UTF-8 MALLOC_ARENA_MAX=2 SWIFT_BACKTRACE=enable=no")
      // The layout engine follows if it is installed.
      #expect(text.last?.split(separator: " ").first == "--pages=77")
      room.stop()
    }

    @Test("an image is read from its file, which must be a regular file")
    func images() throws {
      let room = try Pressroom.standIn(folder)
      let image = try folder.write("image", "pages 1")
      let outside = TemporaryFolder()
      let link = folder.path + "/link"
      let far = outside.path + "/link"
      for path in [link, far] { symlink(image, path) }
      mkfifo(folder.path + "/pipe", 0o600)
      let paths = [image, link, far, folder.path + "/none", folder.path + "/pipe", folder.path]
      for (page, path) in paths.enumerated() {
        let job = PressWork.page(page, image: path, size: .screen)
        room.print(job, priority: .background, completion: answers.completion(page))
      }
      try answers.wait(6)
      #expect(try answers.words(0)[1...] == ["7", "1600", "idle"])
      #expect(throws: PressFault.self) { try answers[1].first?.get() }
      #expect(try answers.words(2)[1] == "7")
      for (page, name) in [(3, "none"), (4, "pipe"), (5, "lectern-")] {
        guard case .failure(.unreadable(let found, _)) = answers[page].first else {
          Issue.record("\(name) was read")
          continue
        }
        #expect(found.hasPrefix(name))
      }
      #expect(try room.imageFacts(image).width == 30)
      room.stop()
    }

    @Test("equal requests are rendered once, and a cancelled one is not answered")
    func coalescing() throws {
      let room = try Pressroom.standIn()
      let book = try folder.write("book", "pages 3\nslow 100")
      for number in 0..<3 {
        room.print(job(book, 1), priority: .visible, completion: answers.completion(number))
      }
      let ticket = room.print(job(book, 1), priority: .visible, completion: answers.completion(3))
      ticket.cancel()
      try answers.wait(3)
      #expect(Set(try (0..<3).map { try answers.words($0)[0] }).count == 1)
      ticket.cancel()
      room.stop()
      #expect(answers[3] == [])
    }

    @Test("a ticket that is cancelled before it is sent requests nothing")
    func cancelledEarly() throws {
      let room = try Pressroom.standIn()
      let book = try folder.write("book", "pages 3")
      let ticket = PrintTicket(.visible)
      ticket.cancel()
      #expect(!ticket.isOpen && !ticket.close())
      room.print(job(book, 1), for: ticket, completion: answers.completion(1))
      room.print(job(book, 2), priority: .background, completion: answers.completion(2))
      try answers.wait(1)
      room.stop()
      #expect(answers.all.keys.sorted() == [2])
    }

    @Test("hundreds of pages of one requester delay another requester by only a few")
    func fairness() throws {
      let room = try Pressroom.standIn(change: { $0.slots = 2 })
      let book = try folder.write("book", "pages 1000\nslow 5")
      for page in 0..<450 {
        room.print(
          job(book, page, .zoom),
          priority: .unseen,
          for: Requester("greedy"),
          completion: answers.completion(page)
        )
      }
      try answers.wait(20)
      let before = answers.all.count
      room.print(
        job(book, 999),
        priority: .next,
        for: Requester("modest"),
        completion: answers.completion(999)
      )
      while answers[999].isEmpty { try answers.wait(1) }
      // Two presses may each have two pages in progress when one is taken in turn.
      #expect(answers.all.count - before < 60)
      room.stop()
    }

    @Test("a file that replaces another is a separate document with its own press")
    func replaced() throws {
      let room = try Pressroom.standIn()
      let book = try folder.write("book", "pages 3")
      let session = try room.session(book)
      #expect(session.facts.pages.count == 3)
      _ = try folder.write("book", "pages 5")
      #expect(try room.session(book).facts.pages.count == 5)
      try Data("pages 7".utf8).write(to: URL(fileURLWithPath: book), options: .atomic)
      #expect(try room.session(book).facts.pages.count == 7)
      room.print(job(book, 6), priority: .visible, completion: answers.completion(0))
      try answers.wait(1)
      #expect(try answers.words(0)[1] == "6")
      room.stop()
    }

    @Test("the fault of a document is reported")
    func faults() throws {
      let room = try Pressroom.standIn()
      let damaged = try folder.write("damaged", "damaged")
      let locked = try folder.write("locked", "pages 2\npassword sesame")
      #expect(throws: PressFault.damaged(.pdf)) { try room.session(damaged) }
      #expect(throws: PressFault.encrypted) { try room.session(locked) }
      #expect(throws: PressFault.wrongPassword) { try room.session(locked, password: "open") }
      #expect(try room.session(locked, password: "sesame").facts.pages.count == 2)
      room.print(job(locked, 0), priority: .visible, completion: answers.completion(0))
      let job = job(locked, 9, .zoom, password: "sesame")
      room.print(job, priority: .visible, completion: answers.completion(1))
      try answers.wait(2)
      #expect(answers[0] == [.failure(.encrypted)])
      #expect(answers[1] == [.failure(.noSuchPage(9, count: 2))])
      guard
        case .unreadable? = #expect(
          throws: PressFault.self,
          performing: {
            try room.session(folder.path + "/nothing")
          }
        )
      else {
        Issue.record("a missing file has no other fault")
        return
      }
      room.stop()
    }

    @Test("a press that crashes is replaced; a second crash is reported")
    func deaths() throws {
      let captured = try CapturedLog()
      let room = try Pressroom.standIn(log: captured.log)
      let unlucky = try folder.write("unlucky", "pages 3\nonce \(folder.path)/mark")
      let bad = try folder.write("bad", "pages 3\ndie 1\nmutter woe")
      let worse = try folder.write("worse", "die-open")
      room.print(job(unlucky, 1), priority: .visible, completion: answers.completion(0))
      room.print(job(bad, 1), priority: .visible, completion: answers.completion(1))
      room.print(job(worse, 1), priority: .visible, completion: answers.completion(2))
      room.print(job(bad, 2), priority: .visible, completion: answers.completion(3))
      try answers.wait(4)
      #expect(try answers.words(0)[1] == "1")
      #expect(answers[1] == [.failure(.stopped(page: 1))])
      #expect(answers[2] == [.failure(.stopped(page: nil))])
      #expect(try answers.words(3)[1] == "2")
      room.stop()
      let crashes = captured.lines(of: "press.crashed")
      #expect(Set(crashes.map { $0["file"] }) == ["unlucky", "bad", "worse"])
      #expect(crashes.contains { $0["file"] == "bad" && $0["said"] == "woe" && $0["page"] == "2" })
      #expect(captured.lines(of: "press.killed").isEmpty)
    }

    @Test("a page that never ends is abandoned, and the next one is rendered")
    func hanging() throws {
      let captured = try CapturedLog()
      let room = try Pressroom.standIn(log: captured.log) {
        $0.press.time.pageSeconds = 1
        $0.press.time.wallFactor = 1
      }
      let book = try folder.write("book\n\u{202E}", "pages 3\nhang 1")
      for page in 0..<3 {
        room.print(job(book, page), priority: .visible, completion: answers.completion(page))
      }
      try answers.wait(3)
      #expect(try answers.words(0)[1] == "0")
      #expect(answers[1] == [.failure(.tookTooLong(page: 1))])
      #expect(try answers.words(2)[1] == "2")
      room.stop()
      let killed = captured.lines(of: "press.killed")
      #expect(killed.count == 1 && killed[0]["file"] == "book\n\u{202E}")
      #expect(killed.first?["cause"]?.contains("too long") == true)
      #expect(captured.text.contains(#""file":"book\n\u202e""#))
    }

    @Test("a press that cannot confine itself is reported to readers and in the log")
    func unconfined() throws {
      let captured = try CapturedLog(level: .error)
      let room = try Pressroom.standIn(log: captured.log)
      defer { room.stop() }
      let path = try folder.write("book", "pages 3\nloose")
      let fault = #expect(throws: PressFault.self) { try room.session(path) }
      #expect(fault?.notice.message.contains("See the log") == true)
      #expect(captured.lines(of: "press.unconfined").map { $0["call"] } == ["landlock"])
    }

    @Test("a program that cannot be started is reported in the log")
    func noProgram() throws {
      let captured = try CapturedLog(level: .error)
      let room = try Pressroom(press: "/nowhere/press", cores: 2, log: captured.log)
      defer { room.stop() }
      let path = try folder.write("book", "pages 3")
      #expect(throws: PressFault.self) { try room.session(path) }
      let lines = captured.lines(of: "press.failed")
      #expect(!lines.isEmpty && lines.allSatisfy { $0["program"] == "/nowhere/press" })
    }

    @Test("a press that sends invalid bytes is not trusted")
    func nonsense() throws {
      let room = try Pressroom.standIn()
      let book = try folder.write("book", "pages 3\ngarbage 0\nliar 1")
      for page in 0..<3 {
        room.print(job(book, page), priority: .visible, completion: answers.completion(page))
      }
      try answers.wait(3)
      #expect(answers[0] == [.failure(.stopped(page: 0))])
      #expect(answers[1] == [.failure(.stopped(page: 1))])
      #expect(try answers.words(2)[1] == "2")
      room.stop()
    }

    @Test("large images and pictures pass through the pipes complete")
    func large() throws {
      let room = try Pressroom.standIn()
      let text = "big 9000000\n"
      let image = try folder.write("image", text + String(repeating: "\n", count: 20_000_000))
      let job = PressWork.page(0, image: image, size: .zoom)
      room.print(job, priority: .visible, completion: answers.completion(0))
      try answers.wait(1)
      #expect(try answers[0].first?.get().bytes.count == 9_000_000)
      #expect(try answers.words(0)[1] == "\(20_000_000 + text.utf8.count)")
      room.stop()
    }

    @Test("an archive arrives image by image, no faster than images are taken")
    func extraction() throws {
      let room = try Pressroom.standIn()
      let session = try room.session(folder.write("book", "entries 200 100000"))
      #expect(session.facts.needsExtraction)
      var seen: [Int] = []
      let facts = try session.extract { asset in
        seen.append(asset.page)
        #expect(asset.bytes.count == 100_000)
      }
      #expect(seen == Array(0..<200))
      #expect(facts.pages.count == 200)
      room.stop()
    }

    @Test("an extraction ends with a reason if its receiver gives up or its press crashes")
    func brokenExtraction() throws {
      let room = try Pressroom.standIn()
      let session = try room.session(folder.write("book", "entries 200 100000"))
      var count = 0
      #expect(throws: CancellationError.self) {
        try session.extract { _ in
          count += 1
          if count == 3 { throw CancellationError() }
        }
      }
      #expect(count == 3)
      let dying = try room.session(folder.write("dying", "entries 200 10\ndie-entry 5"))
      count = 0
      #expect(throws: PressFault.stopped(page: nil)) { try dying.extract { _ in count += 1 } }
      #expect(count == 5)
      room.stop()
    }

    @Test("a page that a reader looks at is rendered while an import uses its press")
    func reserve() throws {
      let room = try Pressroom.standIn()
      let archive = try room.session(folder.write("archive", "entries 50 10"))
      let book = try folder.write("book", "pages 1")
      var printed = false
      try archive.extract { _ in
        guard !printed else { return }
        room.print(job(book, 0), priority: .visible, completion: answers.completion(0))
        try answers.wait(1)
        printed = true
      }
      #expect(try answers.words(0)[1] == "0")
      room.stop()
    }

    @Test("after a stop there is no press and no open pipe, and every request is answered")
    func stopping() async {
      // Runs in a separate process, because other tests also start processes and open pipes.
      await #expect(processExitsWith: .success) {
        try PressesTests.PressroomTests.stopAndLook()
      }
    }

    private static func stopAndLook() throws {
      let folder = TemporaryFolder()
      let answers = Answers()
      let before = Belongings(folder: folder.path)
      do {
        let room = try Pressroom.standIn()
        let book = try folder.write("book", "pages 50\nslow 20")
        for page in 0..<50 {
          room.print(job(book, page), priority: .next, completion: answers.completion(page))
        }
        try answers.wait(3)
        room.stop()
        room.print(job(book, 0), priority: .next, completion: answers.completion(50))
        #expect(throws: PressFault.closing) { try room.session(book) }
        try answers.wait(48)
      }
      try #require(answers.all.values.allSatisfy { $0.count == 1 })
      try #require(Belongings(folder: folder.path) == before)
    }

    @Test("the real press opens, reads and renders a document")
    func real() throws {
      let room = try Pressroom(press: TestProgram.path("lectern-press"), cores: 2)
      let path = try folder.write("book.pdf", SamplePDF.text(pages: 3))
      let session = try room.session(path)
      #expect(session.facts.pages.map(\.height) == [400, 400, 400])
      #expect(try session.page(1).text.contains("Page 2"))
      #expect(try session.outline() == [])
      room.print(job(path, 2, .screen), priority: .visible, completion: answers.completion(0))
      try answers.wait(1)
      let rendition = try #require(answers[0].first).get()
      #expect(rendition.height == 1600)
      #expect(rendition.mediaType == .webp)
      session.close()
      room.stop()
    }

    @Test("a missing program causes no wait")
    func missing() throws {
      let room = try Pressroom(press: "/nowhere/press", cores: 2)
      let book = try folder.write("book", "pages 1")
      room.print(job(book, 0), priority: .visible, completion: answers.completion(0))
      try answers.wait(1)
      #expect(answers[0] == [.failure(.stopped(page: nil))])
      let image = PressWork.page(0, image: book, size: .thumb)
      room.print(image, priority: .visible, completion: answers.completion(1))
      try answers.wait(1)
      #expect(throws: PressFault.self) { try answers[1].first?.get() }
    }
  }
}

/// Shares a value that cannot be copied.
final class Shared<Value: ~Copyable & Sendable>: Sendable {
  let value: Value
  init(_ value: consuming Value) { self.value = value }
}
