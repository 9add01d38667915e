/// Reads as little of a page's file as tells what it is.
enum PageReader {
  /// Reads the header out of the beginning of a file, and on where that does not suffice.
  static func header(of path: String, head: [UInt8]) throws -> ImageHeader {
    do throws(ImageFault) {
      return try ImageHeader(head)
    } catch {
      // Only JPEG and SVG may have more than that before their size: profiles, comments.
      guard error == .truncated(.jpeg) || error == .truncated(.svg) else { throw error }
      return try ImageHeader(try InputFile.head(of: path, limit: 1 << 22))
    }
  }
}
