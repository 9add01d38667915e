/// The addresses of a book's pages, in order; an empty one stands for blank paper.
///
/// A library of ten thousand books has millions of pages, so addresses that follow a pattern are
/// made when they are asked for.
public struct PageAddresses: RandomAccessCollection, Equatable, Sendable {
  private enum Form: Equatable, Sendable {
    case list([String])
    case numbered(count: Int, before: String, after: String, blank: Set<Int>)
  }

  private let form: Form
  /// How many pages there are, also where the form has more or fewer.
  private let shown: Int

  /// Creates addresses one by one.
  public init(_ list: [String]) { self.init(.list(list), count: list.count) }

  /// Creates addresses that differ in the page's number alone.
  /// - Parameters:
  ///   - count: The number of pages.
  ///   - before: What stands before the number.
  ///   - after: What stands behind it.
  ///   - blank: The pages that are blank paper.
  public init(count: Int, before: String, after: String, blank: Set<Int> = []) {
    let count = Swift.max(0, count)
    self.init(.numbered(count: count, before: before, after: after, blank: blank), count: count)
  }

  private init(_ form: Form, count: Int) {
    self.form = form
    shown = count
  }

  /// The same addresses for another number of pages, those beyond these blank paper.
  ///
  /// Costs the same for any number: it may come from a file.
  public func resized(to count: Int) -> PageAddresses {
    PageAddresses(form, count: Swift.max(0, count))
  }

  /// The first page, 0.
  public var startIndex: Int { 0 }

  /// Behind the last page.
  public var endIndex: Int { shown }

  /// The address of a page.
  public subscript(page: Int) -> String {
    precondition(indices.contains(page))
    switch form {
    case .list(let list): return page < list.count ? list[page] : ""
    case .numbered(let count, let before, let after, let blank):
      return page >= count || blank.contains(page) ? "" : "\(before)\(page)\(after)"
    }
  }
}
