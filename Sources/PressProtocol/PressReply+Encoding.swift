/// The first byte of each reply.
enum ReplyKind: UInt8 {
  case opened = 0x81
  case outline, page, rendition, asset, done, imageFacts, headers, colours
  case fault = 0xFF
}

extension PressReply {
  /// Encodes the reply as one frame with its header.
  package func encoded() -> [UInt8] {
    PressFrame.framed { bytes in
      switch self {
      case .opened(let facts):
        bytes.append(ReplyKind.opened.rawValue)
        bytes.appendFacts(facts)
      case .outline(let entries):
        bytes.append(ReplyKind.outline.rawValue)
        bytes.appendCount(entries.count)
        for entry in entries {
          bytes.appendCount(entry.depth)
          bytes.appendString(entry.title)
          bytes.appendPage(entry.page)
        }
      case .page(let content):
        bytes.append(ReplyKind.page.rawValue)
        bytes.appendContent(content)
      case .rendition(let rendition):
        bytes.append(ReplyKind.rendition.rawValue)
        bytes.append(rendition.mediaType.rawValue)
        bytes.append(rendition.kind.rawValue)
        bytes.appendCount(rendition.width)
        bytes.appendCount(rendition.height)
        bytes.appendBytes(rendition.bytes)
      case .asset(let asset):
        bytes.append(ReplyKind.asset.rawValue)
        bytes.appendCount(asset.page)
        bytes.appendString(asset.name)
        bytes.appendFacts(asset.facts)
        bytes.append(asset.fault == nil ? 0 : 1)
        if let fault = asset.fault { bytes.appendFault(fault) }
        bytes.appendBytes(asset.bytes)
      case .done: bytes.append(ReplyKind.done.rawValue)
      case .imageFacts(let facts):
        bytes.append(ReplyKind.imageFacts.rawValue)
        bytes.appendFacts(facts)
      case .headers(let headers):
        bytes.append(ReplyKind.headers.rawValue)
        bytes.appendCount(headers.count)
        for header in headers { bytes.appendHeader(header) }
      case .colours(let colours):
        bytes.append(ReplyKind.colours.rawValue)
        bytes.appendCount(colours.count)
        for colour in colours { bytes.append32(colour) }
      case .fault(let fault):
        bytes.append(ReplyKind.fault.rawValue)
        bytes.appendFault(fault)
      }
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendFacts(_ facts: DocumentFacts) {
    append(facts.format.rawValue)
    appendString(facts.title)
    appendString(facts.author)
    appendString(facts.language)
    append(facts.direction.map { $0.rawValue + 1 } ?? 0)
    append(facts.needsExtraction ? 1 : 0)
    appendCount(facts.besides.count)
    for name in facts.besides { appendString(name) }
    appendCount(facts.pages.count)
    for page in facts.pages {
      appendDouble(page.width)
      appendDouble(page.height)
      appendString(page.label)
    }
  }

  fileprivate mutating func appendFault(_ fault: PressFault) {
    let record = FaultRecord(fault)
    append(record.code)
    appendString(record.text)
    for number in record.numbers { appendSigned(number) }
  }

  fileprivate mutating func appendContent(_ content: PageContent) {
    appendString(content.text)
    append(content.cut ? 1 : 0)
    appendCount(content.words.count)
    for word in content.words {
      appendCount(word.start)
      appendCount(word.length)
      appendBox(word.box)
    }
    appendCount(content.links.count)
    for link in content.links {
      appendBox(link.box)
      switch link.target {
      case .page(let page):
        append(0)
        appendCount(page)
      case .uri(let uri):
        append(1)
        appendString(uri)
      }
    }
  }

  fileprivate mutating func appendFacts(_ facts: ImageFacts) {
    append(facts.format.rawValue)
    appendCount(facts.width)
    appendCount(facts.height)
  }
}
