extension ServerMessage {
  /// The messages that retire elements, by their numbers.
  static func retiring(_ ids: [UInt64]) -> [[UInt8]] {
    stride(from: 0, to: ids.count, by: WireLimits.retiredPerMessage).map { start in
      var bytes: [UInt8] = []
      let end = min(start + WireLimits.retiredPerMessage, ids.count)
      ServerMessage.retired(Array(ids[start..<end])).encode(into: &bytes)
      return bytes
    }
  }

  /// The messages that introduce elements, each no longer than ``WireLimits/elementsBytes`` and of
  /// no more than ``WireLimits/elementsPerMessage`` elements.
  ///
  /// Titles and addresses come from books: a handful of elements may be as long as hundreds.
  public static func introducing(_ elements: [WireElement]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var rest = elements[...]
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      bytes.beginServer(.elements)
      let part = rest.prefix(WireLimits.elementsPerMessage)
      let count = bytes.appendList(part, before: WireLimits.elementsBytes) { $0.appendElement($1) }
      messages.append(bytes)
      // One always fits: its three texts take a tenth of a message.
      rest = rest.dropFirst(count)
    }
    return messages
  }
}
