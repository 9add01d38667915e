/// A picture of a page, encoded for a browser.
public struct RenditionBytes: Equatable, Sendable {
  /// How the bytes are encoded.
  public enum MediaType: UInt8, CaseIterable, Sendable {
    case webp
    case jpeg
    case png

    /// The name of the type in HTTP.
    public var name: String {
      switch self {
      case .webp: "image/webp"
      case .jpeg: "image/jpeg"
      case .png: "image/png"
      }
    }
  }

  /// What is on the page, which decided how it was encoded.
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// Few colours, or no image: encoded without loss.
    case text
    /// Photographs, paintings, scans.
    case picture
  }

  /// The encoded picture.
  public var bytes: [UInt8]
  /// How it is encoded.
  public var mediaType: MediaType
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// What is on the page.
  public var kind: Kind

  /// Creates a rendition.
  public init(bytes: [UInt8], mediaType: MediaType, width: Int, height: Int, kind: Kind) {
    self.bytes = bytes
    self.mediaType = mediaType
    self.width = width
    self.height = height
    self.kind = kind
  }
}

/// The kind of an image, told by its first bytes.
public enum ImageFormat: UInt8, CaseIterable, Sendable {
  case jpeg
  case png
  case webp
  case tiff
  case gif
  case heif
  case avif
  case svg
}

/// What the header of an image says.
public struct ImageFacts: Equatable, Sendable {
  /// The kind of the image.
  public var format: ImageFormat
  /// The width as shown, after any rotation, in pixels.
  public var width: Int
  /// The height as shown, in pixels.
  public var height: Int

  /// Creates the facts of an image.
  public init(format: ImageFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

/// An image as it lay in an archive.
///
/// Assets come in the order of the archive, since many archives can be read only once through.
public struct Asset: Equatable, Sendable {
  /// The page the image is, from 0: the reading order.
  ///
  /// Every page comes once.
  public var page: Int
  /// Its name there: for showing only.
  ///
  /// It may hold anything; never make a path of it.
  public var name: String
  /// The file, byte for byte.
  public var bytes: [UInt8]
  /// What its header says; 0 x 0 if that cannot be read, which leaves a page with a fault.
  public var facts: ImageFacts

  /// Creates an asset.
  public init(page: Int, name: String, bytes: [UInt8], facts: ImageFacts) {
    self.page = page
    self.name = name
    self.bytes = bytes
    self.facts = facts
  }
}
