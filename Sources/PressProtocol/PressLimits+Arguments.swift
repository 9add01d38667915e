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
  package mutating func take(_ argument: String) -> Bool {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let value = Int(parts[1]), (1...Self.most).contains(value) else {
      return false
    }
    guard let found = Self.named.first(where: { "--" + $0.name == parts[0] }) else { return false }
    self[keyPath: found.path] = value
    return true
  }
}
