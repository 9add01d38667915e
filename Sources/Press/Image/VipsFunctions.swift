internal import CPoppler

/// The functions of libvips that run operations and wrap bytes as their input.
struct VipsOperations {
  typealias Object = Vips.Object

  let new: @convention(c) (UnsafePointer<CChar>) -> Object?
  let setArgument: @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  let build: @convention(c) (Object) -> Object?
  let releaseOutputs: @convention(c) (Object) -> Void
  let newBlob: @convention(c) (Object?, UnsafeRawPointer?, Int) -> Object?
  let releaseBlob: @convention(c) (Object) -> Void
  let blobType: @convention(c) () -> GType

  /// Looks up the functions; `nil` if one is missing.
  init?(in library: SharedLibrary) {
    guard
      let new: @convention(c) (UnsafePointer<CChar>) -> Object? =
        library.function("vips_operation_new"),
      let setArgument: @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
      =
        library.function("vips_object_set_argument_from_string"),
      let build: @convention(c) (Object) -> Object? =
        library.function("vips_cache_operation_build"),
      let releaseOutputs: @convention(c) (Object) -> Void =
        library.function("vips_object_unref_outputs"),
      let newBlob: @convention(c) (Object?, UnsafeRawPointer?, Int) -> Object? =
        library.function("vips_blob_new"),
      let releaseBlob: @convention(c) (Object) -> Void = library.function("vips_area_unref"),
      let blobType: @convention(c) () -> GType = library.function("vips_blob_get_type")
    else { return nil }
    (self.new, self.setArgument, self.build) = (new, setArgument, build)
    (self.releaseOutputs, self.newBlob, self.releaseBlob) = (releaseOutputs, newBlob, releaseBlob)
    self.blobType = blobType
  }
}

/// The functions of libvips that read an image.
struct VipsImages {
  typealias Object = Vips.Object
  typealias Property = @convention(c) (Object) -> Int32

  let type: @convention(c) () -> GType
  let width: Property
  let height: Property
  let interpretation: Property
  let bands: Property
  let pages: Property
  let orientation: Property
  let writeToMemory: @convention(c) (Object, UnsafeMutablePointer<Int>) -> Object?

  /// Looks up the functions; `nil` if one is missing.
  init?(in library: SharedLibrary) {
    guard
      let type: @convention(c) () -> GType = library.function("vips_image_get_type"),
      let width: Property = library.function("vips_image_get_width"),
      let height: Property = library.function("vips_image_get_height"),
      let interpretation: Property = library.function("vips_image_get_interpretation"),
      let bands: Property = library.function("vips_image_get_bands"),
      let pages: Property = library.function("vips_image_get_n_pages"),
      let orientation: Property = library.function("vips_image_get_orientation"),
      let writeToMemory: @convention(c) (Object, UnsafeMutablePointer<Int>) -> Object? =
        library.function("vips_image_write_to_memory")
    else { return nil }
    (self.type, self.width, self.height) = (type, width, height)
    (self.interpretation, self.bands, self.pages) = (interpretation, bands, pages)
    (self.orientation, self.writeToMemory) = (orientation, writeToMemory)
  }
}
