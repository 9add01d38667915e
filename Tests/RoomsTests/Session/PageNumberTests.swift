import Motion
import Scene
import Staging
import TestVectors
import Testing
import Wire

@testable import Rooms

/// Returns a book of any length, with or without its first page inside, and with numbers or its own
/// labels.
private func book(_ imposition: Imposition, labels: PageLabels = PageLabels()) -> CatalogueBook {
  CatalogueBook(
    id: "b",
    title: "A book",
    author: "",
    pageURLs: PageAddresses(imposition, before: "/b/b/p/", after: "/screen"),
    imposition: imposition,
    labels: labels,
    pageSize: Size(width: 362, height: 568),
    progression: .leftToRight
  )
}

private func shapes() -> [CatalogueBook] {
  let roman = ["i", "ii", "iii"] + (1...300).map { "\($0)" }
  let kinds: [PageLabels] = [
    PageLabels(), PageLabels(printed: roman), PageLabels(printed: ["Cover", "", "A-1", "A-2"]),
  ]
  return [1, 2, 3, 4, 5, 8, 33].flatMap { pages in
    let wides = [[], [0], [pages / 2], Array(0..<pages), Array(stride(from: 2, to: pages, by: 3))]
    return wides.flatMap { wide in
      [false, true].flatMap { repeatsCover in
        let imposition = Imposition(pageCount: pages, repeatsCover: repeatsCover, wide: wide)
        return kinds.map { book(imposition, labels: $0) }
      }
    }
  }
}

@Suite("Numbers of pages")
struct PageNumberTests {
  @Test(
    "are the same in the caption, on the pages and for wanderers, in every shape of book"
  )
  func agreement() throws {
    for book in shapes() {
      let what = "\(book.pageCount) pages, \(book.imposition), \(book.labels.runs)"
      for spread in 0..<book.spreadCount {
        let pages = book.pages(ofSpread: spread)
        let face = 2 * spread + 1
        let key = CaptionKey(standing(at: spread, of: book), Arrangement(), at: 0)
        let caption = key.caption(of: ShownLibrary(catalogue(book)))
        #expect(caption.page == UInt32(pages.first ?? 0), "\(what)")
        let numbers = pages.map { book.labels[$0] }
        #expect(caption.range.labels == numbers, "\(what)")
        let titles = [face, face + 1].map { book.title(ofFace: $0) }.filter { !$0.text.isEmpty }
        let isWide = pages.contains(where: book.imposition.isWide)
        #expect(titles.map(\.text) == numbers + (isWide ? numbers : []), "\(what)")
        #expect(titles.map(\.count) == (isWide ? [0, 1] : numbers.map { _ in 0 }), "\(what)")
        // The address of each visible page names the page that the text names.
        for page in pages {
          let half = isWide ? "#left" : ""
          #expect(
            book.pageURLs[book.face(ofPage: page)] == "/b/b/p/\(page)/screen\(half)",
            "\(what)"
          )
        }
      }
    }
  }

  private func catalogue(_ book: CatalogueBook) -> Catalogue {
    Catalogue(
      collections: [CatalogueCollection(id: "c", title: "", ledgeURL: "", books: [book])]
    )
  }

  private func standing(at spread: Int, of book: CatalogueBook) -> Stage {
    var stage = Stage(library: catalogue(book).outline)
    stage.restore(bookmarks: [Bookmark(book: "b", spread: spread)])
    stage.apply(.go(book: "b", opens: true, page: nil), at: 0)
    stage.advance(to: 100)
    return stage
  }

  @Test(
    "every page of a book with its first page inside is on a spread, and the first one opens it"
  )
  func everyPage() {
    for book in shapes() where book.imposition.repeatsCover {
      let read = (0..<book.spreadCount).flatMap { book.pages(ofSpread: $0) }
      #expect(read == Array(0..<book.pageCount), "\(book.pageCount) pages")
      #expect(book.pages(ofSpread: 0) == [0])
    }
  }

  @Test("a message that names a page opens it, however the book is bound")
  func jumps() throws {
    for book in shapes() {
      for page in Set([0, 1, book.pageCount / 2, book.pageCount - 1]) where page < book.pageCount {
        let what = "page \(page) of \(book.pageCount), \(book.imposition)"
        var company = try Company(catalogue(book))
        try company.say(.go(book: "b", opens: true, page: UInt32(page)), company.anna, pause: 5)
        let shared = try #require(company.room?.shared)
        // A cover that is only a cover opens with the page after it.
        let wanted = !book.imposition.repeatsCover && page == 0 ? 1 : page
        if book.pageCount > 1 || book.imposition.repeatsCover {
          #expect(shared.openPages.contains(wanted), "\(what)")
        }
        try company.say(.jump(page: 0), company.anna, pause: 5)
        #expect(company.room?.stage.spread == 0, "\(what)")
        try company.say(.jump(page: UInt32(page)), company.anna, pause: 5)
        if book.pageCount > 1 || book.imposition.repeatsCover {
          #expect(company.room?.shared.openPages.contains(wanted) == true, "\(what)")
        }
        try company.say(.jump(page: .max), company.anna, pause: 5)
        #expect(company.room?.stage.spread == book.spreadCount - 1, "\(what)")
      }
    }
  }

  @Test("a recording made before first pages were inside shows its pages where they were")
  func recordedBefore() throws {
    let now = book(Imposition(pageCount: 6, repeatsCover: true, wide: [2, 3]))
    let then = BookOutline(id: "b", pageCount: 6, pageSize: now.pageSize)
    let outline = LibraryOutline(collections: [CollectionOutline(id: "c", books: [then])])
    let first = BookIndex(collection: 0, book: 0)
    func recorded(_ outline: LibraryOutline) -> CatalogueBook? {
      ShownLibrary(recorded: LibraryLayout(outline), in: ShownLibrary(catalogue(now))).book(
        at: first
      )
    }
    let shown = try #require(recorded(outline))
    #expect(shown.outline == then && !shown.imposition.repeatsCover)
    #expect(Array(shown.pageURLs) == (0..<6).map { "/b/b/p/\($0)/screen" })
    #expect(recorded(catalogue(now).outline) == now)
  }
}

