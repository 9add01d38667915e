extension ServerMessage {
  /// Returns the messages that retire elements, by number.
  static func retiring(_ ids: [UInt64]) -> [[UInt8]] {
    stride(from: 0, to: ids.count, by: WireLimits.retiredPerMessage).map { start in
      var bytes: [UInt8] = []
      let end = min(start + WireLimits.retiredPerMessage, ids.count)
      ServerMessage.retired(Array(ids[start..<end])).encode(into: &bytes)
      return bytes
    }
  }

  /// Returns the messages that introduce elements, each within ``WireLimits/elementsBytes`` and
  /// ``WireLimits/elementsPerMessage``.
  ///
  /// Titles and addresses come from books, so a few elements can be as long as hundreds of others.
  package static func introducing(_ elements: [WireElement]) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    var rest = elements[...]
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      bytes.beginServer(.elements)
      let part = rest.prefix(WireLimits.elementsPerMessage)
      let count = bytes.appendList(part, before: WireLimits.elementsBytes) { $0.appendElement($1) }
      messages.append(bytes)
      // One element always fits: its three texts take a tenth of a message.
      rest = rest.dropFirst(count)
    }
    return messages
  }
}
