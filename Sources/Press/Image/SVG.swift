internal import CPoppler

/// An SVG drawing, rendered by librsvg without access to other files.
final class SVG {
  /// The functions of librsvg that are used.
  struct Library: Sendable {
    fileprivate typealias Handle = UnsafeMutableRawPointer
    fileprivate typealias Failure = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

    fileprivate let newFromData:
      @Sendable @convention(c) (UnsafePointer<UInt8>?, Int, Failure?) -> Handle?
    fileprivate let pixelSize:
      @Sendable @convention(c) (
        Handle, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>
      ) -> Int32
    fileprivate let render:
      @Sendable @convention(c) (
        Handle, OpaquePointer, UnsafePointer<cairo_rectangle_t>, Failure?
      ) -> Int32

    fileprivate init?() {
      guard let library = SharedLibrary("librsvg-2.so.2"),
        let newFromData = library.function(
          "rsvg_handle_new_from_data",
          as: (@Sendable @convention(c) (UnsafePointer<UInt8>?, Int, Failure?) -> Handle?).self
        ),
        let pixelSize = library.function(
          "rsvg_handle_get_intrinsic_size_in_pixels",
          as: (@Sendable @convention(c) (
            Handle, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>
          ) -> Int32).self
        ),
        let render = library.function(
          "rsvg_handle_render_document",
          as: (@Sendable @convention(c) (
            Handle, OpaquePointer, UnsafePointer<cairo_rectangle_t>, Failure?
          ) -> Int32).self
        )
      else { return nil }
      (self.newFromData, self.pixelSize, self.render) = (newFromData, pixelSize, render)
    }
  }

  /// The library; `nil` if it is not installed.
  static let library = Library()

  /// The size of a drawing that states none.
  private static let defaultSide = 1_000.0

  private let library: Library
  private let handle: UnsafeMutableRawPointer
  /// The width in CSS pixels.
  let width: Double
  /// The height in CSS pixels.
  let height: Double

  /// Parses a drawing; `nil` if it is not one.
  init?(_ bytes: [UInt8]) {
    guard let library = Self.library,
      let handle = library.newFromData(bytes, bytes.count, nil)
    else { return nil }
    var width = 0.0
    var height = 0.0
    // A size that is not a positive, finite number is ignored.
    let hasSize = library.pixelSize(handle, &width, &height) != 0
    if !hasSize || !(width > 0 && width.isFinite && height > 0 && height.isFinite) {
      width = Self.defaultSide
      height = Self.defaultSide
    }
    (self.library, self.handle, self.width, self.height) = (library, handle, width, height)
  }

  deinit { g_object_unref(handle) }

  /// Draws the whole drawing on white.
  /// - Returns: Whether this succeeded.
  func draw(into bitmap: Bitmap) -> Bool {
    var isDone = false
    let isDrawn = bitmap.draw { context in
      var area = cairo_rectangle_t(
        x: 0,
        y: 0,
        width: Double(bitmap.width),
        height: Double(bitmap.height)
      )
      isDone = library.render(handle, context, &area, nil) != 0
    }
    return isDone && isDrawn
  }
}
