// Limits of replies. A press that its document controls does not respect them, so the server
// enforces them and kills a press that exceeds one.
extension PressLimits {
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
