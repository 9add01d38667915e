import PressProtocol
import Testing

@Suite("Messages of faults")
struct FaultTests {
  @Test("are sentences that also say what to do")
  func sentences() {
    var samples = Samples(seed: 1)
    for fault in samples.faults() {
      let sentences = fault.message.split(separator: ". ").count
      #expect(fault.message.hasSuffix("."), "\(fault.message)")
      #expect(sentences >= 2 || fault == .badRequest("") || "\(fault)".contains("does not support"))
    }
  }

  @Test("name the value and the limit")
  func valueAndLimit() {
    #expect(
      PressFault.tooManyPages(300_000, limit: 5_000).message
        == "This book has 300,000 pages; the limit is 5,000. Split it."
    )
    #expect(
      PressFault.fileTooLarge(bytes: 3 << 30, limit: 1 << 30).message
        == "This file is larger than 1 GiB: it has 3 GiB. Split it."
    )
    #expect(
      PressFault.imageTooLarge(name: "a.png", width: 60_000, height: 60_000, limit: 200_000_000)
        .message
        == "Image a.png has 60000 x 60000 pixels; the limit is 200 million. Make it smaller."
    )
    #expect(
      PressFault.entryTooLarge(name: "0001.png", limit: 64 << 20).message
        == "0001.png unpacks to more than 64 MiB. Make it smaller."
    )
  }

  @Test("count pages from 1")
  func pagesFromOne() {
    #expect(PressFault.pageTooLarge(0).message.hasPrefix("Page 1 is too large to show."))
    #expect(PressFault.stopped(page: 11).message.contains("stopped on page 12"))
  }

  @Test("contain no control characters and no endless names")
  func controlCharacters() {
    let name = "\u{1B}[2J\u{202E}" + String(repeating: "x", count: 500)
    let message = PressFault.imageDamaged(name: name).message
    #expect(!message.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
    #expect(message.count < 200)
  }

  @Test("describe how a press ended")
  func endings() {
    #expect(PressFault.ending(signal: 24, diagnostics: "", page: 3) == .tookTooLong(page: 3))
    let abort = "GLib-ERROR **: gmem.c:167: failed to allocate 400000000 bytes"
    #expect(
      PressFault.ending(signal: 5, diagnostics: abort, page: nil) == .neededTooMuchMemory(page: nil)
    )
    #expect(PressFault.ending(signal: 11, diagnostics: "", page: 0) == .stopped(page: 0))
    #expect(PressFault.ending(signal: nil, diagnostics: "x", page: nil) == .stopped(page: nil))
  }
}

@Suite("Limits of a press")
struct LimitTests {
  @Test("only changed limits are passed as arguments")
  func arguments() {
    #expect(PressLimits.standard.arguments == [])
    var limits = PressLimits()
    limits.document.pages = 10
    limits.archive.bytes = 1 << 20
    #expect(limits.arguments == ["--pages=10", "--archive-bytes=1048576"])
    var taken = PressLimits()
    for argument in limits.arguments {
      let isTaken = taken.take(argument)
      #expect(isTaken)
    }
    #expect(taken == limits)
  }

  @Test("every fault has an argument of its own")
  func ownArguments() {
    let names = [
      "file-bytes", "pages", "page-side", "page-aspect", "output-pixels", "output-side",
      "image-pixels", "entries", "entry-bytes", "archive-bytes", "ratio", "ratio-free-bytes",
      "open-seconds", "seconds-per-hundred-pages", "page-seconds", "wall-factor", "memory-bytes",
      "image-memory-bytes", "outline-entries", "outline-depth", "links", "words", "text-bytes",
      "picture-bytes",
    ]
    let arguments = names.enumerated().map { "--\($1)=\(1001 + $0)" }
    var limits = PressLimits()
    let taken = arguments.map { limits.take($0) }
    #expect(taken.allSatisfy { $0 } && limits.arguments == arguments)
  }

  @Test(
    "reject anything but a name and a number",
    arguments: [
      "", "--pages", "--pages=", "--pages=0", "--pages=-4", "--pages=x", "--page=1", "=1",
    ]
  )
  func refuse(_ argument: String) {
    var limits = PressLimits()
    let isTaken = limits.take(argument)
    #expect(!isTaken)
    #expect(limits == .standard)
  }
}
