/// The labels of a book's pages.
///
/// A label is the printed number if the book declares one, otherwise the page's position, counted
/// from 1 as in document viewers.
///
/// Consecutive labels, such as "12", "13" and "14", are stored as one run, so that a library of ten
/// thousand books contains few of them.
public struct PageLabels: Equatable, Sendable {
  /// Consecutive pages whose labels continue from that of the first.
  public struct Run: Equatable, Sendable {
    /// The first page, counted from 0.
    public var page: Int
    /// The label of the first page.
    public var label: String

    /// Creates a run.
    public init(page: Int, label: String) {
      self.page = page
      self.label = label
    }
  }

  /// The maximum length of a label in Unicode scalars; a page with a longer label is labelled with
  /// its position.
  public static let lengthMax = 24

  /// The runs, by their first pages; empty if all pages are labelled with their positions.
  public let runs: [Run]

  /// Creates the labels of pages that are labelled with their positions.
  public init() { runs = [] }

  /// Creates labels from runs and omits invalid ones.
  public init(runs: [Run]) {
    var kept: [Run] = []
    for run in runs.sorted(by: { $0.page < $1.page })
    where run.page >= 0 && run.page != kept.last?.page {
      let label = Self.shown(run.label) ?? Self.counted(run.page)
      // A run that only continues the previous run is not needed.
      if let last = kept.last, last.label(at: run.page) == label { continue }
      if kept.isEmpty, label == Self.counted(run.page) { continue }
      kept.append(Run(page: run.page, label: label))
    }
    self.runs = kept
  }

  /// Creates labels from the printed numbers of all pages, in order; an empty string means that
  /// there is none.
  public init(printed: [String]) {
    self.init(runs: printed.enumerated().map { Run(page: $0.offset, label: $0.element) })
  }

  /// The label of a page, counted from 0; a page before the first gets the label of the first.
  public subscript(page: Int) -> String {
    let page = max(page, 0)
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].page <= page { low = middle + 1 } else { high = middle }
    }
    return (low > 0 ? runs[low - 1].label(at: page) : nil) ?? Self.counted(page)
  }

  private static func counted(_ page: Int) -> String { "\(page.addingReportingOverflow(1).0)" }

  /// Returns the form of a label for display; nil if the label cannot be shown.
  private static func shown(_ label: String) -> String? {
    let words = label.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let isPlain = words.unicodeScalars.allSatisfy {
      !$0.properties.isNoncharacterCodePoint && $0.properties.generalCategory != .control
    }
    guard isPlain, !words.isEmpty, words.unicodeScalars.count <= lengthMax else { return nil }
    return words
  }
}

extension PageLabels.Run {
  /// The maximum number of digits in a label that continues.
  private static let digitsMax = 9

  /// Returns the label of a page from the first one on; nil if the label does not continue.
  func label(at page: Int) -> String? {
    let (ahead, isOver) = page.subtractingReportingOverflow(self.page)
    guard ahead > 0, !isOver else { return ahead == 0 ? label : nil }
    let digits = label.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
    guard 1...Self.digitsMax ~= digits, let number = Int(label.suffix(digits)),
      "\(number)".utf8.count == digits
    else { return nil }
    let (next, isTooFar) = number.addingReportingOverflow(ahead)
    return isTooFar ? nil : "\(label.dropLast(digits))\(next)"
  }
}
