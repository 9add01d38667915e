/// The addresses of the images of a book's faces, in order; an empty address means blank paper.
///
/// A library of ten thousand books has millions of pages, so addresses that follow a pattern are
/// computed on access.
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

  /// Creates addresses from a list.
  public init(_ list: [String]) { self.init(.list(list), count: list.count) }

  /// Creates addresses that differ only in the page number.
  /// - Parameters:
  ///   - count: The number of pages.
  ///   - before: The text before the number.
  ///   - after: The text after the number.
  ///   - blank: The numbers of the pages that are blank paper.
  ///   - lead: The number of faces before page 0, which are a picture of the cover and then blank
  ///     paper.
  ///   - cover: The page whose picture is on the cover.
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

  /// Returns the same addresses for another number of faces; additional faces are blank paper.
  ///
  /// The cost does not depend on that number, which may come from a file.
  public func resized(to count: Int) -> PageAddresses {
    PageAddresses(form, count: Swift.max(0, count))
  }

  /// The addresses of the pages, without the faces before the first page.
  public var pages: PageAddresses {
    guard case .numbered(var pages) = form, pages.lead > 0 else { return self }
    let count = Swift.max(0, shown - pages.lead)
    pages.lead = 0
    return PageAddresses(.numbered(pages), count: count)
  }

  /// The index of the first face, 0.
  public var startIndex: Int { 0 }

  /// The index after the last face.
  public var endIndex: Int { shown }

  /// The address of a face; empty for blank paper and outside the book.
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
