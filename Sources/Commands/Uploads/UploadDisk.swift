internal import Foundation
internal import Glibc

/// What takes the parts of uploads; tests have one that is full.
struct UploadDisk: Sendable {
  /// No file is larger than this, in bytes, whoever announced it.
  static let sizeMax = 1 << 50

  /// Writes bytes at a file's place.
  var write: @Sendable (FileHandle, [UInt8]) throws -> Void = { try $0.write(contentsOf: $1) }

  /// The bytes that are free where a folder is, or will be; `nil` if that is not known.
  var free: @Sendable (_ folder: String) -> Int? = { folder in
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

  /// Whether an error says that the disk has no room.
  static func isFull(_ error: any Error) -> Bool {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return [ENOSPC, EDQUOT].contains(Int32(error.code)) }
    if error.domain == NSCocoaErrorDomain, error.code == CocoaError.fileWriteOutOfSpace.rawValue {
      return true
    }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).map(isFull) ?? false
  }
}
