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

  /// Creates addresses one by one.
  public init(_ list: [String]) { form = .list(list) }

  /// Creates addresses that differ in the page's number alone.
  /// - Parameters:
  ///   - count: The number of pages.
  ///   - before: What stands before the number.
  ///   - after: What stands behind it.
  ///   - blank: The pages that are blank paper.
  public init(count: Int, before: String, after: String, blank: Set<Int> = []) {
    precondition(count >= 0)
    form = .numbered(count: count, before: before, after: after, blank: blank)
  }

  /// The first page, 0.
  public var startIndex: Int { 0 }

  /// Behind the last page.
  public var endIndex: Int {
    switch form {
    case .list(let list): list.count
    case .numbered(let count, _, _, _): count
    }
  }

  /// The address of a page.
  public subscript(page: Int) -> String {
    precondition(indices.contains(page))
    switch form {
    case .list(let list): return list[page]
    case .numbered(_, let before, let after, let blank):
      return blank.contains(page) ? "" : "\(before)\(page)\(after)"
    }
  }
}
