internal import Bytes

/// The format and the size of an image, read from its first bytes.
package struct ImageHeader: Equatable, Sendable {
  /// The maximum length of a side, in pixels or user units.
  package static let sideMax = 1e6
  /// The maximum ratio of the sides: with more, the image cannot be a page.
  package static let aspectMax = 50.0

  /// The format of the bytes, whatever the name of the file is.
  package let format: ImageFormat
  /// The width as browsers show it, in pixels or user units; above 0.
  package let width: Double
  /// The height as browsers show it, in the same unit; above 0.
  package let height: Double

  /// Creates a header; nil for a size that a page cannot have.
  package init?(format: ImageFormat, width: Double, height: Double) {
    let sides = 0.001...Self.sideMax
    guard sides.contains(width), sides.contains(height),
      width / height <= Self.aspectMax, height / width <= Self.aspectMax
    else { return nil }
    (self.format, self.width, self.height) = (format, width, height)
  }
}

/// An error in the beginning of an image file.
package enum ImageFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file has no bytes.
  case empty
  /// The first bytes match none of the formats that browsers can show.
  case unknownFormat
  /// The bytes end before the size.
  case truncated(ImageFormat)
  /// The bytes violate the format.
  case damaged(ImageFormat)
  /// The file may say that its pixels must be turned; only the whole file tells.
  case turned(ImageFormat)
  /// The size is missing, zero, or out of range.
  case sizeless(ImageFormat)

  /// What is wrong and what to do.
  package var description: String {
    switch self {
    case .empty: "the file is empty; copy it again"
    case .unknownFormat: "this is not an SVG, PNG, JPEG or WebP image; export it as one of these"
    case .truncated(let format): "the \(format) image ends before its size; copy it again"
    case .damaged(let format): "the \(format) image is damaged; export it again"
    case .turned(let format): "the \(format) image may be turned; save it upright"
    case .sizeless(let format):
      format == .svg
        ? "the svg image has no usable size; give its root a width and a height or a viewBox"
        : "the \(format) image has no usable size; export it again"
    }
  }
}

extension PressCoder {
  mutating func header(
    _ header: Result<ImageHeader, ImageFault>
  ) throws(ByteError) -> Result<ImageHeader, ImageFault> {
    let (kind, format, size): (UInt8, ImageFormat, ImageHeader?) =
      switch header {
      case .success(let header): (0, header.format, header)
      case .failure(.empty): (1, .jpeg, nil)
      case .failure(.unknownFormat): (2, .jpeg, nil)
      case .failure(.truncated(let format)): (3, format, nil)
      case .failure(.damaged(let format)): (4, format, nil)
      case .failure(.sizeless(let format)): (5, format, nil)
      case .failure(.turned(let format)): (6, format, nil)
      }
    let type = try number(kind, "kind of header")
    let sent = try choice(format, "image format")
    switch type {
    case 0:
      let width = try self.size(size?.width ?? 1, "width")
      let height = try self.size(size?.height ?? 1, "height")
      guard let header = ImageHeader(format: sent, width: width, height: height) else {
        throw .invalid(field: "image size")
      }
      return .success(header)
    case 1: return .failure(.empty)
    case 2: return .failure(.unknownFormat)
    case 3: return .failure(.truncated(sent))
    case 4: return .failure(.damaged(sent))
    case 5: return .failure(.sizeless(sent))
    case 6: return .failure(.turned(sent))
    default: throw .unknownValue(field: "kind of header", value: type)
    }
  }
}
