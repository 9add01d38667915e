/// The limits of a document.
///
/// The server passes limits that differ from the standard to its presses as ``arguments``.
public struct PressLimits: Equatable, Sendable {
  /// The size of a file in bytes: 1 GiB.
  public var fileBytes = 1 << 30
  /// The number of pages of a document.
  public var pages = 5_000
  /// The longer side of a page in points.
  public var pageSide = 14_400
  /// The ratio of the sides of a page.
  public var pageAspect = 20
  /// The number of pixels of a rendition.
  public var outputPixels = 40_000_000
  /// The longer side of a rendition in pixels, the maximum of WebP.
  public var outputSide = 16_383
  /// The number of pixels of an image, as its header claims.
  public var imagePixels = 200_000_000
  /// The number of entries of an archive.
  public var entries = 10_000
  /// The unpacked size of an entry in bytes.
  public var entryBytes = 64 << 20
  /// The unpacked size of a whole archive in bytes.
  public var archiveBytes = 4 << 30
  /// How many times its own size an archive may unpack to, beyond ``ratioFreeBytes``.
  public var ratio = 200
  /// The unpacked size that every archive may have, however small it is, in bytes.
  public var ratioFreeBytes = 100 << 20
  /// CPU seconds for opening a document.
  public var openSeconds = 30
  /// Additional CPU seconds for each hundred pages.
  public var secondsPerHundredPages = 2
  /// CPU seconds for one page.
  public var pageSeconds = 5
  /// The ratio of elapsed time to CPU time at which a press is killed.
  public var wallFactor = 3
  /// The address space of a press for PDF in bytes.
  public var memoryBytes = 1 << 30
  /// The address space of a press for images in bytes.
  public var imageMemoryBytes = 2 << 30
  /// The number of entries of an outline; the rest is omitted.
  public var outlineEntries = 20_000
  /// The depth of an outline; deeper entries are omitted.
  public var outlineDepth = 16
  /// The number of links on a page; the rest is omitted.
  public var links = 5_000
  /// The number of words on a page; the rest is omitted.
  public var words = 20_000
  /// The size of the text of a page in bytes; the rest is omitted.
  public var textBytes = 512 << 10
  /// The size of an encoded picture in bytes.
  public var pictureBytes = 64 << 20

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let standard = PressLimits()

  /// The name of a limit on the command line, and the limit.
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

  /// The arguments that tell a press which limits differ from the standard, such as `--pages=100`.
  public var arguments: [String] {
    Self.named.compactMap { name, path in
      self[keyPath: path] == Self.standard[keyPath: path] ? nil : "--\(name)=\(self[keyPath: path])"
    }
  }

  /// The maximum value of a limit, so that sums and products cannot overflow.
  private static let most = 1 << 40

  /// Parses a limit from an argument such as `--pages=100`.
  /// - Returns: Whether the argument names a limit and a whole number in the valid range, from 1.
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
