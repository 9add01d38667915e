internal import Foundation

/// A file that is being uploaded.
struct Upload: Equatable, Codable, Sendable {
  /// The progress of an upload.
  enum State: Equatable, Codable, Sendable {
    case receiving
    case importing
    case done(book: String)
    case failed(String, canRetry: Bool)
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

  /// The message for the reader: what is wrong and what to do.
  var message: String {
    switch self {
    case .tooLarge(let limit): "This file is larger than \(Self.size(limit))."
    case .empty: "This file is empty. Choose one with pages in it."
    case .noName: "The file has no name. Give it one and try again."
    case .tooMany(let limit): "\(limit) files are already on their way. Wait until one is in."
    case .unknown(let id): "There is no upload \(id). Start again."
    case .wrongOffset(let expected, let given):
      "This part begins at byte \(given), but byte \(expected) is next. Go on from there."
    case .tooLong(let size):
      "The file is larger than the \(size) bytes that were announced. Start again."
    case .busy: "Another part of this file is still coming in. Wait for its end."
    case .over: "This file is complete already."
    case .disk(let reason):
      "The file could not be kept: \(reason). Ask the administrator to check the disk."
    case .noRoom(let needed, let free):
      "The disk of the library has no room for this file of \(Self.size(needed))"
        + (free.map { "; \(Self.size(max(0, $0))) are free" } ?? "")
        + ". Free some space on the server and bring it again."
    }
  }

  /// Returns a size as text, such as "1 GiB".
  static func size(_ bytes: Int) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    for (unit, name) in units where bytes >= unit {
      let tenths = Int((Double(bytes) * 10 / Double(unit)).rounded())
      return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(bytes) bytes"
  }
}
