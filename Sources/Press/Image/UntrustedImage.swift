internal import PressProtocol

/// An untrusted image; its header is read immediately, its pixels only for a picture.
struct UntrustedImage {
  private let bytes: [UInt8]
  private let limits: PressLimits
  private let name: String
  /// The image of the file that is meant; all but those of TIFF have one.
  private let page: Int
  let facts: ImageFacts
  /// The number of images in the file, if each of them is a page.
  let pageCount: Int
  /// Whether browsers can show the file as it is.
  private let isPlain: Bool
  /// Whether its colours are CMYK.
  private let isCMYK: Bool

  /// Reads the header.
  ///
  /// The name in the archive is used in faults.
  init(
    _ bytes: [UInt8],
    name: String,
    page: Int = 0,
    _ limits: PressLimits
  ) throws(PressFault) {
    (self.bytes, self.limits, self.name, self.page) = (bytes, limits, name, page)
    guard let format = Magic.image(bytes.prefix(Magic.headBytes)) else {
      throw bytes.isEmpty ? .imageDamaged(name: name) : .unknownImage(name: name)
    }
    if format == .svg {
      guard let drawing = SVG(bytes) else { throw .imageDamaged(name: name) }
      let sides = 1...Double(limits.picture.side)
      facts = ImageFacts(
        format: .svg,
        width: Int(min(max(drawing.width, sides.lowerBound), sides.upperBound)),
        height: Int(min(max(drawing.height, sides.lowerBound), sides.upperBound))
      )
      isPlain = false
      isCMYK = false
      pageCount = 1
    } else {
      guard let header = Self.header(bytes, format, page: page) else {
        throw .imageDamaged(name: name)
      }
      facts = header.facts
      pageCount = header.pages
      isPlain = header.isPlain
      isCMYK = header.isCMYK
    }
    let (pixels, isOver) = facts.width.multipliedReportingOverflow(by: facts.height)
    guard !isOver, pixels <= limits.picture.sourcePixels else {
      throw .imageTooLarge(
        name: name,
        width: facts.width,
        height: facts.height,
        limit: limits.picture.sourcePixels
      )
    }
  }

  private static func header(
    _ bytes: [UInt8],
    _ format: ImageFormat,
    page: Int
  ) -> (facts: ImageFacts, isPlain: Bool, isCMYK: Bool, pages: Int)? {
    bytes.withUnsafeBytes { buffer in
      let options = page > 0 ? [("page", "\(page)")] : []
      guard let image = Vips.library?.run(loader(format), on: buffer, options),
        image.width > 0, image.height > 0
      else { return nil }
      let isOnSide = image.orientation >= 5
      var facts = ImageFacts(
        format: format,
        width: isOnSide ? image.height : image.width,
        height: isOnSide ? image.width : image.height
      )
      facts.isTurned = image.orientation > 1 && format != .jpeg
      let isPlain = image.orientation <= 1 && image.bands <= 3 && image.pages == 1
      // The images of other formats are those of an animation.
      let pages = format == .tiff ? max(1, image.pages) : 1
      return (facts, isPlain && (format == .jpeg || format == .webp), image.isCMYK, pages)
    }
  }

  private static func loader(_ format: ImageFormat) -> String {
    switch format {
    case .jpeg: "jpegload_buffer"
    case .png: "pngload_buffer"
    case .webp: "webpload_buffer"
    case .tiff: "tiffload_buffer"
    case .gif: "gifload_buffer"
    case .heif, .avif: "heifload_buffer"
    case .jpegXL: "jxlload_buffer"
    case .jpeg2000: "jp2kload_buffer"
    case .svg: "none"
    }
  }

