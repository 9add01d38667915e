/// The addresses of what a book's faces show, in order; an empty one stands for blank paper.
///
/// A library of ten thousand books has millions of pages, so addresses that follow a pattern are
/// made when they are asked for.
public struct PageAddresses: RandomAccessCollection, Equatable, Sendable {
  private enum Form: Equatable, Sendable {
    case list([String])
    case numbered(Numbered)
  }

  private struct Numbered: Equatable, Sendable {
    let count: Int
    let before, after: String
    let blank: Set<Int>
    var lead: Int
    let cover: Int
  }

  private let form: Form
  private let shown: Int

  /// Creates addresses one by one.
  public init(_ list: [String]) { self.init(.list(list), count: list.count) }

  /// Creates addresses that differ in the page's number alone.
  /// - Parameters:
  ///   - count: The number of pages.
  ///   - before: What stands before the number.
  ///   - after: What stands behind it.
  ///   - blank: The pages that are blank paper, by their numbers.
  ///   - lead: How many faces come before page 0: a picture of the cover, then blank paper.
  ///   - cover: The page whose picture the cover then is.
  public init(
    count: Int,
    before: String,
    after: String,
    blank: Set<Int> = [],
    lead: Int = 0,
    cover: Int = 0
  ) {
    let pages = Numbered(
      count: Swift.max(0, count),
      before: before,
      after: after,
      blank: blank,
      lead: Swift.max(0, lead),
      cover: cover
    )
    self.init(.numbered(pages), count: pages.count + pages.lead)
  }

  private init(_ form: Form, count: Int) {
    self.form = form
    shown = count
  }

  /// The same addresses for another number of faces, those beyond these blank paper.
  ///
  /// Costs the same for any number: it may come from a file.
  public func resized(to count: Int) -> PageAddresses {
    PageAddresses(form, count: Swift.max(0, count))
  }

  /// The addresses of the pages alone, without the faces before the first.
  public var pages: PageAddresses {
    guard case .numbered(var pages) = form, pages.lead > 0 else { return self }
    let count = Swift.max(0, shown - pages.lead)
    pages.lead = 0
    return PageAddresses(.numbered(pages), count: count)
  }

  /// The first face, 0.
  public var startIndex: Int { 0 }

  /// Behind the last face.
  public var endIndex: Int { shown }

  /// The address of what a face shows; empty for blank paper and outside of the book.
  public subscript(face: Int) -> String {
    guard indices.contains(face) else { return "" }
    switch form {
    case .list(let list): return face < list.count ? list[face] : ""
    case .numbered(let pages):
      let page = face == 0 && pages.lead > 0 ? pages.cover : face - pages.lead
      guard (0..<pages.count).contains(page), !pages.blank.contains(page) else { return "" }
      return "\(pages.before)\(page)\(pages.after)"
    }
  }
}
