package import Notices
package import PressProtocol

/// A reason that a book could not be imported.
package enum ImportFault: NoticeError, Equatable {
  /// A file cannot be read or written.
  case file(Notice)
  /// The disk is full.
  case noRoom(Notice)
  /// The document cannot be read.
  case press(PressFault)
  /// The catalogue cannot be written.
  case catalogue(DatabaseError)
  /// The folder contains nothing that can be a page.
  case noImages(path: String)
  /// The file changed while it was being read.
  case changed(path: String)
  /// The library is being closed.
  case stopped

  /// Whether another try with the same file may succeed.
  package var canRetry: Bool {
    switch self {
    case .noImages: false
    case .file, .noRoom, .catalogue, .changed, .stopped: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// The message to readers.
  package var notice: Notice {
    switch self {
    case .file(let notice), .noRoom(let notice): notice
    case .press(let fault): fault.notice
    case .catalogue(let error): LibraryFault(error).notice
    case .noImages(let path): Notice(.folderWithoutImages, ["path": path])
    case .changed(let path): Notice(.fileChanged, ["path": path])
    case .stopped: Notice(.importStopped)
    }
  }
}

/// The progress of an import.
package enum ImportProgress: Equatable, Sendable {
  /// The file is being read, with the number of bytes read so far.
  case reading(bytes: Int, of: Int)
  /// The document is being opened.
  case opening
  /// The images of an archive are being extracted, with their number so far.
  case extracting(images: Int)
}

/// The result of importing a book from the folder.
struct Shelved: Sendable {
  var location: FileLocation
  /// The files of the book that cannot be used.
  var notes: [String] = []
  /// Why the book cannot be read; nil if it can.
  ///
  /// The shelf then shows only the reason.
  var fault: PressFault?
}
