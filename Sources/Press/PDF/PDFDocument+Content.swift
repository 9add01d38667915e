internal import CPoppler
internal import PressProtocol

extension PDFDocument {
  func content(of index: Int) throws(PressFault) -> PageContent {
    try withPage(index) { page in
      var width = 0.0
      var height = 0.0
      poppler_page_get_size(page, &width, &height)
      guard width > 0, height > 0 else { return PageContent() }
      let size = (width: width, height: height)
      var content = Self.words(of: page, size, limits)
      addLinks(of: page, size, to: &content)
      return content
    }
  }

  /// Returns the text of a page, with a box for each word.
  private static func words(
    of page: OpaquePointer,
    _ size: (width: Double, height: Double),
    _ limits: PressLimits
  ) -> PageContent {
    let text = GText.taken(poppler_page_get_text(page))
    var layout: UnsafeMutablePointer<PopplerRectangle>?
    var count: UInt32 = 0
    // One rectangle for each character of the text, if there are any.
    let hasLayout = poppler_page_get_text_layout(page, &layout, &count) != 0
    defer { g_free(layout) }
    let places = UnsafeBufferPointer(start: layout, count: hasLayout ? Int(count) : 0)
    var builder = WordBuilder(size, limits)
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let isInside = builder.add(scalar, index < places.count ? places[index] : nil)
      if !isInside { break }
    }
    return builder.content()
  }

  private func addLinks(
    of page: OpaquePointer,
    _ size: (width: Double, height: Double),
    to content: inout PageContent
  ) {
    let links = poppler_page_get_link_mapping(page)
    defer { poppler_page_free_link_mapping(links) }
    var next = links
    while let link = next {
      next = link.pointee.next
      guard let mapping = link.pointee.data?.assumingMemoryBound(to: PopplerLinkMapping.self),
        let action = mapping.pointee.action, let target = target(of: action)
      else { continue }
      guard content.links.count < limits.content.links else {
        content.cut = true
        return
      }
      // Unlike those of words, these vertical coordinates begin at the lower edge.
      let area = mapping.pointee.area
      let box = Box(
        x0: area.x1 / size.width,
        y0: 1 - area.y2 / size.height,
        x1: area.x2 / size.width,
        y1: 1 - area.y1 / size.height
      )
      content.links.append(LinkBox(box: box, target: target))
    }
  }

  private func target(of action: UnsafeMutablePointer<PopplerAction>) -> LinkBox.Target? {
    if action.pointee.type == POPPLER_ACTION_URI {
      let address = action.pointee.uri.uri.map { String(cString: $0) } ?? ""
      return PressText.isAddress(address) ? .uri(address) : nil
    }
    return page(of: action).map { .page($0) }
  }
}
