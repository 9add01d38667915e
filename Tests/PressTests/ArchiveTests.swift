import PressProtocol
import TestDocuments
import Testing

@Suite("A press with an archive")
struct ArchiveTests {
  private static let formats: [(Archives.Format, DocumentFormat)] = [
    (.zip, .zip), (.sevenZip, .sevenZip), (.tar, .tar), (.packedTar, .tar), (.rar, .rar),
  ]

  @Test("extracts the images in the natural order of their names", arguments: formats)
  func order(_ format: Archives.Format, _ told: DocumentFormat) throws {
    let press = try PressProcess(Archives.comic(pages: 12, format: format))
    let facts = try press.open()
    #expect(facts.format == told)
    #expect(facts.needsExtraction)
    #expect(facts.pages.isEmpty)
    let (all, assets) = try press.extract()
    #expect(assets.map(\.name) == (1...12).map { "Page \($0).png" })
    #expect(assets.map(\.page) == Array(0..<12))
    #expect(assets.allSatisfy { $0.facts == ImageFacts(format: .png, width: 300, height: 400) })
    #expect(assets[3].bytes == Images.png(width: 300, height: 400, red: UInt8(255 * 4 / 12)))
    #expect(all.pages.count == 12)
    #expect(all.pages[0] == PageFacts(width: 300, height: 400))
  }

  @Test("reads ComicInfo.xml")
  func comicInfo() throws {
    let info = """
      <?xml version="1.0"?><ComicInfo><Title>The End</Title><Series>Tides</Series>
      <Number>4</Number><Volume>2</Volume><Writer>A, B</Writer><LanguageISO>ja</LanguageISO>
      <Manga>YesAndRightToLeft</Manga><Pages><Page Image="0"/>
      <Page Image="2" Bookmark="Chapter 2"/></Pages></ComicInfo>
      """
    let press = try PressProcess(Archives.comic(pages: 3, info: info))
    let facts = try press.open()
    #expect(facts.title == "Tides 4: The End")
    #expect(facts.author == "A, B")
    #expect(facts.series == Series(name: "Tides", volume: "2", number: "4"))
    #expect(facts.language == "ja")
    #expect(facts.direction == .rightToLeft)
    #expect(try press.outline() == [OutlineEntry(depth: 0, title: "Chapter 2", page: 2)])
  }

  @Test("obeys what ComicInfo.xml says of pages: the cover first, wide pages, and no deleted one")
  func describedPages() throws {
    let info = """
      <?xml version="1.0"?><ComicInfo><Pages><Page Image="0" Type="Deleted"/>
      <Page Image="2" Type="FrontCover"/><Page Image="3" Bookmark="Sea" DoublePage="true"/>
      <Page Image="0" Bookmark="Nowhere"/><Page Image="-1"/><Page Image="99"/></Pages></ComicInfo>
      """
    let press = try PressProcess(Archives.comic(pages: 4, info: info))
    _ = try press.open()
    #expect(try press.outline() == [OutlineEntry(depth: 0, title: "Sea", page: 2)])
    let (facts, assets) = try press.extract()
    let named = Dictionary(uniqueKeysWithValues: assets.map { ($0.page, $0.name) })
    #expect(facts.pages.map(\.isDouble) == [false, false, true])
    #expect(named == [0: "Page 3.png", 1: "Page 2.png", 2: "Page 4.png"])
  }

