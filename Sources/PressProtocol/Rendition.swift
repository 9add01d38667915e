/// A picture of a page, encoded for a browser.
package struct RenditionBytes: Equatable, Sendable {
  /// The encoding of the bytes.
  package enum MediaType: UInt8, CaseIterable, Sendable {
    case webp
    case jpeg
    case png

    /// The name of the type in HTTP.
    package var name: String {
      switch self {
      case .webp: "image/webp"
      case .jpeg: "image/jpeg"
      case .png: "image/png"
      }
    }
  }

  /// The content of the page, which determines its encoding.
  package enum Kind: UInt8, CaseIterable, Sendable {
    /// Few colours, or no image: encoded without loss.
    case text
    /// Photographs, paintings, scans.
    case picture
  }

  /// The encoded picture.
  package var bytes: [UInt8]
  /// The encoding.
  package var mediaType: MediaType
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The content of the page.
  package var kind: Kind

  /// Creates a rendition.
  package init(bytes: [UInt8], mediaType: MediaType, width: Int, height: Int, kind: Kind) {
    (self.bytes, self.mediaType, self.width, self.height) = (bytes, mediaType, width, height)
    self.kind = kind
  }
}

/// The format of an image, detected from its first bytes.
package enum ImageFormat: UInt8, CaseIterable, Sendable {
  case jpeg
  case png
  case webp
  case tiff
  case gif
  case heif
  case avif
  case svg
  case jpegXL
  case jpeg2000
}

/// The facts in the header of an image.
package struct ImageFacts: Equatable, Sendable {
  /// The format of the image.
  package var format: ImageFormat
  /// The width as shown, after any rotation, in pixels.
  package var width: Int
  /// The height as shown, in pixels.
  package var height: Int
  /// Whether the file says that its pixels must be turned, in a way that not every browser heeds.
  ///
  /// All browsers turn a JPEG.
  package var isTurned = false

  /// Whether it is a strip, as comics for telephones are, which is cut into pages.
  ///
  /// One that is narrow as well is a border or a ruler.
  package var isStrip: Bool {
    format != .svg && width >= 300 && Double(height) >= 3 * Double(width)
  }

  /// Creates the facts of an image.
  package init(format: ImageFormat, width: Int, height: Int) {
    (self.format, self.width, self.height) = (format, width, height)
  }
}

/// An image of an archive.
///
/// Assets are sent in the order of the archive, because many archives can only be read
/// sequentially.
package struct Asset: Equatable, Sendable {
  /// The page of the image in reading order, counted from 0.
  ///
  /// Every page is sent once.
  package var page: Int
  /// The number of the page among those into which its image is cut, counted from 0; the pages that
  /// follow are counted without it.
  package var part = 0
  /// Its name in the archive, only for display.
  ///
  /// It can contain anything; never use it as a path.
  package var name: String
  /// The file, byte for byte; empty if it cannot be shown.
  package var bytes: [UInt8]
  /// The facts in its header; 0 x 0 if the header cannot be read.
  package var facts: ImageFacts
  /// The reason that the image cannot be shown; nil if it can, as far as its header tells.
  package var fault: PressFault?

  /// Creates an asset.
  package init(
    page: Int,
    name: String,
    bytes: [UInt8],
    facts: ImageFacts,
    fault: PressFault? = nil
  ) {
    (self.page, self.name, self.bytes, self.facts) = (page, name, bytes, facts)
    self.fault = fault
  }
}
