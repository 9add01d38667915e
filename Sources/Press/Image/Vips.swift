internal import CPoppler
internal import Glibc

/// The functions of libvips that are used.
///
/// A press has one thread of its own, and only that thread calls them.
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

  private let operationNew: @convention(c) (UnsafePointer<CChar>) -> Object?
  private let setArgument:
    @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  private let build: @convention(c) (Object) -> Object?
  private let unrefOutputs: @convention(c) (Object) -> Void
  private let blobNew: @convention(c) (Object?, UnsafeRawPointer?, Int) -> Object?
  private let blobUnref: @convention(c) (Object) -> Void
  private let imageType: @convention(c) () -> GType
  private let blobType: @convention(c) () -> GType
  private let errorClear: @convention(c) () -> Void
  private let imageWidth: @convention(c) (Object) -> Int32
  private let imageHeight: @convention(c) (Object) -> Int32
  private let imageColours: @convention(c) (Object) -> Int32
  private let imageBands: @convention(c) (Object) -> Int32
  private let imagePages: @convention(c) (Object) -> Int32
  private let imageOrientation: @convention(c) (Object) -> Int32
  private let toMemory: @convention(c) (Object, UnsafeMutablePointer<Int>) -> Object?

  private init?() {
    // Loading the modules for unused formats would take longer than everything else.
    setenv("VIPSHOME", "/nonexistent", 1)
    setenv("VIPS_CONCURRENCY", "1", 1)
    setenv("VIPS_NOVECTOR", "1", 1)
    guard let library = SharedLibrary("libvips.so.42"),
      let initialize: @convention(c) (UnsafePointer<CChar>) -> Int32 =
        library.function("vips_init"),
      initialize("lectern-press") == 0,
      let operationNew: @convention(c) (UnsafePointer<CChar>) -> Object? =
        library.function("vips_operation_new"),
      let setArgument: @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
      =
        library.function("vips_object_set_argument_from_string"),
      let build: @convention(c) (Object) -> Object? =
        library.function("vips_cache_operation_build"),
      let unrefOutputs: @convention(c) (Object) -> Void =
        library.function("vips_object_unref_outputs"),
      let blobNew: @convention(c) (Object?, UnsafeRawPointer?, Int) -> Object? =
        library.function("vips_blob_new"),
      let blobUnref: @convention(c) (Object) -> Void = library.function("vips_area_unref"),
      let imageType: @convention(c) () -> GType = library.function("vips_image_get_type"),
      let blobType: @convention(c) () -> GType = library.function("vips_blob_get_type"),
      let errorClear: @convention(c) () -> Void = library.function("vips_error_clear"),
      let imageWidth: @convention(c) (Object) -> Int32 = library.function("vips_image_get_width"),
      let imageHeight: @convention(c) (Object) -> Int32 = library.function("vips_image_get_height"),
      let imageColours: @convention(c) (Object) -> Int32 =
        library.function("vips_image_get_interpretation"),
      let imageBands: @convention(c) (Object) -> Int32 = library.function("vips_image_get_bands"),
      let imagePages: @convention(c) (Object) -> Int32 = library.function("vips_image_get_n_pages"),
      let imageOrientation: @convention(c) (Object) -> Int32 =
        library.function("vips_image_get_orientation"),
      let toMemory: @convention(c) (Object, UnsafeMutablePointer<Int>) -> Object? =
        library.function("vips_image_write_to_memory")
    else { return nil }
    self.operationNew = operationNew
    self.setArgument = setArgument
    self.build = build
    self.unrefOutputs = unrefOutputs
    self.blobNew = blobNew
    self.blobUnref = blobUnref
    self.imageType = imageType
    self.blobType = blobType
    self.errorClear = errorClear
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.imageColours = imageColours
    self.imageBands = imageBands
    self.imagePages = imagePages
    self.imageOrientation = imageOrientation
    self.toMemory = toMemory
    prepare(library)
  }

  /// Loads the decoders for HEIF and AVIF, and disables loaders that are unsafe for untrusted
  /// files.
  private func prepare(_ library: SharedLibrary) {
    let version: (@convention(c) (Int32) -> Int32)? = library.function("vips_version")
    if let version {
      let modules = "\(Self.folder)/vips-modules-\(version(0)).\(version(1))"
      let heif = SharedLibrary("\(modules)/vips-heif.so")
      let start: (@convention(c) (Object?) -> UnsafePointer<CChar>?)? =
        heif?.function("g_module_check_init")
      _ = start?(nil)
    }
    let block: (@convention(c) (Int32) -> Void)? = library.function("vips_block_untrusted_set")
    block?(1)
    let cache: (@convention(c) (Int32) -> Void)? = library.function("vips_cache_set_max")
    cache?(0)
  }

  /// An image of libvips; it is lazy, so its bytes must outlive it.
  final class Image {
    fileprivate let object: Object
    private let vips: Vips

    fileprivate init(_ object: Object, _ vips: Vips) {
      self.object = object
      self.vips = vips
    }

    deinit { g_object_unref(object) }

    var width: Int { Int(vips.imageWidth(object)) }
    var height: Int { Int(vips.imageHeight(object)) }
    /// The number of bands: 1 grey, 3 colours, 4 colours with alpha, or CMYK.
    var bands: Int { Int(vips.imageBands(object)) }
    /// Whether the bands are CMYK (VIPS_INTERPRETATION_CMYK).
    var isCMYK: Bool { vips.imageColours(object) == 15 }
    /// The number of images in the file; more than one is an animation, or many scans.
    var pages: Int { Int(vips.imagePages(object)) }
    /// The EXIF orientation: 1 is upright, 5 to 8 are on the side.
    var orientation: Int { Int(vips.imageOrientation(object)) }

    /// Computes all pixels, row by row without padding.
    func withPixels<T>(_ work: (UnsafeRawBufferPointer) -> T) -> T? {
      var count = 0
      guard let memory = vips.toMemory(object, &count) else {
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
    guard let blob = blobNew(nil, bytes.baseAddress, bytes.count) else { return nil }
    defer { blobUnref(blob) }
    return run(name, options) { value in
      g_value_init(&value, self.blobType())
      g_value_set_boxed(&value, blob)
      return "buffer"
    }
  }

  /// Runs an operation on an image.
  func run(
    _ name: String,
    on image: Image,
    _ options: [(String, String)] = []
  ) -> Image? {
    run(name, options) { value in
      g_value_init(&value, self.imageType())
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
    guard let operation = operationNew(name) else { return nil }
    var value = GValue()
    let property = input(&value)
    let object = operation.assumingMemoryBound(to: GObject.self)
    g_object_set_property(object, property, &value)
    g_value_unset(&value)
    for (key, text) in options where setArgument(operation, key, text) != 0 {
      g_object_unref(operation)
      return nil
    }
    guard let built = build(operation) else {
      unrefOutputs(operation)
      g_object_unref(operation)
      return nil
    }
    var result = GValue()
    g_value_init(&result, imageType())
    g_object_get_property(built.assumingMemoryBound(to: GObject.self), "out", &result)
    let image = g_value_dup_object(&result).map { Image($0, self) }
    g_value_unset(&result)
    unrefOutputs(built)
    g_object_unref(built)
    return image
  }
}
