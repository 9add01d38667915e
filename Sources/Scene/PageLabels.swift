/// What the pages of a book are called: what is printed on them where the book says so, else their
/// place, counted from 1 as viewers of documents do.
///
/// Labels that count on, such as "12", "13" and "14", are kept as one run, so that a library of ten
/// thousand books holds few of them.
public struct PageLabels: Equatable, Sendable {
  /// Pages whose labels count on from that of the first.
  public struct Run: Equatable, Sendable {
    /// The first page, from 0.
    public var page: Int
    /// What it is called.
    public var label: String

    /// Creates a run.
    public init(page: Int, label: String) {
      self.page = page
      self.label = label
    }
  }

  /// The longest label that is shown, in Unicode scalars; of a page with a longer one the place is.
  public static let lengthMax = 24

  /// The runs, by their first pages; none where pages are simply counted.
  public let runs: [Run]

  /// Labels of pages that are simply counted.
  public init() { runs = [] }

  /// Creates labels from runs; those that make no sense are left out.
  public init(runs: [Run]) {
    var kept: [Run] = []
    for run in runs.sorted(by: { $0.page < $1.page })
    where run.page >= 0 && run.page != kept.last?.page {
      let label = Self.shown(run.label) ?? Self.counted(run.page)
      // What only goes on is no run of its own.
      if let last = kept.last, last.label(at: run.page) == label { continue }
      if kept.isEmpty, label == Self.counted(run.page) { continue }
      kept.append(Run(page: run.page, label: label))
    }
    self.runs = kept
  }

  /// Creates labels from what is printed on each page, in order; empty where nothing is.
  public init(printed: [String]) {
    self.init(runs: printed.enumerated().map { Run(page: $0.offset, label: $0.element) })
  }

  /// What a page is called; pages are counted from 0, and none is before the first.
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

  /// A label as people see it; nil if it cannot be shown.
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
  /// The most digits that count on.
  private static let digitsMax = 9

  /// What a page from the first one on is called; nil where the label does not count on.
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
