import Motion
import Scene
import Staging
import Testing
import Wire

@testable import Rooms

@Suite("The paper stock")
struct PaperStockTests {
  /// Returns the sample catalogue with another stock of its book of 100 pages.
  private func catalogue(_ stock: PaperStock) -> Catalogue {
    var catalogue = Catalogue.varied
    catalogue.collections[0].books[4].stock = stock
    return catalogue
  }

  private func elements(of kind: ElementKind, to company: Company) -> [WireElement] {
    company.page(of: company.anna).decoder.elements.values.filter { $0.kind == kind }
  }

  /// Returns whether a page belongs to that book; pages of its neighbours are introduced as well.
  private func isOfBook(_ element: WireElement) -> Bool {
    element.imageURL.hasPrefix("/books/0/4/")
  }

  @Test("of a page is that of its book; covers, boards and ledges are rigid")
  func kinds() throws {
    for stock in PaperStock.allCases {
      var company = try Company(catalogue(stock))
      try company.say(.go(book: "0/4", opens: true, page: 99), company.anna, pause: 5)
      for kind in [ElementKind.collection, .cover, .board] {
        let found = elements(of: kind, to: company)
        #expect(!found.isEmpty && found.allSatisfy { $0.stock == .board }, "\(kind)")
      }
      let pages = elements(of: .page, to: company).filter(isOfBook)
      #expect(!pages.isEmpty && pages.allSatisfy { $0.stock == stock })
    }
  }

  @Test("of a book that changes reaches the pages that were already introduced")
  func changes() throws {
    var company = try Company(catalogue(.paper))
    try company.say(.go(book: "0/4", opens: true, page: 20), company.anna, pause: 5)
    let before = Set(elements(of: .page, to: company).filter(isOfBook).map(\.id))
    company.forget()
    company.rooms.replace(
      catalogue: catalogue(.card),
      now: company.now,
      into: &company.effects
    )
    try company.carryOut()
    try company.pass(5)
    #expect(company.room?.stage.outline == catalogue(.card).outline)
    let pages = elements(of: .page, to: company).filter(isOfBook)
    #expect(!before.isEmpty && Set(pages.map(\.id)).isSuperset(of: before))
    #expect(pages.allSatisfy { $0.stock == .card })
    #expect(elements(of: .cover, to: company).allSatisfy { $0.stock == .board })
  }

  @Test("of a recorded book is the one that was recorded, even if the book is gone")
  func recorded() {
    let place = BookIndex(collection: 0, book: 4)
    let layout = LibraryLayout(catalogue(.card).outline)
    for now in [catalogue(.board), Catalogue(collections: [])] {
      let shown = ShownLibrary(recorded: layout, in: ShownLibrary(now))
      #expect(shown.book(at: place)?.stock == .card)
    }
  }
}
