internal import CPoppler
internal import Glibc

/// The functions of libvips that are used.
///
/// A press has one thread besides those of its libraries, and only that thread calls them.
final class Vips: @unchecked Sendable {
  typealias Object = UnsafeMutableRawPointer

  /// The library, prepared for confinement; `nil` if it is not installed.
  static let library: Vips? = Vips()

  /// The folder of libraries in Debian.
  #if arch(arm64)
  private static let folder = "/usr/lib/aarch64-linux-gnu"
  #else
  private static let folder = "/usr/lib/x86_64-linux-gnu"
  #endif

  private let operations: VipsOperations
  private let images: VipsImages
  private let errorClear: @convention(c) () -> Void

  private init?() {
    // Loading the modules for unused formats would take longer than everything else.
    setenv("VIPSHOME", "/nonexistent", 1)
    setenv("VIPS_CONCURRENCY", "1", 1)
    setenv("VIPS_NOVECTOR", "1", 1)
    guard let library = SharedLibrary("libvips.so.42"),
      let initialize: @convention(c) (UnsafePointer<CChar>) -> Int32 =
        library.function("vips_init"),
      initialize("lectern-press") == 0,
      let operations = VipsOperations(in: library),
      let images = VipsImages(in: library),
      let errorClear: @convention(c) () -> Void = library.function("vips_error_clear")
    else { return nil }
    (self.operations, self.images, self.errorClear) = (operations, images, errorClear)
    prepare(library)
  }

  /// Loads the decoders for HEIF, AVIF and JPEG XL, and disables loaders that are unsafe for
  /// untrusted files.
  private func prepare(_ library: SharedLibrary) {
    let version: (@convention(c) (Int32) -> Int32)? = library.function("vips_version")
    if let version {
      let modules = "\(Self.folder)/vips-modules-\(version(0)).\(version(1))"
      for name in ["vips-heif", "vips-jxl"] {
        let start: (@convention(c) (Object?) -> UnsafePointer<CChar>?)? =
          SharedLibrary("\(modules)/\(name).so")?.function("g_module_check_init")
        _ = start?(nil)
      }
    }
    let block: (@convention(c) (Int32) -> Void)? = library.function("vips_block_untrusted_set")
    block?(1)
    // These two are maintained like the others, and everything that is read here is confined.
    let blockOne: (@convention(c) (UnsafePointer<CChar>, Int32) -> Void)? =
      library.function("vips_operation_block_set")
    for loader in ["VipsForeignLoadJxl", "VipsForeignLoadJp2k"] { blockOne?(loader, 0) }
    let cache: (@convention(c) (Int32) -> Void)? = library.function("vips_cache_set_max")
    cache?(0)
  }

  /// An image of libvips; it is lazy, so its bytes must outlive it.
  final class Image {
    fileprivate let object: Object
    private let vips: Vips

    fileprivate init(_ object: Object, _ vips: Vips) { (self.object, self.vips) = (object, vips) }

    deinit { g_object_unref(object) }

    var width: Int { Int(vips.images.width(object)) }
    var height: Int { Int(vips.images.height(object)) }
    /// The number of bands: 1 grey, 3 colours, 4 colours with alpha, or CMYK.
    var bands: Int { Int(vips.images.bands(object)) }
    /// Whether the bands are CMYK (VIPS_INTERPRETATION_CMYK).
    var isCMYK: Bool { vips.images.interpretation(object) == 15 }
    /// The number of images in the file; more than one is an animation, or many scans.
    var pages: Int { Int(vips.images.pages(object)) }
    /// The EXIF orientation: 1 is upright, 5 to 8 are on the side.
    var orientation: Int { Int(vips.images.orientation(object)) }

    /// Computes all pixels, row by row without padding.
    func withPixels<T>(_ work: (UnsafeRawBufferPointer) -> T) -> T? {
      var count = 0
      guard let memory = vips.images.writeToMemory(object, &count) else {
        vips.errorClear()
        return nil
      }
      defer { g_free(memory) }
      return work(UnsafeRawBufferPointer(start: memory, count: count))
    }
  }

  /// Runs an operation on the bytes of a file.
  func run(
    _ name: String,
    on bytes: UnsafeRawBufferPointer,
    _ options: [(String, String)] = []
  ) -> Image? {
    guard let blob = operations.newBlob(nil, bytes.baseAddress, bytes.count) else { return nil }
    defer { operations.releaseBlob(blob) }
    return run(name, options) { value in
      g_value_init(&value, self.operations.blobType())
      g_value_set_boxed(&value, blob)
      return "buffer"
    }
  }

  /// Runs an operation on an image.
  func run(_ name: String, on image: Image, _ options: [(String, String)] = []) -> Image? {
    run(name, options) { value in
      g_value_init(&value, self.images.type())
      g_value_set_object(&value, image.object)
      return "in"
    }
  }

  /// Runs an operation with one named input value.
  private func run(
    _ name: String,
    _ options: [(String, String)],
    input: (inout GValue) -> String
  ) -> Image? {
    defer { errorClear() }
    guard let operation = operations.new(name) else { return nil }
    var value = GValue()
    let property = input(&value)
    let object = operation.assumingMemoryBound(to: GObject.self)
    g_object_set_property(object, property, &value)
    g_value_unset(&value)
    for (key, text) in options where operations.setArgument(operation, key, text) != 0 {
      g_object_unref(operation)
      return nil
    }
    guard let built = operations.build(operation) else {
      operations.releaseOutputs(operation)
      g_object_unref(operation)
      return nil
    }
    var result = GValue()
    g_value_init(&result, images.type())
    g_object_get_property(built.assumingMemoryBound(to: GObject.self), "out", &result)
    let image = g_value_dup_object(&result).map { Image($0, self) }
    g_value_unset(&result)
    operations.releaseOutputs(built)
    g_object_unref(built)
    return image
  }
}
