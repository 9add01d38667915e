import Bytes
import PressProtocol
import Testing

@Suite("Texts from documents")
struct TextTests {
  @Test(
    "become one line without control characters and changes of direction",
    arguments: [
      ("", ""), ("Plain", "Plain"), ("  two\r\n\twords ", "two words"), ("a\0b\u{7F}c", "a b c"),
      ("\u{202E}txt.exe\u{202C}", "txt.exe"), ("a\u{2066}b\u{2069}\u{FEFF}", "ab"),
      ("漢\u{3000}字", "漢 字"), ("e\u{301}", "e\u{301}"),
      ("\u{200F}\u{5D0}", "\u{200F}\u{5D0}"),
      ("x\u{FFFE}y\u{1FFFF}", "xy"), ("\u{1B}[2Jtitle", "[2Jtitle"), ("\n\n", ""),
    ]
  )
  func line(_ text: String, _ line: String) {
    #expect(PressText.line(text, PressText.title) == line)
  }

  @Test("are truncated at the limits between characters, and then stay unchanged")
  func truncation() {
    let letters = Array("a b\u{301}漢👩‍👩‍👧\0\u{202E}\n🏴󠁧󠁢󠁥󠁮󠁧󠁿")
    for seed in UInt64(0)..<200 {
      var samples = Samples(seed: seed)
      let text = String(
        (0..<samples.int(0...900)).map { _ in letters[samples.int(0...letters.count - 1)] }
      )
      for limit in [PressText.title, PressText.label, PressText.name] {
        let line = PressText.line(text, limit)
        #expect(line.count <= limit.characters && line.utf8.count <= limit.bytes, "seed \(seed)")
        #expect(PressText.line(line, limit) == line, "seed \(seed)")
      }
    }
  }

  @Test("take linear time, whatever they contain")
  func linearTime() {
    let accents = "a" + String(repeating: "\u{301}", count: 500_000)
    #expect(PressText.line(accents, PressText.title).utf8.count <= PressText.title.bytes)
    let spaces = String(repeating: " ", count: 500_000) + "end"
    #expect(PressText.line(spaces, PressText.title) == "end")
  }

  @Test(
    "are language tags only if they have the form of one",
    arguments: [
      ("ja", "ja"), ("pt_BR", "pt-BR"), (" en ", "en"), ("", ""), ("<b>", ""),
      (String(repeating: "a", count: 36), ""), ("日本語", ""),
    ]
  )
  func language(_ text: String, _ tag: String) {
    #expect(PressText.language(text) == tag)
  }

  @Test("are addresses only on one line and of bounded length")
  func addresses() {
    #expect(PressText.isAddress("https://example.org/a b?c=ü"))
    let long = String(repeating: "a", count: PressText.addressBytes + 1)
    for text in ["", "a\nb", "a\0", "\u{202E}moc", long] { #expect(!PressText.isAddress(text)) }
  }
}

@Suite("Replies of a compromised press")
struct HostileReplyTests {
  private func read(_ reply: PressReply, _ limits: PressLimits = .standard) throws -> PressReply {
    try PressReply(decoding: Array(reply.encoded().dropFirst(PressFrame.headerBytes)), limits)
  }

  @Test("have sanitised texts after decoding")
  func sanitised() throws {
    let long = String(repeating: "\u{202E}title\n", count: 100_000)
    let page = PageFacts(width: 1, height: 1, label: long)
    let facts = DocumentFacts(
      format: .pdf,
      title: long,
      author: long,
      language: long,
      pages: [page]
    )
    #expect(try read(.opened(facts)) == .opened(facts.fit))
    #expect(facts.fit.title.utf8.count <= PressText.title.bytes && facts.fit.language.isEmpty)
    let entry = OutlineEntry(depth: 0, title: long, page: nil)
    guard case .outline(let entries) = try read(.outline([entry])) else { return }
    #expect(entries[0].title == PressText.line(long, PressText.entry))
    guard case .fault(.imageDamaged(let name)) = try read(.fault(.imageDamaged(name: long))) else {
      Issue.record("another fault")
      return
    }
    #expect(name.utf8.count <= PressText.reason.bytes && !name.contains("\n"))
  }

  @Test("are rejected if they exceed the limits")
  func tooManyItems() {
    var limits = PressLimits()
    limits.document.pages = 2
    (limits.content.outlineEntries, limits.content.words, limits.content.links) = (2, 2, 2)
    let page = PageFacts(width: 1, height: 1)
    let box = Box(x0: 0, y0: 0, x1: 1, y1: 1)
    let image = ImageFacts(format: .png, width: 1, height: 1)
    let replies: [PressReply] = [
      .opened(DocumentFacts(format: .pdf, pages: [page, page, page])),
      .opened(DocumentFacts(format: .zip, besides: [String](repeating: "a", count: 17))),
      .outline([OutlineEntry](repeating: OutlineEntry(depth: 0, title: "", page: 0), count: 3)),
      .outline([OutlineEntry(depth: 16, title: "", page: 0)]),
      .page(
        PageContent(words: [WordBox](repeating: WordBox(start: 0, length: 0, box: box), count: 3))
      ),
      .page(
        PageContent(links: [LinkBox](repeating: LinkBox(box: box, target: .page(0)), count: 3))
      ),
      .page(PageContent(text: String(repeating: "a", count: limits.content.textBytes + 1))),
      .page(PageContent(text: "a\0b")), .page(PageContent(text: "\u{202E}ab")),
      .page(PageContent(links: [LinkBox(box: box, target: .uri("a\nb"))])),
      .asset(Asset(page: 2, name: "", bytes: [], facts: image)),
      .rendition(RenditionBytes(bytes: [], mediaType: .png, width: 0, height: 1, kind: .text)),
      .rendition(RenditionBytes(bytes: [], mediaType: .png, width: 1, height: 16_384, kind: .text)),
      .opened(DocumentFacts(format: .pdf, pages: [PageFacts(width: 1e300, height: 1)])),
      .opened(DocumentFacts(format: .pdf, pages: [PageFacts(width: -1, height: 1)])),
      .fault(.closing), .fault(.busy), .fault(.unreadable(name: "a", reason: "b")),
    ]
    for reply in replies {
      #expect(throws: ByteError.self, "\(reply)") { try read(reply, limits) }
    }
  }

  @Test("are rejected at their first bytes if they are longer than a press may send")
  func tooLongReplies() {
    let limits = PressLimits()
    for (type, length) in [(0x81, 1 << 20), (0x82, 21 << 20), (0x86, 1 << 20), (0x84, 65 << 20)] {
      var buffer = PressFrameBuffer()
      buffer.append((0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + [UInt8(type)])
      let limit = limits.lengthMax(ofReply: UInt8(type))
      #expect(throws: ByteError.tooLong(bytes: length, limit: limit)) {
        try buffer.next(lengthMax: limits.lengthMax(ofReply:))
      }
    }
  }

  @Test("may contain as many bytes of images as the archive can unpack to")
  func imageBytes() {
    let limits = PressLimits()
    #expect(limits.assetBytes(ofFile: 1) == limits.archive.ratioFreeBytes)
    #expect(limits.assetBytes(ofFile: 1 << 20) == 200 << 20)
    #expect(limits.assetBytes(ofFile: 1 << 30) == limits.archive.bytes)
    #expect(limits.assetBytes(ofFile: .max) == limits.archive.bytes)
    #expect(limits.assetBytes(ofFile: -1) == limits.archive.ratioFreeBytes)
  }
}
