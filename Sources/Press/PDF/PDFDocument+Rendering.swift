internal import CPoppler
internal import PressProtocol

extension PDFDocument {
  func rendition(
    of index: Int,
    height: Int,
    effort: Effort
  ) throws(PressFault) -> RenditionBytes {
    try withPage(index) { page throws(PressFault) in
      var width = 0.0
      var length = 0.0
      poppler_page_get_size(page, &width, &length)
      guard limits.document.allowsPage(width: width, height: length) else {
        throw .pageTooLarge(index)
      }
      let size = OutputSize(width: width, height: length, fitting: height, limits)
      guard let bitmap = Bitmap(size) else { throw .neededTooMuchMemory(page: index) }
      let isDrawn = bitmap.draw { context in
        cairo_scale(context, Double(size.width) / width, Double(size.height) / length)
        poppler_page_render(page, context)
      }
      guard isDrawn else { throw .pageDamaged(index) }
      let encoder = PageEncoder(effort: effort, page: index)
      return try encoder.encode(bitmap, hasImages: { Self.hasImages(page) })
    }
  }

  /// Returns whether a page contains an image.
  ///
  /// Processes the page's drawing operations once more.
  private static func hasImages(_ page: OpaquePointer) -> Bool {
    guard let images = poppler_page_get_image_mapping(page) else { return false }
    poppler_page_free_image_mapping(images)
    return true
  }
}

extension DocumentLimits {
  /// Returns whether a page of this size, in points, can be shown.
  func allowsPage(width: Double, height: Double) -> Bool {
    guard width >= 1, height >= 1 else { return false }
    let longer = max(width, height)
    return longer <= Double(pageSide) && longer <= min(width, height) * Double(pageAspect)
  }
}