@Suite("Labels of pages")
struct PageLabelsTests {
  @Test("are the printed labels, otherwise the position from 1, whatever is printed")
  func property() {
    let printed = [
      "", "1", "2", "i", "ii", "007", "008", "A-9", "A-10", "99999999999", "–", "٣", "x\u{7}",
    ]
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      let pages = (0..<Int.random(in: 1...40, using: &random)).map { place in
        Bool.random(using: &random) ? "\(place + 3)" : printed.randomElement(using: &random) ?? ""
      }
      let labels = PageLabels(printed: pages)
      for (page, label) in pages.enumerated() {
        let expected = label.isEmpty || label.contains("\u{7}") ? "\(page + 1)" : label
        #expect(labels[page] == expected, "seed \(seed), page \(page)")
      }
      #expect(PageLabels(runs: labels.runs) == labels, "seed \(seed)")
    }
  }

  @Test("that count on form one run")
  func runs() {
    #expect(PageLabels(printed: (1...5000).map { "\($0)" }).runs.isEmpty)
    #expect(PageLabels(printed: ["i", "ii"] + (1...5000).map { "\($0)" }).runs.count == 3)
  }

  @Test("are bounded: no label is as long as a novel, and every page can be reached")
  func bounds() {
    let long = PageLabels(printed: ["a", String(repeating: "x", count: 25)])
    #expect(long[0] == "a" && long[1] == "2")
    let odd = PageLabels(
      runs: [(-3, "z"), (.max, "9"), (1, "999999999")].map { .init(page: $0, label: $1) }
    )
    #expect(odd[0] == "1" && odd[1] == "999999999" && odd[2] == "1000000000")
    #expect(odd[.min] == "1" && odd[.max] == "9")
  }
}

extension StageSession {
  /// The pages of the open spread.
  fileprivate var openPages: [Int] {
    openEntry?.pages(ofSpread: stage.spread) ?? []
  }
}
