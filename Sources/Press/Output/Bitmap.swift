internal import CPoppler
internal import Glibc

/// A picture in memory: rows of 0x00RRGGBB from the upper left, without padding.
final class Bitmap {
  let width: Int
  let height: Int
  let pixels: UnsafeMutableBufferPointer<UInt32>

  /// Creates a white picture; `nil` if memory is exhausted.
  init?(_ size: OutputSize) {
    let count = size.width * size.height
    guard let memory = malloc(count * MemoryLayout<UInt32>.stride) else { return nil }
    width = size.width
    height = size.height
    pixels = UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: UInt32.self, capacity: count),
      count: count
    )
    memset(memory, 0xFF, count * MemoryLayout<UInt32>.stride)
  }

  deinit { free(pixels.baseAddress) }

  /// Creates a surface of Cairo that has these pixels.
  private func surface() -> OpaquePointer? {
    cairo_image_surface_create_for_data(
      UnsafeMutableRawPointer(pixels.baseAddress)?.assumingMemoryBound(to: UInt8.self),
      CAIRO_FORMAT_RGB24,
      Int32(width),
      Int32(height),
      Int32(width * 4)
    )
  }

  /// Draws with Cairo, in pixels.
  /// - Returns: Whether this succeeded.
  func draw(_ work: (OpaquePointer) -> Void) -> Bool {
    let surface = surface()
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = cairo_create(surface)
    else { return false }
    work(context)
    let status = cairo_status(context)
    cairo_destroy(context)
    cairo_surface_finish(surface)
    return status == CAIRO_STATUS_SUCCESS
  }

  /// Copies pixels with one byte per band: red, green, blue and, with four bands, the opacity, with
  /// which the colours are blended over white.
  /// - Returns: Whether the number of bytes matches the picture.
  func fill(from source: UnsafeRawBufferPointer, bands: Int) -> Bool {
    guard bands == 3 || bands == 4, source.count == pixels.count * bands else { return false }
    var offset = 0
    for index in pixels.indices {
      var red = UInt32(source[offset])
      var green = UInt32(source[offset + 1])
      var blue = UInt32(source[offset + 2])
      if bands == 4 {
        let opacity = UInt32(source[offset + 3])
        red = Self.onWhite(red, opacity)
        green = Self.onWhite(green, opacity)
        blue = Self.onWhite(blue, opacity)
      }
      pixels[index] = red << 16 | green << 8 | blue
      offset += bands
    }
    return true
  }

  private static func onWhite(_ value: UInt32, _ opacity: UInt32) -> UInt32 {
    (value * opacity + 255 * (255 - opacity) + 127) / 255
  }

  /// Returns the picture in another size; `nil` if memory is exhausted.
  func scaled(to size: OutputSize) -> Bitmap? {
    guard let scaled = Bitmap(size) else { return nil }
    let isDrawn = scaled.draw { context in
      cairo_scale(
        context,
        Double(size.width) / Double(width),
        Double(size.height) / Double(height)
      )
      let surface = surface()
      cairo_set_source_surface(context, surface, 0, 0)
      // Beyond its edges, the picture would be transparent.
      cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
      cairo_paint(context)
      cairo_surface_destroy(surface)
    }
    return isDrawn ? scaled : nil
  }

  /// Copies rows; `nil` if memory is exhausted.
  func rows(_ range: Range<Int>) -> Bitmap? {
    guard let part = Bitmap(OutputSize(width: width, height: range.count)) else { return nil }
    let source = pixels[(range.lowerBound * width)..<(range.upperBound * width)]
    _ = part.pixels.update(fromContentsOf: source)
    return part
  }

  /// The number of pixels of another colour than the last one.
  var unlikeLast: Int {
    guard let last = pixels.last else { return 0 }
    return pixels.reduce(0) { $0 + (($1 ^ last) & 0xFF_FFFF == 0 ? 0 : 1) }
  }

  /// The properties of a picture that determine its encoding.
  struct Colours {
    /// Whether there are at most 256 distinct colours.
    var areFew = true
    /// The share of pixels that equal the previous one: high in drawings, low in photographs.
    var repeated = 1.0
  }

  /// Examines all pixels once.
  func colours() -> Colours {
    // Four times as many slots as colours, so that most lookups succeed immediately. No colour has
    // the highest byte set, so all ones marks a free slot.
    var table = [UInt32](repeating: .max, count: 1_024)
    return table.withUnsafeMutableBufferPointer { table in
      var count = 0
      var changes = 0
      var last = UInt32.max
      for pixel in pixels {
        let colour = pixel & 0xFF_FFFF
        if colour == last { continue }
        last = colour
        changes += 1
        if count > 256 { continue }
        var place = Int((colour &* 0x9E37_79B1) >> 22)
        while table[place] != colour, table[place] != .max { place = (place + 1) & 1_023 }
        if table[place] == .max {
          table[place] = colour
          count += 1
        }
      }
      let repeated = 1 - Double(changes) / Double(max(1, pixels.count))
      return Colours(areFew: count <= 256, repeated: repeated)
    }
  }
}
