/// The limits of a document and of the press that reads it.
///
/// The server passes limits that differ from the standard to its presses as ``arguments``.
public struct PressLimits: Equatable, Sendable {
  /// The limits of the file and of its pages.
  public var document = DocumentLimits()
  /// The limits of an archive of images.
  public var archive = ArchiveLimits()
  /// The limits of images and of the pictures made from them.
  public var picture = PictureLimits()
  /// The limits of texts, links and the outline.
  public var content = ContentLimits()
  /// The limits of the time that a press may take.
  public var time = TimeLimits()
  /// The limits of the memory that a press may use.
  public var memory = MemoryLimits()

  /// Creates the default limits.
  public init() {}

  /// The default limits.
  public static let standard = PressLimits()
}

/// The limits of a document's file and of its pages.
public struct DocumentLimits: Equatable, Sendable {
  /// The size of a file in bytes: 1 GiB.
  public var bytes = 1 << 30
  /// The number of pages of a document.
  public var pages = 5_000
  /// The longer side of a page in points.
  public var pageSide = 14_400
  /// The ratio of the sides of a page.
  public var pageAspect = 20
}

/// The limits of an archive of images.
public struct ArchiveLimits: Equatable, Sendable {
  /// The number of entries of an archive.
  public var entries = 10_000
  /// The unpacked size of an entry in bytes.
  public var entryBytes = 64 << 20
  /// The unpacked size of a whole archive in bytes.
  public var bytes = 4 << 30
  /// How many times its own size an archive may unpack to, beyond ``ratioFreeBytes``.
  public var ratio = 200
  /// The unpacked size that every archive may have, however small it is, in bytes.
  public var ratioFreeBytes = 100 << 20
}

/// The limits of images and of the pictures made from them.
public struct PictureLimits: Equatable, Sendable {
  /// The number of pixels of an image, as its header claims.
  public var sourcePixels = 200_000_000
  /// The number of pixels of a rendition.
  public var pixels = 40_000_000
  /// The longer side of a rendition in pixels, the maximum of WebP.
  public var side = 16_383
  /// The size of an encoded picture in bytes.
  public var bytes = 64 << 20
}

/// The limits of the texts, links and outline of a document; the rest is omitted.
public struct ContentLimits: Equatable, Sendable {
  /// The number of entries of an outline.
  public var outlineEntries = 20_000
  /// The depth of an outline; deeper entries are omitted.
  public var outlineDepth = 16
  /// The number of links on a page.
  public var links = 5_000
  /// The number of words on a page.
  public var words = 20_000
  /// The size of the text of a page in bytes.
  public var textBytes = 512 << 10
}

/// The limits of the time that a press may take.
public struct TimeLimits: Equatable, Sendable {
  /// CPU seconds for opening a document.
  public var openSeconds = 30
  /// Additional CPU seconds for each hundred pages.
  public var secondsPerHundredPages = 2
  /// CPU seconds for one page.
  public var pageSeconds = 5
  /// The ratio of elapsed time to CPU time at which a press is killed.
  public var wallFactor = 3
}

/// The limits of the address space of a press.
public struct MemoryLimits: Equatable, Sendable {
  /// The address space of a press for PDF in bytes.
  public var pdfBytes = 1 << 30
  /// The address space of a press for images in bytes.
  public var imageBytes = 2 << 30
}