  @Test(
    "a file that is an image by its name alone keeps its place; hidden files and bins have none"
  )
  func unknownImages() throws {
    let image = Images.png(width: 30, height: 40)
    let archive = Archives.make([
      Archives.Entry("2.bmp", [0x42, 0x4D, 0, 0]), Archives.Entry("1.png", image),
      Archives.Entry("3.jpg", Array("<html>404</html>".utf8)), Archives.Entry("4.png", image),
      Archives.Entry("5.png", []), Archives.Entry("6.txt", [1]), Archives.Entry(".0.png", image),
      Archives.Entry("@eaDir/4.png", image), Archives.Entry("cover.png", image),
    ])
    let press = try PressProcess(archive)
    _ = try press.open()
    let assets = try press.extract().assets.sorted { $0.page < $1.page }
    #expect(assets.map(\.name) == ["cover.png", "1.png", "2.bmp", "3.jpg", "4.png", "5.png"])
    #expect(assets.map { $0.facts.width > 0 } == [true, true, false, false, true, false])
    #expect(
      assets.map(\.fault) == [
        nil, nil, .unknownImage(name: "2.bmp"), .unknownImage(name: "3.jpg"), nil,
        .imageDamaged(name: "5.png"),
      ]
    )
    #expect(assets.map { $0.bytes.isEmpty } == assets.map { $0.fault != nil })
    let none = Archives.make([Archives.Entry("1.bmp", [0x42, 0x4D])])
    #expect(throws: PressFault.noPages(.zip)) { try PressProcess(none).open() }
  }

  @Test("reads no file that ComicInfo.xml refers to, and expands no entities")
  func externalEntities() throws {
    let info = """
      <?xml version="1.0"?><!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">
      <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
      <ComicInfo><Title>T&x;&b;</Title></ComicInfo>
      """
    #expect(try PressProcess(Archives.comic(pages: 1, info: info)).open().title == "T")
  }

  /// Names in the code pages of Japan, China, and the ZIP format, and how they are read.
  private static let oldNames: [([[UInt8]], [String])] = [
    (
      // Wide digits, and a letter whose second byte is a backslash.
      [
        [0x83, 0x79, 0x81, 0x5B, 0x83, 0x57, 0x82, 0x50, 0x82, 0x4F], [0x95, 0x5C, 0x8E, 0x86],
        [0x83, 0x79, 0x81, 0x5B, 0x83, 0x57, 0x82, 0x51],
      ],
      ["ページ２", "ページ１０", "表紙"]
    ),
    ([[0xB5, 0xDA, 0xB6, 0xFE, 0xBE, 0xED]], ["第二卷"]),
    (
      [Array("Sch".utf8) + [0x94, 0x6E, 0x31], Array("Ch".utf8) + [0x83] + Array("teau".utf8)],
      ["Château", "Schön1"]
    ),
  ]

  @Test("reads and orders names in the code pages of old programs", arguments: oldNames)
  func namesWithoutUTF8(_ names: [[UInt8]], _ read: [String]) throws {
    let page = Images.png(width: 30, height: 40)
    let entries = names.map { Archives.Entry(name: $0 + Array(".png".utf8), page) }
    let assets = try Self.extracted(entries).assets.sorted { $0.page < $1.page }
    #expect(assets.map(\.name) == read.map { $0 + ".png" })
  }

  @Test("keeps names that nothing decodes, beside those in UTF-8")
  func strangeNames() throws {
    let page = Images.png(width: 30, height: 40)
    let names: [[UInt8]] = [Array("é1.png".utf8), [0xFF, 0x32] + Array(".png".utf8)]
    let assets = try Self.extracted(names.map { Archives.Entry(name: $0, page) }).assets
    #expect(assets.count == 2 && assets.contains { $0.name == "é1.png" })
  }

  @Test("treats names that lead out of a folder as plain names")
  func namesAreNotPaths() throws {
    let page = Images.png(width: 30, height: 40)
    let names = ["../../../tmp/evil.png", "/etc/evil.png", "../evil.png"]
    let assets = try Self.extracted(names.map { Archives.Entry($0, page) }).assets
    #expect(Set(assets.map(\.name)) == Set(names))
  }

  @Test("accepts regular files only, by their contents, and ignores clutter")
  func regularFilesOnly() throws {
    let page = Images.png(width: 30, height: 40)
    let entries = [
      Archives.Entry("2.png", page), Archives.Entry("1.png", link: "/etc/passwd"),
      Archives.Entry("__MACOSX/3.png", page), Archives.Entry("a/._4.png", page),
      Archives.Entry("Thumbs.db", page), Archives.Entry("notes.png", Array("no image".utf8)),
      Archives.Entry("no ending", page), Archives.Entry("empty.png", []),
    ]
    let assets = try Self.extracted(entries, .tar).assets
    // What only its name calls an image keeps its place, because a page is missing there.
    #expect(assets.map(\.name) == ["2.png", "empty.png", "no ending", "notes.png"])
    #expect(assets.map { $0.facts.width } == [30, 0, 30, 0])
  }

  @Test("keeps the place of an image that is broken or too large")
  func brokenImage() throws {
    let broken = Array(Images.png(width: 30, height: 40).prefix(20))
    let entries = [
      Archives.Entry("1.png", Images.png(width: 30, height: 40)), Archives.Entry("2.png", broken),
      Archives.Entry("3.png", Images.hugePNG),
    ]
    let (facts, assets) = try Self.extracted(entries)
    #expect(facts.pages.count == 3)
    #expect(assets[1].facts.width == 0)
    #expect(assets[2].facts == ImageFacts(format: .png, width: 60_000, height: 60_000))
    #expect(assets[1].fault == .imageDamaged(name: "2.png"))
    guard case .imageTooLarge(name: "3.png", _, _, _) = assets[2].fault else {
      Issue.record("\(String(describing: assets[2].fault))")
      return
    }
  }

  private static func extracted(
    _ entries: [Archives.Entry],
    _ format: Archives.Format = .zip
  ) throws -> (facts: DocumentFacts, assets: [Asset]) {
    let press = try PressProcess(Archives.make(entries, format))
    _ = try press.open()
    return try press.extract()
  }
}