  /// Returns a picture with the requested height, but not above that of the image; a drawing can
  /// have any height.
  ///
  /// The page is used in faults.
  func rendition(height: Int, effort: Effort, page: Int) throws(PressFault) -> RenditionBytes {
    if let original = original(fitting: height) { return original }
    let target = facts.format == .svg ? height : min(height, facts.height)
    let size = OutputSize(
      width: Double(facts.width),
      height: Double(facts.height),
      fitting: target,
      limits
    )
    let drawn = facts.format == .svg ? try drawing(size, page) : try decoded(size, page)
    let encoder = PageEncoder(effort: effort, page: page)
    return try encoder.encode(drawn, hasImages: { facts.format != .svg })
  }

  /// The whole image in its own size; nil if it cannot be decoded, or has more pixels.
  func whole(atMost pixels: Int) -> Bitmap? {
    guard facts.format != .svg, facts.width * facts.height <= pixels else { return nil }
    return try? decoded(OutputSize(width: facts.width, height: facts.height), 0)
  }

  /// Whether the file has an end, and not only a beginning.
  ///
  /// Decodes it only if other data follows the end, or if there is none.
  private var isWhole: Bool {
    ImageEnd.isWhole(facts.format, bytes)
      || bytes.withUnsafeBytes { buffer in
        let strict = [("fail_on", "truncated")]
        let image = Vips.library?.run(Self.loader(facts.format), on: buffer, strict)
        return image?.withPixels { _ in true } == true
      }
  }

  /// Returns the file itself if it is complete, not higher than requested and well compressed, so
  /// that no quality is lost.
  private func original(fitting height: Int) -> RenditionBytes? {
    guard isPlain, isWhole, facts.height <= height, facts.width <= limits.picture.side,
      facts.width * facts.height <= limits.picture.pixels,
      // Half a byte per pixel; the encoders here need less for everything but noise.
      bytes.count <= facts.width * facts.height / 2
    else { return nil }
    return RenditionBytes(
      bytes: bytes,
      mediaType: facts.format == .jpeg ? .jpeg : .webp,
      width: facts.width,
      height: facts.height,
      kind: .picture
    )
  }

  private func drawing(_ size: OutputSize, _ page: Int) throws(PressFault) -> Bitmap {
    guard let bitmap = Bitmap(size) else { throw .neededTooMuchMemory(page: page) }
    guard let drawing = SVG(bytes), drawing.draw(into: bitmap) else {
      throw .imageDamaged(name: name)
    }
    return bitmap
  }

  /// Decodes only as much as the size needs, turns the image upright and converts its colours to
  /// sRGB.
  private func decoded(_ size: OutputSize, _ page: Int) throws(PressFault) -> Bitmap {
    // Without an embedded profile, CMYK is interpreted as the most common print profile.
    let profile = isCMYK ? [("import-profile", "cmyk")] : []
    let options =
      profile + [
        ("width", "\(size.width)"), ("height", "\(size.height)"), ("size", "force"),
        ("export-profile", "srgb"),
      ] + (self.page > 0 ? [("option-string", "[page=\(self.page)]")] : [])
    let bitmap = bytes.withUnsafeBytes { buffer -> Bitmap? in
      guard let vips = Vips.library,
        let small = vips.run("thumbnail_buffer", on: buffer, options),
        let coloured = vips.run("colourspace", on: small, [("space", "srgb")]),
        let plain = vips.run("cast", on: coloured, [("format", "uchar")]),
        let bitmap = Bitmap(OutputSize(width: plain.width, height: plain.height))
      else { return nil }
      let bands = plain.bands
      return plain.withPixels { bitmap.fill(from: $0, bands: bands) } == true ? bitmap : nil
    }
    guard let bitmap else { throw .imageDamaged(name: name) }
    // Of a file that ends before its pixels, decoders make one colour, and that of JPEG a first
    // block of 16 x 16 pixels from nothing.
    let scale = Double(size.width) / Double(max(1, facts.width))
    let block = Int(16 * scale) + 4
    if bitmap.unlikeLast <= block * block, !isWhole { throw .imageDamaged(name: name) }
    return bitmap
  }
}
