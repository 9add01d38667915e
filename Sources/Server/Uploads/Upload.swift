internal import Foundation
internal import Notices

/// A file that is being uploaded.
struct Upload: Equatable, Codable, Sendable {
  /// The progress of an upload.
  enum State: Equatable, Codable, Sendable {
    case receiving
    case importing
    case done(book: String)
    case failed(Notice, canRetry: Bool)
  }

  /// The id in addresses and on disk.
  let id: String
  /// The file's name on the reader's machine; it is shown and used as a title, but never as a path.
  let name: String
  /// The announced size, in bytes.
  let size: Int
  /// The title of the collection for the book; nil for the one of uploads.
  let collection: String?
  /// The number of bytes on disk.
  var offset = 0
  var state = State.receiving

  init(id: String, name: String, size: Int, collection: String?) {
    self.id = id
    self.name = name
    self.size = size
    self.collection = collection
  }
}

/// The reason why an upload, or a part of one, is rejected.
enum UploadFault: Error, Equatable {
  case tooLarge(limit: Int)
  case empty
  case noName
  case tooMany(limit: Int)
  case unknown(String)
  case wrongOffset(is: Int, given: Int)
  case tooLong(size: Int)
  case busy
  case over
  case disk(String)
  case noRoom(needed: Int, free: Int?)

  /// The HTTP status.
  var status: Int {
    switch self {
    case .tooLarge, .tooLong: 413
    case .empty, .noName: 400
    case .tooMany: 429
    case .unknown: 404
    case .wrongOffset, .busy, .over: 409
    case .disk: 500
    case .noRoom: 507
    }
  }

  /// Whether the same request may succeed later.
  var canRetry: Bool {
    switch self {
    case .tooLarge, .empty, .noName, .over: false
    case .tooMany, .unknown, .wrongOffset, .tooLong, .busy, .disk, .noRoom: true
    }
  }

  /// The message to the reader.
  var notice: Notice {
    switch self {
    case .tooLarge(let limit): Notice(.uploadTooLarge, ["limit": "\(limit)"])
    case .empty: Notice(.uploadEmpty)
    case .noName: Notice(.uploadUnnamed)
    case .tooMany(let limit): Notice(.tooManyUploads, ["count": "\(limit)"])
    case .unknown(let id): Notice(.noSuchUpload, ["upload": id])
    case .wrongOffset(let expected, let given):
      Notice(
        other: "This part begins at byte \(given), but byte \(expected) is next. Go on from there."
      )
    case .tooLong(let size):
      Notice(other: "The file is larger than the \(size) bytes that were announced. Start again.")
    case .busy: Notice(other: "Another part of this file is still coming in. Wait for its end.")
    case .over: Notice(other: "This file is complete already.")
    case .disk(let reason): Notice(.uploadNotStored, ["reason": reason])
    case .noRoom(let needed, let free?):
      Notice(.noRoomForUpload, ["bytes": "\(needed)", "free": "\(max(0, free))"])
    case .noRoom(let needed, nil): Notice(.uploadDiskFull, ["bytes": "\(needed)"])
    }
  }
}
