// What a press may say. A press that was taken over by its document keeps to nothing; the server
// holds it to this, and ends it when it goes beyond.
extension PressLimits {
  /// The bytes that the images of an archive may have together, by the bytes of its file.
  public func assetBytes(ofFile bytes: Int) -> Int {
    let (grown, isOver) = max(0, bytes).multipliedReportingOverflow(by: ratio)
    return min(archiveBytes, max(ratioFreeBytes, isOver ? .max : grown))
  }

  /// The longest message of a reply, by its type: its first byte.
  public func lengthMax(ofReply type: UInt8) -> Int {
    // Numbers, and texts that come once.
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
