internal import Foundation

/// Reads as little of a page's file as tells what it is.
enum PageReader {
  /// Reads the header, from 64 KB where they suffice and at most 4 MB.
  static func header(of path: String) throws -> ImageHeader {
    do throws(ImageFault) {
      return try ImageHeader(try read(path, limit: 1 << 16))
    } catch {
      // Only JPEG and SVG may have more than that before their size: profiles, comments.
      guard error == .truncated(.jpeg) || error == .truncated(.svg) else { throw error }
      return try ImageHeader(try read(path, limit: 1 << 22))
    }
  }

  /// Reads the header out of the beginning of a file, and on where that does not suffice.
  static func header(of path: String, head: [UInt8]) throws -> ImageHeader {
    do throws(ImageFault) {
      return try ImageHeader(head)
    } catch {
      guard error == .truncated(.jpeg) || error == .truncated(.svg) else { throw error }
      return try ImageHeader(try read(path, limit: 1 << 22))
    }
  }

  /// Changes whenever the file's size or time of change does.
  static func tag(of path: String) -> String {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    let size = (facts?[.size] as? NSNumber)?.int64Value ?? 0
    let time = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    return ContentTag.tag("\(size) \(time)".utf8)
  }

  /// The beginning of a file, long enough for the colours of any drawn cover.
  static func contents(of path: String) -> [UInt8]? {
    try? read(path, limit: 1 << 20)
  }

  private static func read(_ path: String, limit: Int) throws(ImageFault) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw .unreadable }
    defer { try? handle.close() }
    do {
      return Array(try handle.read(upToCount: limit) ?? Data())
    } catch {
      throw .unreadable
    }
  }
}
