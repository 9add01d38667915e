internal import PressProtocol

/// A picture of a page.
package struct PagePicture: Equatable, Sendable {
  /// The location of the bytes of a picture.
  package enum Content: Equatable, Sendable {
    /// In a file. If the file is gone by the time you open it, request the picture again.
    case file(String)
    /// In memory only: the picture was rendered but could not be stored.
    case bytes([UInt8])
  }

  /// The location of the bytes.
  package var content: Content
  /// The value of the `Content-Type` header.
  package var contentType: String
  /// Whether its address always shows this picture.
  package var isLasting = true

  /// The path of its file; `nil` if it is in memory.
  package var path: String? {
    if case .file(let path) = content { path } else { nil }
  }

  /// Whether the file of an image is there, and as far as its ends tell, complete; reads the file.
  var isWhole: Bool {
    guard let path,
      let format = ImageFormat.allCases.first(where: { $0.contentType == contentType }),
      let file = try? InputFile(path), let ends = try? file.ends(ImageEnd.bytes)
    else { return false }
    return ImageEnd.isWhole(format, head: ends.head, tail: ends.tail, size: file.size)
  }
}

extension ImageFormat {
  /// Creates the format from its name in the catalogue.
  init?(name: String) {
    guard let format = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = format
  }

  /// The value of the `Content-Type` header; nil for formats that not every browser can show.
  var contentType: String? {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .svg: "image/svg+xml"
    case .tiff, .gif, .heif, .avif, .jpegXL, .jpeg2000: nil
    }
  }
}
