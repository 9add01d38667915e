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
    let before, after: String
    let blank: Set<Int>
    var imposition: Imposition
    let cover: Int
  }

  private let form: Form
  private let shown: Int

  /// Creates addresses from a list.
  public init(_ list: [String]) { self.init(.list(list), count: list.count) }

  /// Creates addresses that differ only in the page number.
  /// - Parameters:
  ///   - imposition: The pages on the faces. The address of a half of a page ends in `#left` or
  ///     `#right`.
  ///   - before: The text before the number.
  ///   - after: The text after the number.
  ///   - blank: The numbers of the pages that are blank paper.
  ///   - cover: The page whose picture is on a cover that is not a page itself.
  public init(
    _ imposition: Imposition,
    before: String,
    after: String,
    blank: Set<Int> = [],
    cover: Int = 0
  ) {
    let pages = Numbered(
      before: before,
      after: after,
      blank: blank,
      imposition: imposition,
      cover: cover
    )
    self.init(.numbered(pages), count: imposition.faceCount)
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

  /// Returns the addresses of the same pages on other faces; a list of addresses stays the same.
  public func imposed(_ imposition: Imposition) -> PageAddresses {
    guard case .numbered(var pages) = form else { return self }
    pages.imposition = imposition
    return PageAddresses(.numbered(pages), count: imposition.faceCount)
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
      let isCover = face == 0 && pages.imposition.repeatsCover
      let read = isCover ? pages.cover : pages.imposition.page(ofFace: face)
      guard let page = read, (0..<pages.imposition.pageCount).contains(page),
        !pages.blank.contains(page)
      else { return "" }
      let half =
        switch pages.imposition.part(ofFace: face) {
        case .whole: ""
        case .leftHalf: "#left"
        case .rightHalf: "#right"
        }
      return "\(pages.before)\(page)\(pages.after)\(half)"
    }
  }
}
