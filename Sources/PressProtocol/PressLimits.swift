/// What a document may cost.
///
/// A server hands the ones it changed to its presses as ``arguments``.
public struct PressLimits: Equatable, Sendable {
  /// The bytes of a file: 1 GiB.
  public var fileBytes = 1 << 30
  /// The pages of a document.
  public var pages = 5_000
  /// The longest side of a page in points.
  public var pageSide = 14_400
  /// The most that one side of a page may be of the other.
  public var pageAspect = 20
  /// The pixels of a rendition.
  public var outputPixels = 40_000_000
  /// The longest side of a rendition; WebP goes no further.
  public var outputSide = 16_383
  /// The pixels of an image, by its header.
  public var imagePixels = 200_000_000
  /// The entries of an archive.
  public var entries = 10_000
  /// The bytes one entry unpacks to.
  public var entryBytes = 64 << 20
  /// The bytes a whole archive unpacks to.
  public var archiveBytes = 4 << 30
  /// How many times its own size an archive may unpack to, after ``ratioFreeBytes``.
  public var ratio = 200
  /// The bytes that any archive may unpack to, however small it is.
  public var ratioFreeBytes = 100 << 20
  /// The processor's seconds for opening a document.
  public var openSeconds = 30
  /// The processor's seconds added for each hundred pages.
  public var secondsPerHundredPages = 2
  /// The processor's seconds for one page.
  public var pageSeconds = 5
  /// How many times the processor's seconds may go by on the clock before a press is killed.
  public var wallFactor = 3
  /// The bytes of address space of a press that reads a PDF.
  public var memoryBytes = 1 << 30
  /// The bytes of address space of a press that reads images.
  public var imageMemoryBytes = 2 << 30
  /// The entries of an outline; the rest is cut.
  public var outlineEntries = 20_000
  /// The depth of an outline; what lies deeper is cut.
  public var outlineDepth = 16
  /// The links of a page; the rest is cut.
  public var links = 5_000
  /// The words of a page; the rest is cut.
  public var words = 20_000
  /// The bytes of the text of a page; the rest is cut.
  public var textBytes = 512 << 10
  /// The bytes of an encoded picture.
  public var pictureBytes = 64 << 20

  /// Creates the limits that hold unless somebody says otherwise.
  public init() {}

  /// The limits that hold unless somebody says otherwise.
  public static let standard = PressLimits()

  /// A limit's name on a command line, and the limit.
  private typealias Named = (name: String, path: WritableKeyPath<PressLimits, Int>)

  private static var named: [Named] {
    [
      ("file-bytes", \.fileBytes), ("pages", \.pages), ("page-side", \.pageSide),
      ("page-aspect", \.pageAspect), ("output-pixels", \.outputPixels),
      ("output-side", \.outputSide), ("image-pixels", \.imagePixels), ("entries", \.entries),
      ("entry-bytes", \.entryBytes), ("archive-bytes", \.archiveBytes), ("ratio", \.ratio),
      ("ratio-free-bytes", \.ratioFreeBytes), ("open-seconds", \.openSeconds),
      ("seconds-per-hundred-pages", \.secondsPerHundredPages), ("page-seconds", \.pageSeconds),
      ("wall-factor", \.wallFactor), ("memory-bytes", \.memoryBytes),
      ("image-memory-bytes", \.imageMemoryBytes), ("outline-entries", \.outlineEntries),
      ("outline-depth", \.outlineDepth), ("links", \.links), ("words", \.words),
      ("text-bytes", \.textBytes), ("picture-bytes", \.pictureBytes),
    ]
  }

  /// The arguments that tell a press which limits differ from the standard: `--pages=100`.
  public var arguments: [String] {
    Self.named.compactMap { name, path in
      self[keyPath: path] == Self.standard[keyPath: path] ? nil : "--\(name)=\(self[keyPath: path])"
    }
  }

  /// The highest value of a limit, so that reckoning with several cannot overflow.
  private static let most = 1 << 40

  /// Takes a limit from an argument such as `--pages=100`.
  /// - Returns: Whether the argument names a limit and a whole number of 1 or more, but not beyond
  ///   any use.
  public mutating func take(_ argument: String) -> Bool {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), (1...Self.most).contains(value) else {
      return false
    }
    guard let found = Self.named.first(where: { "--" + $0.name == parts[0] }) else { return false }
    self[keyPath: found.path] = value
    return true
  }
}
