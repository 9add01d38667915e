public import PressProtocol

/// A reason a book could not be taken in.
public enum ImportFault: Error, Equatable, CustomStringConvertible {
  /// A file cannot be read or written; in words for people.
  case file(String)
  /// The disk has no room; in words for people.
  case noRoom(String)
  /// The document cannot be read.
  case press(PressFault)
  /// The catalogue cannot be written.
  case catalogue(DatabaseError)
  /// The folder holds nothing that could be a page.
  case noImages(path: String)
  /// The file changed while it was read.
  case changed(path: String)
  /// The library is being closed.
  case stopped

  /// Whether the same file may get in another time.
  public var canRetry: Bool {
    switch self {
    case .noImages: false
    case .file, .noRoom, .catalogue, .changed, .stopped: true
    case .press(let fault): !fault.isLasting
    }
  }

  /// What was wrong and what to do, for a person.
  public var description: String {
    switch self {
    case .file(let text), .noRoom(let text): text
    case .press(let fault): fault.message
    case .catalogue(let error): LibraryFault(error).description
    case .noImages(let path):
      "The folder \(path) holds no images. Name a folder of JPEG, PNG, WebP or SVG files."
    case .changed(let path): "The file \(path) changed while it was read. Import it again."
    case .stopped: "The library was closed before the book was in. Import it again."
    }
  }
}

/// How far an import has come.
public enum ImportProgress: Equatable, Sendable {
  /// The file is read; so many of its bytes are through.
  case reading(bytes: Int, of: Int)
  /// The document is opened.
  case opening
  /// The images of an archive are taken out; so many are.
  case extracting(images: Int)
}
