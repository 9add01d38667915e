/// The limits of a document and of the press that reads it.
///
/// The server passes limits that differ from the standard to its presses as ``arguments``.
package struct PressLimits: Equatable, Sendable {
  /// The limits of the file and of its pages.
  package var document = DocumentLimits()
  /// The limits of an archive of images.
  package var archive = ArchiveLimits()
  /// The limits of images and of the pictures made from them.
  package var picture = PictureLimits()
  /// The limits of texts, links and the outline.
  package var content = ContentLimits()
  /// The limits of the time that a press may take.
  package var time = TimeLimits()
  /// The limits of the memory that a press may use.
  package var memory = MemoryLimits()

  /// Creates the default limits.
  package init() {}

  /// The default limits.
  package static let standard = PressLimits()
}

/// The limits of a document's file and of its pages.
package struct DocumentLimits: Equatable, Sendable {
  /// The size of a file in bytes: 1 GiB.
  package var bytes = 1 << 30
  /// The number of pages of a document.
  package var pages = 5_000
  /// The longer side of a page in points.
  package var pageSide = 14_400
  /// The ratio of the sides of a page.
  package var pageAspect = 20
}

/// The limits of an archive of images.
package struct ArchiveLimits: Equatable, Sendable {
  /// The number of entries of an archive.
  package var entries = 10_000
  /// The unpacked size of an entry in bytes.
  package var entryBytes = 64 << 20
  /// The unpacked size of a whole archive in bytes.
  package var bytes = 4 << 30
  /// How many times its own size an archive may unpack to, beyond ``ratioFreeBytes``.
  package var ratio = 200
  /// The unpacked size that every archive may have, however small it is, in bytes.
  package var ratioFreeBytes = 100 << 20
}

/// The limits of images and of the pictures made from them.
package struct PictureLimits: Equatable, Sendable {
  /// The number of pixels of an image, as its header claims.
  package var sourcePixels = 200_000_000
  /// The number of pixels of a rendition.
  package var pixels = 40_000_000
  /// The longer side of a rendition in pixels, the maximum of WebP.
  package var side = 16_383
  /// The size of an encoded picture in bytes.
  package var bytes = 64 << 20
}

/// The limits of the texts, links and outline of a document; the rest is omitted.
package struct ContentLimits: Equatable, Sendable {
  /// The number of entries of an outline.
  package var outlineEntries = 20_000
  /// The depth of an outline; deeper entries are omitted.
  package var outlineDepth = 16
  /// The number of links on a page.
  package var links = 5_000
  /// The number of words on a page.
  package var words = 20_000
  /// The size of the text of a page in bytes.
  package var textBytes = 512 << 10
}

/// The limits of the time that a press may take.
package struct TimeLimits: Equatable, Sendable {
  /// CPU seconds for opening a document.
  package var openSeconds = 30
  /// Additional CPU seconds for each hundred pages.
  package var secondsPerHundredPages = 2
  /// CPU seconds for one page.
  package var pageSeconds = 5
  /// CPU seconds for laying out a whole book.
  package var layoutSeconds = 600
  /// The ratio of elapsed time to CPU time at which a press is killed.
  package var wallFactor = 3
}

/// The limits of the address space of a press.
package struct MemoryLimits: Equatable, Sendable {
  /// The address space of a press for PDF in bytes.
  package var pdfBytes = 1 << 30
  /// The address space of a press for images in bytes.
  package var imageBytes = 2 << 30
  /// The memory that each process of the layout engine may write, in bytes.
  package var engineBytes = 3 << 29
}

extension PressLimits {
  /// The name of a limit on the command line, and the limit.
  private typealias Named = (name: String, path: WritableKeyPath<PressLimits, Int>)

  private static var named: [Named] {
    [
      ("file-bytes", \.document.bytes), ("pages", \.document.pages),
      ("page-side", \.document.pageSide), ("page-aspect", \.document.pageAspect),
      ("output-pixels", \.picture.pixels), ("output-side", \.picture.side),
      ("image-pixels", \.picture.sourcePixels), ("entries", \.archive.entries),
      ("entry-bytes", \.archive.entryBytes), ("archive-bytes", \.archive.bytes),
      ("ratio", \.archive.ratio), ("ratio-free-bytes", \.archive.ratioFreeBytes),
      ("open-seconds", \.time.openSeconds),
      ("seconds-per-hundred-pages", \.time.secondsPerHundredPages),
      ("page-seconds", \.time.pageSeconds), ("wall-factor", \.time.wallFactor),
      ("memory-bytes", \.memory.pdfBytes), ("image-memory-bytes", \.memory.imageBytes),
      ("engine-memory-bytes", \.memory.engineBytes), ("layout-seconds", \.time.layoutSeconds),
      ("outline-entries", \.content.outlineEntries), ("outline-depth", \.content.outlineDepth),
      ("links", \.content.links), ("words", \.content.words),
      ("text-bytes", \.content.textBytes), ("picture-bytes", \.picture.bytes),
    ]
  }

  /// The command-line arguments for the limits that differ from the standard, such as
  /// `--pages=100`.
  package var arguments: [String] {
    Self.named.compactMap { name, path in
      self[keyPath: path] == Self.standard[keyPath: path] ? nil : "--\(name)=\(self[keyPath: path])"
    }
  }

  /// The maximum value of a limit, so that sums and products cannot overflow.
  private static let most = 1 << 40

  /// Parses a limit from an argument such as `--pages=100`.
  /// - Returns: Whether the argument names a limit and a whole number in the valid range, from 1.
  package mutating func parse(_ argument: String) -> Bool {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), (1...Self.most).contains(value) else {
      return false
    }
    guard let found = Self.named.first(where: { "--" + $0.name == parts[0] }) else { return false }
    self[keyPath: found.path] = value
    return true
  }

  // Limits of replies. A press that its document controls does not respect them, so the server
  // enforces them and kills a press that exceeds one.

  /// Returns the maximum size of all images of an archive, for the size of its file, in bytes.
  package func assetBytes(ofFile bytes: Int) -> Int {
    let (grown, isOver) = max(0, bytes).multipliedReportingOverflow(by: archive.ratio)
    return min(archive.bytes, max(archive.ratioFreeBytes, isOver ? .max : grown))
  }

  /// Returns the maximum length of a reply by its type, which is its first byte.
  package func lengthMax(ofReply type: UInt8) -> Int {
    // Numbers, and texts that occur once.
    let rest = 64 << 10
    let length =
      switch ReplyKind(rawValue: type) {
      case .opened: Self.product(document.pages, 20 + PressText.label.bytes)
      case .outline: Self.product(content.outlineEntries, 12 + PressText.entry.bytes)
      case .page:
        content.textBytes + Self.product(content.words, 16)
          + Self.product(content.links, 13 + PressText.addressBytes)
      case .rendition: picture.bytes
      case .asset: archive.entryBytes
      case .done, .imageFacts, .headers, .colours, .fault, nil: 0
      }
    return min(length, PressFrame.lengthMax - rest) + rest
  }

  private static func product(_ count: Int, _ bytes: Int) -> Int {
    let (product, isOver) = count.multipliedReportingOverflow(by: bytes)
    return isOver ? PressFrame.lengthMax : min(product, PressFrame.lengthMax)
  }
}
