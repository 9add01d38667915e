public import Geometry

/// The kinds of image a browser shows and the library understands.
public enum ImageFormat: String, Equatable, Sendable, CaseIterable {
  /// Portable Network Graphics.
  case png
  /// JPEG in a JFIF, Exif or bare stream.
  case jpeg
  /// WebP, lossy, lossless or extended.
  case webp
  /// Scalable Vector Graphics, uncompressed.
  case svg

  /// The value of the `Content-Type` header.
  public var contentType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .svg: "image/svg+xml"
    }
  }
}

/// What is wrong with the beginning of an image file.
public enum ImageFault: Error, Equatable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable
  /// The file has no bytes.
  case empty
  /// The first bytes belong to none of the known formats.
  case unknownFormat
  /// The bytes stop before the size is told.
  case truncated(ImageFormat)
  /// The bytes break the format's rules.
  case damaged(ImageFormat)
  /// The size is not told, is zero, or is beyond reason.
  case sizeless(ImageFormat)

  /// What was wrong and what to do, for a person.
  public var description: String {
    switch self {
    case .unreadable: "the file cannot be read; check who may read it"
    case .empty: "the file is empty; copy it again"
    case .unknownFormat: "this is not an SVG, PNG, JPEG or WebP image; export it as one of these"
    case .truncated(let format):
      "the \(format.rawValue) image stops before its size is told; copy it again"
    case .damaged(let format): "the \(format.rawValue) image is damaged; export it again"
    case .sizeless(let format):
      format == .svg
        ? "the svg image has no usable size; give its root a width and a height or a viewBox"
        : "the \(format.rawValue) image has no usable size; export it again"
    }
  }
}

/// The format and the size of an image, read from its first bytes.
///
/// The bytes may be anything: nothing here traps, whatever they are.
public struct ImageHeader: Equatable, Sendable {
  /// The format the bytes are in, whatever the file is called.
  public var format: ImageFormat
  /// The size as a browser shows it, in pixels or user units; both sides are positive and finite.
  public var size: Size

  /// Reads a header.
  /// - Parameter bytes: The beginning of a file; 64 KB suffice for all but unusual JPEG files.
  /// - Throws: The fault, where there is no format or size to be had.
  public init(_ bytes: [UInt8]) throws(ImageFault) {
    guard !bytes.isEmpty else { throw .empty }
    let reader = ByteReader(bytes)
    if reader.matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      format = .png
      size = try Self.pngSize(reader)
    } else if reader.matches([0xFF, 0xD8, 0xFF], at: 0) {
      format = .jpeg
      size = try JPEGHeader.size(reader)
    } else if reader.matches("RIFF", at: 0), reader.matches("WEBP", at: 8) {
      format = .webp
      size = try Self.webpSize(reader)
    } else {
      format = .svg
      size = try SVGHeader.size(bytes)
    }
    // An aspect beyond 50 is no page, and would make a page box thinner than a hair.
    guard size.width > 0, size.height > 0, size.width <= 1e6, size.height <= 1e6,
      size.width / size.height <= 50, size.height / size.width <= 50
    else { throw .sizeless(format) }
  }

  private static func pngSize(_ reader: ByteReader) throws(ImageFault) -> Size {
    guard let width = reader.bigEndian32(at: 16), let height = reader.bigEndian32(at: 20) else {
      throw .truncated(.png)
    }
    guard reader.matches("IHDR", at: 12) else { throw .damaged(.png) }
    return Size(width: Double(width), height: Double(height))
  }

  /// The three kinds of first chunk: RFC 6386 section 9.1, RFC 9649 sections 3.4 and 2.7.
  private static func webpSize(_ reader: ByteReader) throws(ImageFault) -> Size {
    if reader.matches("VP8 ", at: 12) {
      guard let width = reader.littleEndian16(at: 26), let height = reader.littleEndian16(at: 28)
      else { throw .truncated(.webp) }
      guard reader.matches([0x9D, 0x01, 0x2A], at: 23) else { throw .damaged(.webp) }
      return Size(width: Double(width & 0x3FFF), height: Double(height & 0x3FFF))
    }
    if reader.matches("VP8L", at: 12) {
      guard let low = reader.littleEndian16(at: 21), let high = reader.littleEndian16(at: 23)
      else { throw .truncated(.webp) }
      guard reader.matches([0x2F], at: 20) else { throw .damaged(.webp) }
      let bits = low | high << 16
      return Size(width: Double(bits & 0x3FFF) + 1, height: Double(bits >> 14 & 0x3FFF) + 1)
    }
    if reader.matches("VP8X", at: 12) {
      guard let width = reader.littleEndian24(at: 24), let height = reader.littleEndian24(at: 27)
      else { throw .truncated(.webp) }
      return Size(width: Double(width) + 1, height: Double(height) + 1)
    }
    throw reader.count < 16 ? .truncated(.webp) : .damaged(.webp)
  }
}
