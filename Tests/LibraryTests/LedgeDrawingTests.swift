import Motion
import Testing

@testable import Library

@Suite("Ledge drawing")
struct LedgeDrawingTests {
  private static let page = Size(width: 362, height: 568)

  private static func spine(_ title: String, pages: Int = 40, size: Size = page) -> Spine {
    Spine(title: title, pageCount: pages, pageSize: size, colours: SpineColours(hashing: title))
  }

  @Test(
    "is well-formed and contains the title, whatever the title is",
    arguments: [
      "The Night Ferry", "", " ", "<script>&\"'", "]]>", "ירח", "القمر", "夜の船",
      "👩‍👩‍👧 e\u{301}\u{0}\u{1}",
      "two\nlines", "\u{FFFE}\u{FFFF}", String(repeating: "Very long ", count: 60),
    ]
  )
  func wellFormed(_ title: String) {
    for pages in [1, 12, 60, 4000] {
      let drawing = LedgeDrawing(books: [Self.spine(title, pages: pages), Self.spine(title)]).svg
      #expect(WellFormed.fault(in: drawing) == nil)
    }
  }

  @Test("keeps every spine on the ledge and outside the area of the title")
  func placement() {
    for count in [1, 2, 7, 40, 400] {
      let drawing = LedgeDrawing(books: (0..<count).map { Self.spine("Book \($0)") }).svg
      let xs = drawing.split(separator: "<g transform=\"translate(").dropFirst()
        .compactMap { Double($0.prefix { $0 != " " }) }
      #expect(!xs.isEmpty)
      #expect(xs.allSatisfy { $0 >= 288 && $0 <= 928 }, "\(count) books")
      #expect(WellFormed.fault(in: drawing) == nil)
    }
  }

  @Test("returns the position of each spine that it draws, in the order of the books")
  func spots() throws {
    for count in [0, 1, 2, 7, 40, 400] {
      let ledge = LedgeDrawing(books: (0..<count).map { Self.spine("Book \($0)", pages: 9 * $0) })
      let drawn = ledge.svg.split(separator: "fill=\"url(#round)\"").count - 1
      let spots = ledge.spots
      #expect(spots.count == drawn, "\(count) books")
      for spot in spots {
        #expect(spot.x >= 0.3 && spot.x + spot.width <= 1 && spot.width > 0)
        #expect(spot.y >= 0 && abs(spot.y + spot.height - 172.0 / 190) < 1e-9)
      }
      for (left, right) in zip(spots, spots.dropFirst()) {
        #expect(left.x + left.width <= right.x + 1e-9)
      }
      #expect(spots.dropLast().allSatisfy { $0.lean == 0 })
      #expect(spots.count < 2 || spots.last?.lean == -6)
    }
  }

  @Test("leans the last of several books and never a single one")
  func leans() {
    #expect(!LedgeDrawing(books: [Self.spine("One")]).svg.contains("rotate(-6)"))
    #expect(LedgeDrawing(books: [Self.spine("One"), Self.spine("Two")]).svg.contains("rotate(-6)"))
  }

  @Test("a spine is wider for more pages and lower for a landscape page, within limits")
  func proportions() {
    let widths = [0, 1, 3, 30, 60, 300, 100_000].map { Self.spine("A", pages: $0).width }
    #expect(widths == widths.sorted())
    #expect(widths.allSatisfy(Spine.widths.contains))
    let landscape = Self.spine("A", size: Size(width: 520, height: 360))
    #expect(landscape.height < Self.spine("A").height - 40)
  }

  @Test("takes the cloth from the first fill of the cover, and uses legible lettering")
  func colours() throws {
    let fills: [UInt32] = [0x0F2238, 0xF3E6C2]
    let colours = try #require(SpineColours(fills: fills.map(Colour.init)))
    #expect(colours.cloth.css == "#0f2238")
    #expect(colours.lettering.css == "#f3e6c2")
    #expect(SpineColours(fills: []) == nil)
    for name in ["a", "b", "c", "Six Nocturnes", "ירח"] {
      let hashed = SpineColours(hashing: name)
      #expect(hashed.lettering.contrast(with: hashed.cloth) >= 4.5, "\(name)")
    }
  }
}

/// Checks for what an XML parser would reject: unbalanced tags, unescaped characters, controls.
enum WellFormed {
  static func fault(in text: String) -> String? {
    var open: [Substring] = []
    var rest = text[...]
    if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" || $0.value == 0xFFFE })
    {
      return "a character XML cannot hold"
    }
    while let start = rest.firstIndex(of: "<") {
      if let fault = entityFault(rest[..<start]) { return fault }
      guard let end = rest[start...].firstIndex(of: ">") else { return "an open tag" }
      let tag = rest[rest.index(after: start)..<end]
      if let fault = entityFault(tag) { return fault }
      if tag.split(separator: "\"", omittingEmptySubsequences: false).count % 2 == 0 {
        return "an odd quote in \(tag)"
      }
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return "\(tag) closes another tag" }
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " })
      }
      rest = rest[rest.index(after: end)...]
    }
    return open.isEmpty ? nil : "\(open) stay open"
  }

  private static func entityFault(_ text: Substring) -> String? {
    for piece in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      let name = piece.prefix { $0 != ";" }
      guard name.count < piece.count, ["amp", "lt", "gt", "quot", "#39"].contains(name) else {
        return "a raw ampersand"
      }
    }
    return nil
  }
}
