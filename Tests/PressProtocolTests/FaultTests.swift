import PressProtocol
import Testing

@Suite("Faults")
struct FaultTests {
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
      let isTaken = taken.parse(argument)
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
    let taken = arguments.map { limits.parse($0) }
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
    let isTaken = limits.parse(argument)
    #expect(!isTaken)
    #expect(limits == .standard)
  }
}