@Suite("A press with a hostile or broken archive")
struct HostileArchiveTests {
  private static let page = Archives.Entry("1.png", Images.png(width: 30, height: 40))

  private static func open(_ entries: [Archives.Entry], _ arguments: [String] = []) throws {
    _ = try PressProcess(Archives.make(entries), arguments).open()
  }

  @Test("rejects more entries than the limit")
  func tooManyEntries() {
    let entries = (0..<10_001).map { Archives.Entry("\($0).txt", []) }
    #expect(throws: PressFault.tooManyEntries(limit: 10_000)) { try Self.open(entries) }
  }

  @Test("rejects an image that unpacks to more than 64 MiB")
  func largeImage() {
    let bomb = Self.page.bytes + [UInt8](repeating: 0, count: 64 << 20)
    #expect(throws: PressFault.entryTooLarge(name: "bomb.png", limit: 64 << 20)) {
      try Self.open([Archives.Entry("bomb.png", bomb)], ["--ratio=100000"])
    }
  }

  @Test("rejects an image that claims to be smaller than it is")
  func falseSize() throws {
    let bomb = Self.page.bytes + [UInt8](repeating: 0, count: 3 << 20)
    var bytes = Archives.make([Archives.Entry("bomb.png", bomb)])
    let size = withUnsafeBytes(of: UInt32(bomb.count).littleEndian) { Array($0) }
    // The size is in the directory, and may also be before and after the data.
    for start in bytes.indices.dropLast(4) where Array(bytes[start..<(start + 4)]) == size {
      bytes.replaceSubrange(start..<(start + 4), with: [0, 4, 0, 0])
    }
    let press = try PressProcess(bytes, ["--entry-bytes=1000000"])
    var fault: PressFault?
    do {
      _ = try press.open()
      let assets = try press.extract().assets
      #expect(assets.allSatisfy { $0.bytes.count <= 1_000_000 })
    } catch let told as PressFault {
      fault = told
    }
    let allowed: [PressFault?] = [
      nil, .entryTooLarge(name: "bomb.png", limit: 1_000_000), .damaged(.zip),
    ]
    #expect(allowed.contains(fault))
  }

  @Test("rejects an archive that unpacks to much more than its size")
  func unpackedRatio() {
    let air = Archives.Entry("air.txt", [UInt8](repeating: 0, count: 8 << 20))
    #expect(throws: PressFault.ratio(name: "air.txt", limit: 200)) {
      try Self.open([Self.page, air], ["--ratio-free-bytes=1000000"])
    }
  }

  @Test("rejects an archive that unpacks to more than the limit in total")
  func unpackedSize() {
    let entries = (0..<5).map { Archives.Entry("\($0).txt", [UInt8](repeating: 0, count: 1 << 20)) }
    #expect(throws: PressFault.archiveTooLarge(limit: 3_000_000)) {
      try Self.open(entries, ["--archive-bytes=3000000"])
    }
  }

  @Test("rejects an archive in an archive, unless there are images")
  func nestedArchive() throws {
    let inner = Archives.Entry("inner.cbz", Archives.comic(pages: 1))
    #expect(throws: PressFault.nestedArchive(name: "inner.cbz")) { try Self.open([inner]) }
    let files = [inner, Self.page, Archives.Entry("a.pdf", Array("%PDF-1.4".utf8))]
    let facts = try PressProcess(Archives.make(files)).open()
    #expect(facts.besides == ["inner.cbz", "a.pdf"])
    let many = (0..<30).map { Archives.Entry("\($0).cbz", inner.bytes) }
    #expect(try PressProcess(Archives.make(many + [Self.page])).open().besides.count == 16)
  }

  @Test("reports an archive without images or with too many")
  func imageCount() {
    let text = Archives.Entry("a.txt", Array("text".utf8))
    #expect(throws: PressFault.noPages(.zip)) { try Self.open([text]) }
    let many = (0..<9).map { Archives.Entry("\($0).png", Self.page.bytes) }
    #expect(throws: PressFault.tooManyPages(9, limit: 8)) { try Self.open(many, ["--pages=8"]) }
  }

  @Test("opens an encrypted ZIP with its password, and with no other")
  func encrypted() throws {
    let press = try PressProcess(Archives.make([Self.page], password: "secret"))
    #expect(throws: PressFault.encrypted) { try press.open() }
    #expect(throws: PressFault.wrongPassword) { try press.open("Secret") }
    _ = try press.open("secret")
    #expect(try press.extract().assets.map(\.bytes) == [Self.page.bytes])
  }

  @Test("opens an encrypted ZIP with its password in the decomposed form")
  func decomposedPassword() throws {
    let press = try PressProcess(Archives.make([Self.page], password: "caf\u{E9}"))
    #expect(throws: PressFault.wrongPassword) { try press.open("cafe") }
    _ = try press.open("cafe\u{301}")
    #expect(try press.extract().assets.map(\.bytes) == [Self.page.bytes])
  }

  @Test(
    "reports a truncated archive",
    arguments: [Archives.Format.zip, .sevenZip, .tar, .packedTar, .rar]
  )
  func truncated(_ format: Archives.Format) throws {
    let whole = Archives.comic(pages: 3, format: format)
    let press = try PressProcess(Array(whole.prefix(whole.count / 2)))
    #expect(throws: PressFault.self) {
      _ = try press.open()
      _ = try press.extract()
    }
  }

  @Test("reports a packed file that contains no tar archive", arguments: Vectors.packedText)
  func packedText(_ bytes: [UInt8]) throws {
    let fault = PressFault.unsupported("packedFile")
    #expect(throws: fault) { try PressProcess(bytes).open() }
  }

  @Test("continues if nothing follows the first bytes of a format", arguments: beginnings)
  func beginning(_ bytes: [UInt8]) throws {
    let press = try PressProcess(bytes + [UInt8](repeating: 0x78, count: 90))
    #expect(throws: PressFault.self) { try press.open() }
    // A second attempt also gets an answer, so the press is still running.
    #expect(throws: PressFault.self) { try press.open() }
    #expect(press.end().signal == nil)
  }

  private static let beginnings: [[UInt8]] = [
    Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8), Array("Rar!\u{1A}\u{7}\0".utf8),
    Array("Rar!\u{1A}\u{7}\u{1}\0".utf8), [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C],
    [0x1F, 0x8B, 0x08], Array("BZh9".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0],
    [0x28, 0xB5, 0x2F, 0xFD], [UInt8](repeating: 0, count: 257) + Array("ustar".utf8),
  ]

  @Test("rejects an encrypted 7z and an encrypted RAR as such, with and without a password")
  func lockedForEver() throws {
    let (sevenZip, rar) = Archives.locked()
    for password in ["", "secret"] {
      #expect(throws: PressFault.encryptedArchive(.sevenZip)) {
        try PressProcess(sevenZip).open(password)
      }
      #expect(throws: PressFault.encryptedArchive(.rar)) { try PressProcess(rar).open(password) }
    }
  }
}
