// Limits of replies. A press that its document has taken over does not respect them, so the server
// enforces them and kills a press that exceeds one.
extension PressLimits {
  /// Returns the maximum size of all images of an archive, for the size of its file, in bytes.
  public func assetBytes(ofFile bytes: Int) -> Int {
    let (grown, isOver) = max(0, bytes).multipliedReportingOverflow(by: ratio)
    return min(archiveBytes, max(ratioFreeBytes, isOver ? .max : grown))
  }

  /// Returns the maximum length of a reply by its type, which is its first byte.
  public func lengthMax(ofReply type: UInt8) -> Int {
    // Numbers, and texts that occur once.
    let rest = 64 << 10
    let length =
      switch ReplyKind(rawValue: type) {
      case .opened: Self.product(pages, 20 + PressText.label.bytes)
      case .outline: Self.product(outlineEntries, 12 + PressText.entry.bytes)
      case .page: textBytes + Self.product(words, 16) + Self.product(links, 13 + linkBytes)
      case .rendition: pictureBytes
      case .asset: entryBytes
      case .done, .imageFacts, .headers, .colours, .fault, nil: 0
      }
    return min(length, PressFrame.lengthMax - rest) + rest
  }

  private var linkBytes: Int { PressText.addressBytes }

  private static func product(_ count: Int, _ bytes: Int) -> Int {
    let (product, isOver) = count.multipliedReportingOverflow(by: bytes)
    return isOver ? PressFrame.lengthMax : min(product, PressFrame.lengthMax)
  }
}
