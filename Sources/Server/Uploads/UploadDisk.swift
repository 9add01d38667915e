internal import Foundation
internal import Glibc

/// The disk that stores the parts of uploads; tests replace it with a full one.
package struct UploadDisk: Sendable {
  /// The maximum size of any announced file, in bytes.
  static let sizeMax = 1 << 50

  /// Writes bytes at the current position of a file.
  var write: @Sendable (FileHandle, [UInt8]) throws -> Void = { try $0.write(contentsOf: $1) }

  /// Returns the free bytes on the disk of a folder, which need not exist yet; `nil` if they are
  /// not known.
  package var free: @Sendable (_ folder: String) -> Int? = { folder in
    var facts = statvfs()
    var path = folder
    while statvfs(path, &facts) != 0 {
      guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
        return nil
      }
      path = String(path[..<slash])
    }
    let (bytes, isOver) = UInt64(facts.f_bavail).multipliedReportingOverflow(
      by: UInt64(facts.f_frsize)
    )
    return isOver ? sizeMax : Int(clamping: min(bytes, UInt64(sizeMax)))
  }

  /// Creates the disk of this machine.
  package init() {}

  /// Whether an error means that the disk is full.
  static func isFull(_ error: any Error) -> Bool {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return [ENOSPC, EDQUOT].contains(Int32(error.code)) }
    if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue {
      return true
    }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(isFull) ?? false
  }
}
